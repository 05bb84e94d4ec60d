//===- CheckCalls.cpp - calls that can be compiled ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CheckCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace {

/// Fails, whatever the severity.
LogicalResult report(func::CallOp call, DiagnosticSeverity severity,
                     StringRef why) {
  bool isError = severity == DiagnosticSeverity::Error;
  InFlightDiagnostic diagnostic =
      isError ? call.emitError() : call.emitWarning();
  diagnostic << "calls '" << call.getCallee() << why;
  if (!isError)
    diagnostic.attachNote() << "shapes are checked all the same; the program "
                               "cannot be run";
  return diagnostic;
}

/// Reports functions that call themselves, also by way of others: how deep they
/// go is not known, and the stack is not endless.
LogicalResult checkRecursion(ModuleOp module, DiagnosticSeverity severity) {
  SymbolTable symbols(module);
  enum State { Unseen, OnTheWay, Done };
  DenseMap<Operation *, State> state;
  SmallVector<std::pair<func::FuncOp, SmallVector<func::CallOp>>> stack;
  auto enter = [&](func::FuncOp func) {
    state[func] = OnTheWay;
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) { calls.push_back(call); });
    stack.emplace_back(func, std::move(calls));
  };
  for (auto root : module.getOps<func::FuncOp>()) {
    if (state.lookup(root) == Unseen)
      enter(root);
    while (!stack.empty()) {
      if (stack.back().second.empty()) {
        state[stack.back().first] = Done;
        stack.pop_back();
        continue;
      }
      func::CallOp call = stack.back().second.pop_back_val();
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (state.lookup(callee) == OnTheWay)
        return report(call, severity,
                      "', which leads back here; recursion cannot be compiled");
      if (state.lookup(callee) == Unseen)
        enter(callee);
    }
  }
  return success();
}

/// Reports calls of functions that have no body: there is nothing to link.
LogicalResult checkCallees(ModuleOp module, DiagnosticSeverity severity) {
  SymbolTable symbols(module);
  WalkResult result = module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      return WalkResult::advance();
    (void)report(call, severity,
                 "', which has no body in this program; external functions "
                 "cannot be called");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace

LogicalResult broadloom::codegen::checkCalls(ModuleOp module,
                                             DiagnosticSeverity severity) {
  // The second enters every callee, so each must have a body.
  return failure(failed(checkCallees(module, severity)) ||
                 failed(checkRecursion(module, severity)));
}
