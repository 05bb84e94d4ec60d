//===- RowVectorKernel.cpp - values that stay in registers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits a stage as a function on vectors of a strip: the partial results of a
// strip of lanes, and values with one element per row, stay in registers from
// step to step. This is for short stages without calls, which leave enough
// registers.
//
// The function iterates over strips of lanes, and over several steps at a time:
// if lanes are rows, the elements of one step are contiguous in memory, and
// those of the next step are far away.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/RowKernel.h"
#include "codegen/kernels/RowKernelBase.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/Storage.h"
#include "runtime/abi/Abi.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

/// The lanes whose values stay in registers: a strip for small stages, and a
/// part of it for others, to leave registers for their operations; half as many
/// for elements of 64 bits.
static constexpr int64_t kManyLanes = BROADLOOM_STRIP_MULTIPLE;
static constexpr int64_t kFewLanes = 32;

/// With more operations than the first number (the second for elements of 64
/// bits), a stage needs the registers of a full strip; with more than the
/// third, also those of a part of it.
static constexpr size_t kFewOfStage = 12;
static constexpr size_t kFewWide = 2;
static constexpr size_t kMaxVectorOperations = 96;

/// The values of a strip that stay in registers in addition to temporaries.
static constexpr size_t kFewValues = 4;

/// Steps for which a strip's partial results stay in registers, if there are
/// several strips.
static constexpr int64_t kSteps = 8;

static size_t countOperations(const RowStage &stage) {
  size_t operations = countExpanded(stage.operations);
  for (ReduceOp reduce : stage.reductions)
    operations += reduce.getCombine().front().getOperations().size() - 1;
  return operations;
}

static size_t countPerRow(const RowStage &stage) {
  return llvm::count(stage.inputsPerRow, true);
}

static int64_t chooseLanes(const RowStage &stage) {
  auto isWide = [](Value value) {
    return value.getType().getIntOrFloatBitWidth() == 64;
  };
  bool hasWide = llvm::any_of(stage.inputs, isWide) ||
                 llvm::any_of(stage.reductions, [&](ReduceOp reduce) {
                   return isWide(reduce.getResult());
                 });
  bool isSmall = countOperations(stage) <= (hasWide ? kFewWide : kFewOfStage) &&
                 stage.reductions.size() + countPerRow(stage) <= kFewValues;
  if (isSmall)
    return kManyLanes;
  return hasWide ? kFewLanes / 2 : kFewLanes;
}

bool codegen::canStayInRegisters(const RowStage &stage) {
  auto isPlain = [](Type type) {
    return type.isIntOrFloat() && !type.isInteger(1);
  };
  for (ReduceOp reduce : stage.reductions) {
    Block &body = reduce.getCombine().front();
    for (Operation &op : body.without_terminator())
      if (!canCloneAsVectors(&op))
        return false;
  }
  auto isInput = [&](auto pair) {
    auto [value, isPerRow] = pair;
    return isPlain(value.getType()) ||
           (isPerRow && value.getType().isInteger(1));
  };
  bool keepsValues =
      !stage.perRow && (!stage.reductions.empty() || countPerRow(stage) != 0);
  return keepsValues && countOperations(stage) <= kMaxVectorOperations &&
         llvm::all_of(stage.operations, canCloneAsVectors) &&
         llvm::all_of(llvm::zip_equal(stage.inputs, stage.inputsPerRow),
                      isInput) &&
         llvm::all_of(stage.outputs,
                      [&](Value v) { return isPlain(v.getType()); });
}

namespace {

class RowVectorKernelBuilder : RowKernelBase {
public:
  RowVectorKernelBuilder(OpBuilder &builder, Location loc,
                         const RowStage &stage)
      : RowKernelBase(builder, loc,
                      stage.outputs.size() + stage.reductions.size()),
        stage(stage), numLanes(chooseLanes(stage)) {}

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    size_t moving = stage.inputs.size() + stage.outputs.size();
    bool counts = !stage.indices.empty();
    LLVM::LLVMFuncOp func =
        begin(abi::ReductionKernel, name,
              moving + stage.reductions.size() + counts, moving);
    Block *entry = &func.getBody().front();
    if (counts) {
      loadRowIndex(bases.pop_back_val());
      laneOffsets = arith::MulIOp::create(b, loc, laneNumbers(numLanes),
                                          splat(indexPerLane, numLanes));
    }
    Block *some = func.addBlock(), *strip = func.addBlock();
    Block *step = func.addBlock(), *stepsDone = func.addBlock();
    Block *stripDone = func.addBlock();
    Block *someDone = func.addBlock(), *exit = func.addBlock();
    for (Block *block : {some, strip, step})
      block->addArgument(i64, loc);
    for (ReduceOp reduce : stage.reductions)
      step->addArgument(vectorOf(reduce.getType()), loc);
    Value lanes = entry->getArgument(2), count = entry->getArgument(3);

    b.setInsertionPointToEnd(entry);
    Value zero = constant(0);
    Value isOne = compare(LLVM::ICmpPredicate::eq, lanes, constant(numLanes));
    // A condition is tested once for each strip.
    Value atOnce =
        stage.condition
            ? count
            : LLVM::SelectOp::create(b, loc, isOne, count, constant(kSteps));
    LLVM::BrOp::create(b, loc, ValueRange{zero}, some);

    b.setInsertionPointToStart(some);
    Value first = some->getArgument(0);
    Value left = LLVM::SubOp::create(b, loc, count, first);
    Value isLast = compare(LLVM::ICmpPredicate::sle, left, atOnce);
    Value end =
        LLVM::SelectOp::create(b, loc, isLast, count, add(first, atOnce));
    LLVM::BrOp::create(b, loc, ValueRange{zero}, strip);

    b.setInsertionPointToStart(strip);
    lane = strip->getArgument(0);
    loadPerRow();
    SmallVector<Value> begin = {first};
    llvm::append_range(begin, loadPartials());
    if (stage.condition)
      LLVM::CondBrOp::create(b, loc, isAny(perRow.lookup(stage.condition)),
                             step, begin, stripDone, ValueRange{});
    else
      LLVM::BrOp::create(b, loc, begin, step);

    b.setInsertionPointToStart(step);
    SmallVector<Value> next = {add(step->getArgument(0), constant(1))};
    llvm::append_range(next, computeStep(step));
    Value more = compare(LLVM::ICmpPredicate::ne, next.front(), end);
    LLVM::CondBrOp::create(b, loc, more, step, next, stepsDone, ValueRange{});

    b.setInsertionPointToStart(stepsDone);
    storePartials(ArrayRef(next).drop_front());
    LLVM::BrOp::create(b, loc, ValueRange{}, stripDone);

    b.setInsertionPointToStart(stripDone);
    Value nextLane = add(lane, constant(numLanes));
    LLVM::CondBrOp::create(b, loc,
                           compare(LLVM::ICmpPredicate::ult, nextLane, lanes),
                           strip, ValueRange{nextLane}, someDone, ValueRange{});

    b.setInsertionPointToStart(someDone);
    LLVM::CondBrOp::create(b, loc, compare(LLVM::ICmpPredicate::ne, end, count),
                           some, ValueRange{end}, exit, ValueRange{});

    b.setInsertionPointToStart(exit);
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return func;
  }

private:
  Type vectorOf(Type element) { return VectorType::get({numLanes}, element); }
  Value partial(size_t reduce) {
    return element(getStorageType(ReduceOp(stage.reductions[reduce]).getType()),
                   bases[stage.inputs.size() + stage.outputs.size() + reduce],
                   lane);
  }

  SmallVector<Value> loadPartials() {
    SmallVector<Value> partials;
    for (auto [i, it] : llvm::enumerate(stage.reductions)) {
      Type type = ReduceOp(it).getType();
      auto load = LLVM::LoadOp::create(b, loc, vectorOf(type), partial(i),
                                       getStorageBytes(type));
      scopes.applyToLoad(load, stage.outputs.size() + i);
      partials.push_back(load);
    }
    return partials;
  }

  /// Loads values with one element per row, which are the same in all steps.
  void loadPerRow() {
    for (auto [i, input] : llvm::enumerate(stage.inputs))
      if (stage.inputsPerRow[i])
        perRow[input] = loadInput(input.getType(), i, lane);
  }

  Value loadInput(Type type, size_t i, Value offset) {
    Type storage = getStorageType(type);
    auto load = LLVM::LoadOp::create(b, loc, vectorOf(storage),
                                     element(storage, bases[i], offset),
                                     getStorageBytes(type));
    scopes.applyToLoad(load);
    return fromStorageVector(load, type);
  }

  void storePartials(ArrayRef<Value> partials) {
    for (auto [i, value] : llvm::enumerate(partials)) {
      unsigned bytes =
          getStorageBytes(cast<VectorType>(value.getType()).getElementType());
      auto store = LLVM::StoreOp::create(b, loc, value, partial(i), bytes);
      scopes.applyToStore(store, stage.outputs.size() + i);
    }
  }

  /// The offset of value `i` of the inputs and outputs from its base.
  Value offset(size_t i, Value step) {
    return add(multiply(step, steps[i]), lane);
  }

  /// Computes the values of one step, and returns the new partial results.
  SmallVector<Value> computeStep(Block *step) {
    IRMapping mapping;
    Value number = step->getArgument(0);
    for (auto [i, input] : llvm::enumerate(stage.inputs))
      mapping.map(input, stage.inputsPerRow[i] ? perRow.lookup(input)
                                               : loadInput(input.getType(), i,
                                                           offset(i, number)));
    for (Value counted : stage.indices) {
      Value from = add(add(indexBase, multiply(number, indexPerStep)),
                       multiply(lane, indexPerLane));
      mapping.map(counted, arith::AddIOp::create(b, loc, splat(from, numLanes),
                                                 laneOffsets));
    }
    for (Operation *op : stage.operations)
      cloneAsVectors(b, op, numLanes, mapping);
    for (auto [i, output] : llvm::enumerate(stage.outputs)) {
      Type type = output.getType();
      size_t own = stage.inputs.size() + i;
      Value value = toStorage(b, loc, mapping.lookup(output));
      Value to = element(getStorageType(type), bases[own], offset(own, number));
      auto store =
          LLVM::StoreOp::create(b, loc, value, to, getStorageBytes(type));
      scopes.applyToStore(store, i);
    }
    SmallVector<Value> partials;
    for (auto [i, it] : llvm::enumerate(stage.reductions)) {
      ReduceOp reduce = it;
      partials.push_back(combineVectors(b, reduce, step->getArgument(1 + i),
                                        mapping.lookup(reduce.getValue())));
    }
    return partials;
  }

  const RowStage &stage;
  int64_t numLanes;
  Value lane, laneOffsets;
  DenseMap<Value, Value> perRow;
};

} // namespace

LLVM::LLVMFuncOp codegen::buildRowVectorKernel(OpBuilder &builder, Location loc,
                                               StringRef name,
                                               const RowStage &stage) {
  return RowVectorKernelBuilder(builder, loc, stage).build(name);
}
