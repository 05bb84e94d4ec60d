//===- NarrowResults.cpp - functions return what they have ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/NarrowResults.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;

static Value getUncast(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

/// Makes an operation write the tensor `source`, not a cast of it. Then the
/// memory that the result has is of this type, whether or not it is the
/// source's.
static void writeUncast(OpOperand &destination, OpResult result, Value source) {
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  Type before = result.getType();
  destination.set(source);
  result.setType(source.getType());
  Value cast = tensor::CastOp::create(builder, result.getLoc(), before, result);
  result.replaceAllUsesExcept(cast, cast.getDefiningOp());
}

/// The type of the tensor whose memory `value` has: that of the source of a
/// cast, and that of the destination that an operation writes.
static Type settleMemoryType(Value value) {
  value = getUncast(value);
  while (auto writer = value.getDefiningOp<DestinationStyleOpInterface>()) {
    auto result = cast<OpResult>(value);
    OpOperand &destination = *writer.getTiedOpOperand(result);
    value = getUncast(destination.get());
    if (value != destination.get() && isa<RankedTensorType>(value.getType()) &&
        !isa<LoopLikeOpInterface>(writer.getOperation()))
      writeUncast(destination, result, value);
  }
  return value.getType();
}

/// `value`, without casts, as a tensor of another type; a new cast is put
/// before `before`.
static Value castTo(Type type, Value value, Operation *before) {
  value = getUncast(value);
  if (value.getType() == type)
    return value;
  OpBuilder builder(before);
  return tensor::CastOp::create(builder, before->getLoc(), type, value);
}

/// Returns tensors of the types that their memory has if these are one type in
/// all returns. Returns whether the function's type changed.
static bool narrow(func::FuncOp func) {
  SmallVector<func::ReturnOp> returns;
  func.walk([&](func::ReturnOp op) { returns.push_back(op); });
  if (returns.empty())
    return false;
  auto types = llvm::to_vector(func.getResultTypes());
  for (unsigned i : llvm::seq<unsigned>(0, types.size())) {
    Type type = settleMemoryType(returns.front().getOperand(i));
    if (!llvm::all_of(returns, [&](func::ReturnOp op) {
          return settleMemoryType(op.getOperand(i)) == type &&
                 tensor::CastOp::areCastCompatible(
                     getUncast(op.getOperand(i)).getType(), type);
        }))
      continue;
    for (func::ReturnOp op : returns)
      op.setOperand(i, castTo(type, op.getOperand(i), op));
    types[i] = type;
  }
  if (llvm::equal(types, func.getResultTypes()))
    return false;
  func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                 TypeRange(types)));
  return true;
}

/// Gives a call its callee's types, and its users values of the old types.
static void retype(func::CallOp call, TypeRange types) {
  OpBuilder builder(call.getContext());
  builder.setInsertionPointAfter(call);
  for (auto [result, type] : llvm::zip_equal(call.getResults(), types)) {
    Type before = result.getType();
    if (before == type)
      continue;
    result.setType(type);
    Value cast = tensor::CastOp::create(builder, call.getLoc(), before, result);
    result.replaceAllUsesExcept(cast, cast.getDefiningOp());
  }
}

void codegen::narrowResults(ModuleOp module) {
  llvm::MapVector<func::FuncOp, SmallVector<func::CallOp>> callers;
  SymbolTable symbols(module);
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      callers[callee].push_back(call);
  });
  llvm::SetVector<Operation *> work;
  for (auto &entry : callers)
    work.insert(entry.first);
  while (!work.empty()) {
    auto func = cast<func::FuncOp>(work.pop_back_val());
    if (!narrow(func))
      continue;
    for (func::CallOp call : callers[func]) {
      retype(call, func.getResultTypes());
      // The caller may return the new cast.
      auto caller = call->getParentOfType<func::FuncOp>();
      if (callers.count(caller))
        work.insert(caller);
    }
  }
}
