//===- FunctionContext.cpp - one function while it is lowered -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionContext.h"
#include "dialect/LoomDialect.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

Block *FunctionContext::getFailureBlock() {
  if (failure)
    return failure;
  OpBuilder::InsertionGuard guard(b);
  failure = b.createBlock(&func.getBody(), func.getBody().end(), {runtime.i32},
                          {func.getLoc()});
  SmallVector<Value> values = {failure->getArgument(0)};
  if (frame.returnsResults())
    for (Type type : resultTypes)
      values.push_back(makeNothing(type));
  func::ReturnOp::create(b, func.getLoc(), values);
  return failure;
}

/// A number or shape of arbitrary value.
Value FunctionContext::makeNothing(Type type) {
  Location at = func.getLoc();
  if (!isa<loom::ShapeType>(type))
    return arith::ConstantOp::create(b, at, b.getZeroAttr(type));
  return runtime.fromStruct(b, at, LLVM::ZeroOp::create(b, at, runtime.view),
                            type);
}

Block *FunctionContext::splitBefore(Operation *op) {
  // Moves the part before `op`, which is the shorter one: it contains what was
  // lowered since the last split.
  Block *rest = op->getBlock();
  auto *head = new Block();
  rest->getParent()->getBlocks().insert(rest->getIterator(), head);
  for (BlockArgument argument : rest->getArguments())
    argument.replaceAllUsesWith(
        head->addArgument(argument.getType(), argument.getLoc()));
  rest->eraseArguments(0, rest->getNumArguments());
  rest->replaceAllUsesWith(head);
  head->getOperations().splice(head->end(), rest->getOperations(),
                               rest->begin(), op->getIterator());
  return head;
}

void FunctionContext::check(Value status) {
  Operation *next = &*b.getInsertionPoint();
  Block *head = splitBefore(next);
  b.setInsertionPointToEnd(head);
  Value good = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status,
                                     number(BROADLOOM_OK));
  cf::CondBranchOp::create(b, loc, good, next->getBlock(), ValueRange{},
                           getFailureBlock(), ValueRange{status});
  b.setInsertionPoint(next);
}

Value FunctionContext::asI64(Value value) {
  if (isa<IndexType>(value.getType()))
    return arith::IndexCastOp::create(b, loc, runtime.i64, value);
  if (value.getType().getIntOrFloatBitWidth() < 64)
    return arith::ExtSIOp::create(b, loc, runtime.i64, value);
  return value;
}

void FunctionContext::storeExtents(Value to, MemRefType type,
                                   ValueRange dynamic) {
  auto open = dynamic.begin();
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Value extent = type.isDynamicDim(axis) ? asI64(*open++)
                                           : bigNumber(type.getDimSize(axis));
    runtime.store(b, loc, extent,
                  runtime.offset(b, loc, to, int64_t(sizeof(int64_t)) * axis));
  }
}

void FunctionContext::replace(Operation *op, FrameSlot slot) {
  frame.replace(b, loc, op->getResult(0), slot);
  op->erase();
}
