//===- BufferizeFunctions.cpp - tensors to buffers across functions -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/BufferizeFunctions.h"
#include "dialect/LoomDialect.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace broadloom;

/// The functions of `module`, callees before callers. Functions that call each
/// other are in an order that the text decides.
static llvm::SetVector<func::FuncOp> findOrder(ModuleOp module) {
  llvm::SetVector<func::FuncOp> order;
  const CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd();
       ++component)
    for (CallGraphNode *node : *component)
      if (!node->isExternal())
        if (auto func = dyn_cast<func::FuncOp>(
                node->getCallableRegion()->getParentOp()))
          order.insert(func);
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal())
      order.insert(func);
  return order;
}

/// Gives the results of a bufferized function the layouts that all returns have
/// in common.
static void inferResultLayouts(func::FuncOp func) {
  auto ends = llvm::to_vector(func.getBody().getOps<func::ReturnOp>());
  SmallVector<Type> types(func.getResultTypes());
  for (size_t i = 0; i < types.size(); ++i) {
    auto getSource = [&](func::ReturnOp end) {
      auto cast = end.getOperand(i).getDefiningOp<memref::CastOp>();
      return cast ? cast.getSource() : end.getOperand(i);
    };
    Type common = getSource(ends.front()).getType();
    if (llvm::any_of(ends, [&](func::ReturnOp end) {
          return getSource(end).getType() != common;
        }))
      continue;
    for (func::ReturnOp end : ends)
      end->setOperand(i, getSource(end));
    types[i] = common;
  }
  func.setFunctionType(
      FunctionType::get(func.getContext(), func.getArgumentTypes(), types));
}

/// Gives the results of a call the current types of its callee. The layout of a
/// function's results is inferred when the function is bufferized; with mutual
/// recursion, some call is visited before its callee.
static void updateResults(const SymbolTable &symbols, func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  OpBuilder builder(call->getBlock(), std::next(call->getIterator()));
  for (auto [result, type] :
       llvm::zip_equal(call.getResults(), callee.getResultTypes())) {
    Type old = result.getType();
    if (old == type)
      continue;
    result.setType(type);
    auto ranked = dyn_cast<MemRefType>(old);
    Operation *made;
    if (ranked && ranked.getLayout().isIdentity())
      made = loom::ContiguousOp::create(builder, call.getLoc(), old, result);
    else
      made = memref::CastOp::create(builder, call.getLoc(), old, result);
    result.replaceAllUsesExcept(made->getResult(0), made);
  }
}

LogicalResult broadloom::codegen::bufferizeFunctions(
    ModuleOp module, const OneShotBufferizationOptions &options) {
  BufferizationState state;
  for (func::FuncOp func : findOrder(module)) {
    if (failed(bufferizeOp(func, options, state)))
      return failure();
    inferResultLayouts(func);
  }
  // Such as variables of `ml_program`.
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (!isa<func::FuncOp>(op) && failed(bufferizeOp(&op, options, state)))
      return failure();
  removeBufferizationAttributesInModule(module);
  SymbolTable symbols(module);
  for (auto func : module.getOps<func::FuncOp>())
    func.walk([&](func::CallOp call) { updateResults(symbols, call); });
  return success();
}
