//===- CheckCalls.cpp - calls that can be compiled ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/CheckCalls.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;

LogicalResult broadloom::codegen::checkCalls(ModuleOp module,
                                             DiagnosticSeverity severity) {
  // No other code is linked that could define the function.
  SymbolTable symbols(module);
  WalkResult result = module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      return WalkResult::advance();
    bool isError = severity == DiagnosticSeverity::Error;
    InFlightDiagnostic diagnostic =
        isError ? call.emitError() : call.emitWarning();
    diagnostic << "calls '" << call.getCallee()
               << "', which has no body in this program; a function of another "
                  "library is called on memory, and declares what it reads and "
                  "writes with 'loom.effects'";
    if (!isError)
      diagnostic.attachNote() << "shapes are checked all the same; the program "
                                 "cannot be run";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

llvm::StringSet<> broadloom::codegen::findRecursive(ModuleOp module) {
  llvm::StringSet<> names;
  const CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd();
       ++component) {
    if (!component.hasCycle())
      continue;
    for (CallGraphNode *node : *component)
      if (!node->isExternal())
        if (auto func = dyn_cast<func::FuncOp>(
                node->getCallableRegion()->getParentOp()))
          names.insert(func.getName());
  }
  return names;
}
