//===- RowKernelBase.cpp - what builders of kernels over rows share -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/RowKernelBase.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

RowKernelBase::RowKernelBase(OpBuilder &builder, Location loc,
                             size_t numWritten)
    : b(builder), loc(loc), scopes(builder.getContext(), numWritten),
      ptr(LLVM::LLVMPointerType::get(builder.getContext())),
      i64(builder.getI64Type()) {}

LLVM::LLVMFuncOp RowKernelBase::begin(const abi::Call &kind, StringRef name,
                                      size_t numPointers, size_t numSteps) {
  auto type = getAbiSignature(b.getContext(), kind);
  auto func =
      LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
  Block *entry = func.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  bases = loadPointers(b, loc, entry->getArgument(0), numPointers);
  for (size_t i = 0; i < numSteps; ++i)
    steps.push_back(loadNumber(entry->getArgument(1), i));
  return func;
}

SmallVector<Value> RowKernelBase::loop(Value from, Value to, Value step,
                                       ValueRange init, LoopBody compute) {
  Region *region = b.getInsertionBlock()->getParent();
  Block *again = new Block(), *exit = new Block();
  region->push_back(again);
  again->addArgument(i64, loc);
  for (Value value : init) {
    again->addArgument(value.getType(), loc);
    exit->addArgument(value.getType(), loc);
  }
  SmallVector<Value> enter = {from};
  llvm::append_range(enter, init);
  LLVM::CondBrOp::create(b, loc, compare(LLVM::ICmpPredicate::slt, from, to),
                         again, enter, exit, init);
  b.setInsertionPointToStart(again);
  SmallVector<Value> made =
      compute(again->getArgument(0), again->getArguments().drop_front());
  SmallVector<Value> next = {add(again->getArgument(0), step)};
  llvm::append_range(next, made);
  LLVM::CondBrOp::create(b, loc,
                         compare(LLVM::ICmpPredicate::slt, next.front(), to),
                         again, next, exit, made);
  // Places the exit after the blocks of the loop's body.
  region->push_back(exit);
  b.setInsertionPointToStart(exit);
  return SmallVector<Value>(exit->getArguments());
}

Value RowKernelBase::loadNumber(Value array, size_t i) {
  Value address = LLVM::GEPOp::create(b, loc, ptr, i64, array,
                                      ArrayRef<LLVM::GEPArg>{int32_t(i)});
  return LLVM::LoadOp::create(b, loc, i64, address);
}

void RowKernelBase::loadRowIndex(Value address) {
  Type index = getAbiStruct<abi::ReductionIndex>(b.getContext());
  auto load = [&](abi::ReductionIndex::Field field) -> Value {
    Value at = LLVM::GEPOp::create(b, loc, ptr, index, address,
                                   ArrayRef<LLVM::GEPArg>{0, field});
    return LLVM::LoadOp::create(b, loc, i64, at);
  };
  indexBase = load(abi::ReductionIndex::base);
  indexPerLane = load(abi::ReductionIndex::perLane);
  indexPerStep = load(abi::ReductionIndex::perStep);
}

Value RowKernelBase::isAny(Value conditions) {
  int64_t lanes = cast<VectorType>(conditions.getType()).getNumElements();
  Type bits = b.getIntegerType(unsigned(lanes));
  Value all = LLVM::BitcastOp::create(b, loc, bits, conditions);
  Value none = LLVM::ConstantOp::create(b, loc, bits, 0);
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, all, none);
}

Value RowKernelBase::splat(Value value, int64_t lanes) {
  auto type = VectorType::get({lanes}, value.getType());
  Value empty = LLVM::PoisonOp::create(b, loc, type);
  Value one = LLVM::InsertElementOp::create(b, loc, empty, value, constant(0));
  return LLVM::ShuffleVectorOp::create(b, loc, one, empty,
                                       SmallVector<int32_t>(lanes, 0));
}

Value RowKernelBase::laneNumbers(int64_t lanes, unsigned bits) {
  auto type = VectorType::get({lanes}, b.getIntegerType(bits));
  SmallVector<APInt> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.emplace_back(bits, lane);
  return LLVM::ConstantOp::create(b, loc, type,
                                  DenseIntElementsAttr::get(type, numbers));
}

Value RowKernelBase::constant(int64_t value) {
  return LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(value));
}

Value RowKernelBase::add(Value x, Value y) {
  return LLVM::AddOp::create(b, loc, x, y, LLVM::IntegerOverflowFlags::nsw);
}

Value RowKernelBase::multiply(Value x, Value y) {
  return LLVM::MulOp::create(b, loc, x, y, LLVM::IntegerOverflowFlags::nsw);
}

Value RowKernelBase::compare(LLVM::ICmpPredicate predicate, Value x, Value y) {
  return LLVM::ICmpOp::create(b, loc, predicate, x, y);
}

Value RowKernelBase::element(Type storage, Value base, Value index) {
  return LLVM::GEPOp::create(b, loc, ptr, storage, base,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value RowKernelBase::fromStorageVector(Value stored, Type type) {
  return fromStorage(b, loc, stored,
                     cast<VectorType>(stored.getType()).clone(type));
}

Value codegen::combineVectors(OpBuilder &b, loom::ReduceOp reduce, Value left,
                              Value right) {
  Block &body = reduce.getCombine().front();
  int64_t lanes = cast<VectorType>(left.getType()).getNumElements();
  IRMapping mapping;
  mapping.map(body.getArgument(0), left);
  mapping.map(body.getArgument(1), right);
  for (Operation &op : body.without_terminator())
    cloneAsVectors(b, &op, lanes, mapping);
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

/// Combines two vectors of groups of `size` partial results to one vector of
/// groups of half that size.
static Value combineHalves(OpBuilder &b, Location loc, loom::ReduceOp reduce,
                           Value x, Value y, int64_t size) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  assert(size > 1 && lanes % size == 0);
  SmallVector<int32_t> low, high;
  for (int64_t group = 0; group < 2 * lanes; group += size)
    for (int64_t i = 0; i < size / 2; ++i) {
      low.push_back(int32_t(group + i));
      high.push_back(int32_t(group + size / 2 + i));
    }
  return combineVectors(b, reduce,
                        LLVM::ShuffleVectorOp::create(b, loc, x, y, low),
                        LLVM::ShuffleVectorOp::create(b, loc, x, y, high));
}

Value codegen::combineFour(OpBuilder &b, Location loc, loom::ReduceOp reduce,
                           ArrayRef<Value> vectors, int64_t size) {
  Value x = combineHalves(b, loc, reduce, vectors[0], vectors[1], size);
  Value y = combineHalves(b, loc, reduce, vectors[2], vectors[3], size);
  return combineHalves(b, loc, reduce, x, y, size / 2);
}
