//===- RowVectorKernel.cpp - folds that stay in registers -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage that folds, as a function on vectors of a strip: the partial results
// of a strip of lanes stay in registers from step to step. That is for short
// stages without calls; with others there would be no registers to stay in.
//
// The lanes are gone through strip by strip, and the steps some at a time:
// where lanes go across rows, the elements of one step are next to each other
// in memory, and those of the next step far away.
//
//===----------------------------------------------------------------------===//

#include "codegen/RowKernel.h"
#include "codegen/RowKernelBase.h"
#include "codegen/StripKernel.h"
#include "codegen/VectorClone.h"
#include "runtime/Abi.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::FoldOp;

/// Lanes whose partial results stay in registers: of stages that do little, a
/// strip; of others a part of it, so that there are registers for what they do.
static constexpr int64_t kManyLanes = BROADLOOM_STRIP_MULTIPLE;
static constexpr int64_t kFewLanes = 16;

/// More operations than the first, or such on elements of 64 bits, and the
/// values of a strip fill the registers; more than the second, and those of
/// some lanes do.
static constexpr size_t kFewOperations = 12;
static constexpr size_t kMaxOperations = 96;

/// Steps for which a strip's partial results stay in registers, if there are
/// several strips.
static constexpr int64_t kSteps = 8;

static size_t countOperations(const RowStage &stage) {
  // A function is some twenty operations by the time it is compiled.
  size_t operations = stage.operations.size() +
                      20 * llvm::count_if(stage.operations, isExpandedInline);
  for (FoldOp fold : stage.folds)
    operations += fold.getCombine().front().getOperations().size() - 1;
  return operations;
}

static int64_t chooseLanes(const RowStage &stage) {
  auto isWide = [](FoldOp fold) {
    return fold.getType().getIntOrFloatBitWidth() == 64;
  };
  bool isSmall = countOperations(stage) <=
                 (llvm::any_of(stage.folds, isWide) ? 2 : kFewOperations);
  return isSmall ? kManyLanes : kFewLanes;
}

bool codegen::canStayInRegisters(const RowStage &stage) {
  auto isPlain = [](Type type) {
    return type.isIntOrFloat() && !type.isInteger(1);
  };
  for (FoldOp fold : stage.folds) {
    Block &body = fold.getCombine().front();
    for (Operation &op : body.without_terminator())
      if (!canCloneAsVectors(&op))
        return false;
  }
  return !stage.folds.empty() && countOperations(stage) <= kMaxOperations &&
         llvm::all_of(stage.operations, canCloneAsVectors) &&
         llvm::all_of(stage.inputs,
                      [&](Value v) { return isPlain(v.getType()); }) &&
         llvm::all_of(stage.outputs,
                      [&](Value v) { return isPlain(v.getType()); });
}

namespace {

class RowVectorKernelBuilder : RowKernelBase {
public:
  RowVectorKernelBuilder(OpBuilder &builder, Location loc,
                         const RowStage &stage)
      : RowKernelBase(builder, loc, stage.outputs.size() + stage.folds.size()),
        stage(stage), numLanes(chooseLanes(stage)) {}

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    size_t moving = stage.inputs.size() + stage.outputs.size();
    bool counts = !stage.positions.empty();
    LLVM::LLVMFuncOp func =
        begin(name, moving + stage.folds.size() + counts, moving);
    Block *entry = &func.getBody().front();
    if (counts) {
      loadPosition(bases.pop_back_val());
      laneOffsets = arith::MulIOp::create(b, loc, laneNumbers(numLanes),
                                          splat(positionPerLane, numLanes));
    }
    Block *some = func.addBlock(), *strip = func.addBlock();
    Block *step = func.addBlock(), *stripDone = func.addBlock();
    Block *someDone = func.addBlock(), *exit = func.addBlock();
    for (Block *block : {some, strip, step})
      block->addArgument(i64, loc);
    for (FoldOp fold : stage.folds)
      step->addArgument(vectorOf(fold.getType()), loc);
    Value lanes = entry->getArgument(2), count = entry->getArgument(3);

    b.setInsertionPointToEnd(entry);
    Value zero = constant(0);
    Value isOne = compare(LLVM::ICmpPredicate::eq, lanes, constant(numLanes));
    Value atOnce =
        LLVM::SelectOp::create(b, loc, isOne, count, constant(kSteps));
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
    SmallVector<Value> begin = {first};
    llvm::append_range(begin, loadPartials());
    LLVM::BrOp::create(b, loc, begin, step);

    b.setInsertionPointToStart(step);
    SmallVector<Value> next = {add(step->getArgument(0), constant(1))};
    llvm::append_range(next, computeStep(step));
    Value more = compare(LLVM::ICmpPredicate::ne, next.front(), end);
    LLVM::CondBrOp::create(b, loc, more, step, next, stripDone, ValueRange{});

    b.setInsertionPointToStart(stripDone);
    storePartials(ArrayRef(next).drop_front());
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
  Value partial(size_t fold) {
    return element(getStorageType(FoldOp(stage.folds[fold]).getType()),
                   bases[stage.inputs.size() + stage.outputs.size() + fold],
                   lane);
  }

  SmallVector<Value> loadPartials() {
    SmallVector<Value> partials;
    for (auto [i, it] : llvm::enumerate(stage.folds)) {
      Type type = FoldOp(it).getType();
      auto load = LLVM::LoadOp::create(b, loc, vectorOf(type), partial(i),
                                       getStorageBytes(type));
      scopes.applyToLoad(load, stage.outputs.size() + i);
      partials.push_back(load);
    }
    return partials;
  }

  void storePartials(ArrayRef<Value> partials) {
    for (auto [i, value] : llvm::enumerate(partials)) {
      unsigned bytes =
          getStorageBytes(cast<VectorType>(value.getType()).getElementType());
      auto store = LLVM::StoreOp::create(b, loc, value, partial(i), bytes);
      scopes.applyToStore(store, stage.outputs.size() + i);
    }
  }

  /// Where value `i` of the inputs and outputs is in this step.
  Value place(size_t i, Type type, Value step) {
    return element(getStorageType(type), bases[i],
                   add(multiply(step, steps[i]), lane));
  }

  /// The values of one step, and the new partial results.
  SmallVector<Value> computeStep(Block *step) {
    IRMapping mapping;
    Value number = step->getArgument(0);
    size_t next = 0;
    for (Value input : stage.inputs) {
      Type type = input.getType();
      Value from = place(next++, type, number);
      auto load = LLVM::LoadOp::create(b, loc, vectorOf(getStorageType(type)),
                                       from, getStorageBytes(type));
      scopes.applyToLoad(load);
      mapping.map(input, fromStorageVector(load, type));
    }
    for (Value position : stage.positions) {
      Value from = add(add(positionBase, multiply(number, positionPerStep)),
                       multiply(lane, positionPerLane));
      mapping.map(position, arith::AddIOp::create(b, loc, splat(from, numLanes),
                                                  laneOffsets));
    }
    for (Operation *op : stage.operations)
      cloneAsVectors(b, op, numLanes, mapping);
    for (auto [i, output] : llvm::enumerate(stage.outputs)) {
      Type type = output.getType();
      Value value = toStorageVector(mapping.lookup(output));
      auto store = LLVM::StoreOp::create(
          b, loc, value, place(next++, type, number), getStorageBytes(type));
      scopes.applyToStore(store, i);
    }
    SmallVector<Value> partials;
    for (auto [i, it] : llvm::enumerate(stage.folds)) {
      FoldOp fold = it;
      partials.push_back(combineVectors(b, fold, step->getArgument(1 + i),
                                        mapping.lookup(fold.getValue())));
    }
    return partials;
  }

  const RowStage &stage;
  int64_t numLanes;
  Value lane, laneOffsets;
};

} // namespace

LLVM::LLVMFuncOp codegen::buildRowVectorKernel(OpBuilder &builder, Location loc,
                                               StringRef name,
                                               const RowStage &stage) {
  return RowVectorKernelBuilder(builder, loc, stage).build(name);
}
