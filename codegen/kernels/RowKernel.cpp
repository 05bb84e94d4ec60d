//===- RowKernel.cpp - one stage over rows as a function ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/RowKernel.h"
#include "codegen/kernels/RowKernelBase.h"
#include "codegen/layout/Storage.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

namespace {

/// Builds one kernel: a loop over steps around a loop over lanes.
class RowKernelBuilder : RowKernelBase {
public:
  RowKernelBuilder(OpBuilder &builder, Location loc, const RowStage &stage)
      : RowKernelBase(builder, loc,
                      stage.outputs.size() + stage.reductions.size()),
        stage(stage) {}

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    describeStorage();
    bool counts = !stage.indices.empty();
    LLVM::LLVMFuncOp func =
        begin(abi::ReductionKernel, name, storage.size() + counts, numMoving());
    Block *entry = &func.getBody().front();
    if (counts)
      loadRowIndex(bases.pop_back_val());
    Block *outer = func.addBlock(), *inner = func.addBlock();
    Block *latch = func.addBlock(), *exit = func.addBlock();
    outer->addArgument(i64, loc);
    inner->addArgument(i64, loc);

    b.setInsertionPointToEnd(entry);
    Value zero = constant(0), one = constant(1);
    Value lanes = asWholeStrips(b, loc, entry->getArgument(2));
    LLVM::BrOp::create(b, loc, ValueRange{zero}, outer);

    b.setInsertionPointToStart(outer);
    Value step = outer->getArgument(0);
    advancePointers(step);
    if (counts)
      stepBase = add(indexBase, multiply(step, indexPerStep));
    LLVM::BrOp::create(b, loc, ValueRange{zero}, inner);

    b.setInsertionPointToStart(inner);
    index = inner->getArgument(0);
    computeElement();
    loopBack(index, one, lanes, inner, latch);

    b.setInsertionPointToStart(latch);
    loopBack(step, one, entry->getArgument(3), outer, exit);

    b.setInsertionPointToStart(exit);
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return func;
  }

private:
  size_t numMoving() const {
    return stage.inputs.size() + stage.outputs.size();
  }

  /// With "not equal", the trip count is the limit itself.
  void loopBack(Value counter, Value one, Value limit, Block *again,
                Block *done) {
    Value next = LLVM::AddOp::create(b, loc, counter, one,
                                     LLVM::IntegerOverflowFlags::nuw |
                                         LLVM::IntegerOverflowFlags::nsw);
    Value more =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, next, limit);
    LLVM::CondBrOp::create(b, loc, more, again, ValueRange{next}, done,
                           ValueRange{});
  }

  void describeStorage() {
    for (Value value : stage.inputs)
      storage.push_back(getStorageType(value.getType()));
    for (Value value : stage.outputs)
      storage.push_back(getStorageType(value.getType()));
    for (ReduceOp reduce : stage.reductions)
      storage.push_back(getStorageType(reduce.getType()));
  }

  /// Computes the address of each value in this step. Accumulators do not move.
  void advancePointers(Value step) {
    for (size_t i = 0; i < bases.size(); ++i)
      pointers.push_back(i < numMoving() ? element(storage[i], bases[i],
                                                   multiply(step, steps[i]))
                                         : bases[i]);
  }

  Value elementOf(size_t i) { return element(storage[i], pointers[i], index); }

  LLVM::LoadOp load(size_t i, Type type) {
    return LLVM::LoadOp::create(b, loc, storage[i], elementOf(i),
                                getStorageBytes(type));
  }

  void store(size_t i, size_t output, Value value) {
    Value stored = toStorage(b, loc, value);
    auto op = LLVM::StoreOp::create(b, loc, stored, elementOf(i),
                                    getStorageBytes(value.getType()));
    scopes.applyToStore(op, output);
  }

  void computeElement() {
    IRMapping mapping;
    size_t next = 0;
    for (Value value : stage.inputs) {
      LLVM::LoadOp loaded = load(next++, value.getType());
      scopes.applyToLoad(loaded);
      mapping.map(value, fromStorage(b, loc, loaded, value.getType()));
    }
    for (Value counted : stage.indices)
      mapping.map(counted, add(stepBase, multiply(index, indexPerLane)));
    cloneOperations(b, stage.operations, mapping);
    for (auto [i, value] : llvm::enumerate(stage.outputs))
      store(next++, i, mapping.lookup(value));
    for (size_t i = 0; i < stage.reductions.size(); ++i) {
      ReduceOp reduce = stage.reductions[i];
      size_t output = stage.outputs.size() + i;
      LLVM::LoadOp loaded = load(next, reduce.getType());
      scopes.applyToLoad(loaded, output);
      Value lane = fromStorage(b, loc, loaded, reduce.getType());
      store(next++, output,
            combine(reduce, lane, mapping.lookupOrDefault(reduce.getValue())));
    }
  }

  Value combine(ReduceOp reduce, Value lane, Value value) {
    Block &body = reduce.getCombine().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), lane);
    mapping.map(body.getArgument(1), value);
    for (Operation &op : body.without_terminator())
      b.clone(op, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }

  const RowStage &stage;
  SmallVector<Type> storage;
  SmallVector<Value> pointers;
  Value index, stepBase;
};

} // namespace

LLVM::LLVMFuncOp codegen::buildRowKernel(OpBuilder &builder, Location loc,
                                         StringRef name,
                                         const RowStage &stage) {
  return canStayInRegisters(stage)
             ? buildRowVectorKernel(builder, loc, name, stage)
             : RowKernelBuilder(builder, loc, stage).build(name);
}

LLVM::LLVMFuncOp codegen::buildReduceFinish(OpBuilder &b, Location loc,
                                            StringRef name, ReduceOp reduce) {
  OpBuilder::InsertionGuard guard(b);
  auto type = getAbiSignature(b.getContext(), abi::ReduceFinish);
  auto func =
      LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
  Block *entry = func.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  int64_t lanes = BROADLOOM_REDUCTION_LANES;
  unsigned bytes = getStorageBytes(reduce.getType());
  auto all = VectorType::get({lanes}, reduce.getType());
  Value value = LLVM::LoadOp::create(b, loc, all, entry->getArgument(0), bytes);
  Value result = value;
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<int32_t> low, high;
    for (int64_t i = 0; i < half; ++i) {
      low.push_back(int32_t(i));
      high.push_back(int32_t(i + half));
    }
    Value left = LLVM::ShuffleVectorOp::create(b, loc, result, result, low);
    Value right = LLVM::ShuffleVectorOp::create(b, loc, result, result, high);
    result = combineVectors(b, reduce, left, right);
  }
  SmallVector<int32_t> first(lanes, 0);
  result = LLVM::ShuffleVectorOp::create(b, loc, result, result, first);
  LLVM::StoreOp::create(b, loc, result, entry->getArgument(1), bytes);
  LLVM::ReturnOp::create(b, loc, ValueRange{});
  return func;
}
