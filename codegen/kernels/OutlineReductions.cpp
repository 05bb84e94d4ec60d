//===- OutlineReductions.cpp - launches over rows to programs -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/OutlineReductions.h"
#include "codegen/kernels/KernelKey.h"
#include "codegen/kernels/KernelParts.h"
#include "codegen/kernels/RowKernel.h"
#include "codegen/kernels/ShortRowKernel.h"
#include "codegen/layout/Storage.h"
#include "scalar/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

FlatSymbolRefAttr RowOutliner::getKernel(Location loc, const RowStage &stage) {
  KeyWriter writer;
  for (auto [input, isPerRow] :
       llvm::zip_equal(stage.inputs, stage.inputsPerRow)) {
    writer.define(input);
    writer.key.push_back(isPerRow);
  }
  for (Operation *op : stage.operations)
    writer.write(op);
  writer.add(nullptr);
  for (Value output : stage.outputs)
    writer.use(output);
  writer.add(nullptr);
  for (loom::ReduceOp reduce : stage.reductions)
    writer.write(reduce);
  FlatSymbolRefAttr &kernel = kernels[writer.key];
  if (!kernel)
    kernel = FlatSymbolRefAttr::get(
        buildRowKernel(builder, loc,
                       (kKernelPrefix + "reduction_").str() +
                           std::to_string(kernels.size() - 1),
                       stage)
            .getSymNameAttr());
  return kernel;
}

FlatSymbolRefAttr RowOutliner::getFinish(Location loc, loom::ReduceOp reduce) {
  KeyWriter writer;
  writer.write(reduce.getCombine().front());
  FlatSymbolRefAttr &finish = finishes[writer.key];
  if (!finish)
    finish = FlatSymbolRefAttr::get(
        buildReduceFinish(builder, loc,
                          (kKernelPrefix + "reduce_").str() +
                              std::to_string(finishes.size() - 1),
                          reduce)
            .getSymNameAttr());
  return finish;
}

/// A global with one element.
FlatSymbolRefAttr RowOutliner::getNeutral(Location loc, TypedAttr neutral) {
  FlatSymbolRefAttr &symbol = neutrals[neutral];
  if (!symbol) {
    auto global = LLVM::GlobalOp::create(
        builder, loc, neutral.getType(), /*isConstant=*/true,
        LLVM::Linkage::Internal,
        "loom_neutral_" + std::to_string(neutrals.size() - 1), neutral);
    symbol = FlatSymbolRefAttr::get(global.getSymNameAttr());
  }
  return symbol;
}

/// The operands whose types have extent 1 along the reduced axes.
static SmallVector<bool> findPerRow(loom::LaunchOp launch) {
  int64_t rank = cast<MemRefType>(launch.getResult(0).getType()).getRank();
  SmallVector<bool> perRow;
  for (Value input : launch.getInputs()) {
    auto type = dyn_cast<ShapedType>(input.getType());
    perRow.push_back(
        !type ||
        (type.hasRank() && llvm::all_of(*launch.getAxes(), [&](int64_t axis) {
           int64_t own = axis - (rank - type.getRank());
           return own < 0 || type.getDimSize(own) == 1;
         })));
  }
  return perRow;
}

FlatSymbolRefAttr
RowOutliner::getShortKernel(loom::LaunchOp launch,
                            const RowPartition &partition,
                            const DenseMap<Value, int32_t> &numbers) {
  Block &body = launch.getBody().front();
  if (!canBeShortRows(partition))
    return {};
  KeyWriter writer;
  writer.write(body);
  for (BlockArgument argument : body.getArguments())
    writer.key.push_back(partition.perRow.contains(argument));
  FlatSymbolRefAttr &kernel = shortKernels[writer.key];
  if (!kernel)
    kernel = FlatSymbolRefAttr::get(
        buildShortRowKernel(builder, launch.getLoc(),
                            (kKernelPrefix + "short_rows_").str() +
                                std::to_string(shortKernels.size() - 1),
                            partition, body, numbers, unit)
            .getSymNameAttr());
  return kernel;
}

/// Whether `reduce` computes the larger of two numbers by a comparison, as
/// relaxMaximum writes it.
static bool isRelaxedMaximum(ReduceOp reduce) {
  Block &combine = reduce.getCombine().front();
  auto compare = dyn_cast<arith::CmpFOp>(combine.front());
  auto select =
      compare ? dyn_cast<arith::SelectOp>(compare->getNextNode()) : nullptr;
  return select && compare.getPredicate() == arith::CmpFPredicate::OGT &&
         select.getCondition() == compare &&
         select.getTrueValue() == compare.getLhs() &&
         select.getFalseValue() == compare.getRhs() &&
         compare.getLhs() == combine.getArgument(1) &&
         compare.getRhs() == combine.getArgument(0) &&
         combine.getTerminator()->getOperand(0) == select;
}

/// Whether `reduce` computes the largest or the smallest element, where NaN
/// propagates or is ignored.
static bool isExtremum(ReduceOp reduce) {
  if (isRelaxedMaximum(reduce))
    return true;
  Block &combine = reduce.getCombine().front();
  int64_t count = 0;
  for (Operation &op : combine.without_terminator()) {
    auto compare = dyn_cast<arith::CmpFOp>(op);
    bool isOfNaN =
        isa<arith::SelectOp>(op) ||
        (compare && compare.getPredicate() == arith::CmpFPredicate::UNO);
    if (isOfNaN)
      continue;
    if (!isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp>(op) ||
        op.getOperands() != ValueRange(combine.getArguments()))
      return false;
    ++count;
  }
  return count == 1;
}

/// Whether the result depends on the order of the elements: integers wrap, and
/// the largest float is the same in any order, but floats are rounded.
static bool hasOrder(ReduceOp reduce) {
  return isa<FloatType>(reduce.getType()) && !isExtremum(reduce);
}

/// A kernel that reduces and computes nothing.
FlatSymbolRefAttr RowOutliner::getFold(Location loc, ReduceOp reduce) {
  KeyWriter writer;
  writer.write(reduce.getCombine().front());
  FlatSymbolRefAttr &fold = folds[writer.key];
  if (fold)
    return fold;
  RowStage stage;
  stage.inputs.push_back(reduce.getValue());
  stage.inputsPerRow.push_back(false);
  stage.reductions.push_back(reduce);
  auto kernel = buildRowKernel(builder, loc,
                               (kKernelPrefix + "fold_").str() +
                                   std::to_string(folds.size() - 1),
                               stage);
  return fold = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
}

ReductionStageRecord
RowOutliner::makeStage(Location loc, const RowStage &stage,
                       const RowPartition &partition,
                       const DenseMap<Value, int32_t> &numbers) {
  SmallVector<int32_t> inputs;
  for (Value input : stage.inputs)
    inputs.push_back(numbers.lookup(input));
  SmallVector<ReduceRecord> reduces;
  for (loom::ReduceOp reduce : stage.reductions)
    reduces.push_back(
        ReduceRecord()
            .finish(getFinish(loc, reduce))
            .neutral(getNeutral(loc, reduce.getNeutral()))
            .domain(partition.dependences.lookup(reduce.getValue()).direct)
            .fold(hasOrder(reduce) ? getFold(loc, reduce)
                                   : FlatSymbolRefAttr()));
  return ReductionStageRecord()
      .kernel(getKernel(loc, stage))
      .inputs(data.numbers(loc, inputs))
      .reductions(reduces.empty() ? FlatSymbolRefAttr()
                                  : data.table(loc, reduces))
      .numInputs(stage.inputs.size())
      .numOutputs(stage.outputs.size())
      .numReductions(stage.reductions.size())
      .perRow(stage.perRow)
      .operations(stage.operations.size() + stage.reductions.size());
}

/// Adds copies for operands and constants that are results, because kernels
/// store only values of operations.
static void copyPassedOn(Block &body) {
  OpBuilder builder(body.getTerminator());
  for (OpOperand &yielded : body.getTerminator()->getOpOperands())
    if (isPassedOn(yielded.get()) ||
        yielded.get().getDefiningOp<loom::IndexOp>())
      yielded.set(buildCopy(builder, yielded.get())->getResult(0));
}

FlatSymbolRefAttr RowOutliner::outline(loom::LaunchOp launch) {
  copyPassedOn(launch.getBody().front());
  SmallVector<bool> perRow = findPerRow(launch);
  uint64_t likely = findLikelyPerRow(launch.getBody().front(), perRow);
  FlatSymbolRefAttr narrow;
  if (likely) {
    SmallVector<bool> all = perRow;
    for (size_t i = 0; i < all.size(); ++i)
      all[i] |= likely >> i & 1;
    narrow = outline(launch, all, 0, {});
  }
  return outline(launch, perRow, likely, narrow);
}

/// Whether `reduce` combines two numbers by one of the operations `Ops` alone.
template <typename... Ops> static bool combinesBy(ReduceOp reduce) {
  Block &combine = reduce.getCombine().front();
  Operation &first = combine.front();
  return isa<Ops...>(first) &&
         first.getOperands() == ValueRange(combine.getArguments()) &&
         combine.getTerminator()->getOperands() == first.getResults();
}

/// Marks the exponential of x - m, where m is the maximum of the row, since its
/// operand is at most 0 or NaN.
static void markDifferencesFromMaximum(Block &body) {
  for (auto exp : body.getOps<math::ExpOp>()) {
    auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
    auto reduce =
        difference ? difference.getRhs().getDefiningOp<ReduceOp>() : ReduceOp();
    if (reduce && reduce.getValue() == difference.getLhs() &&
        combinesBy<arith::MaximumFOp, arith::MaxNumFOp>(reduce))
      exp->setAttr(scalar::kAtMostZero, UnitAttr::get(exp.getContext()));
  }
}

/// Whether the only uses of `maximum`, of the elements x, are exponentials of
/// x - maximum, and each result of `body` is NaN in a row where one of these is
/// NaN: it is computed of their sum.
static bool isForSoftmax(ReduceOp maximum, Block &body) {
  DenseSet<Value> powers, nan;
  for (Operation *user : maximum.getResult().getUsers()) {
    auto difference = dyn_cast<arith::SubFOp>(user);
    if (!difference || difference.getLhs() != maximum.getValue() ||
        difference.getRhs() != maximum.getResult())
      return false;
    for (Operation *power : difference->getUsers()) {
      if (!isa<math::ExpOp>(power))
        return false;
      powers.insert(power->getResult(0));
    }
  }
  for (Operation &op : body.without_terminator()) {
    auto reduce = dyn_cast<ReduceOp>(op);
    bool isNaN =
        reduce ? powers.contains(reduce.getValue()) &&
                     combinesBy<arith::AddFOp>(reduce)
               : isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                     arith::NegFOp, arith::TruncFOp, arith::ExtFOp>(op) &&
                     llvm::any_of(op.getOperands(), [&](Value operand) {
                       return nan.contains(operand);
                     });
    if (isNaN)
      nan.insert(op.getResult(0));
  }
  return llvm::all_of(body.getTerminator()->getOperands(),
                      [&](Value value) { return nan.contains(value); });
}

/// Makes the maximum of a softmax one instruction, which neither orders zeros
/// nor keeps NaN: exp is 1 for the difference of two zeros of any signs, and a
/// row with a NaN is NaN by its sum.
static void relaxMaximum(ReduceOp reduce) {
  Block &combine = reduce.getCombine().front();
  Operation &maximum = combine.front();
  OpBuilder builder(&maximum);
  Value before = combine.getArgument(0), next = combine.getArgument(1);
  Value isLarger = arith::CmpFOp::create(
      builder, maximum.getLoc(), arith::CmpFPredicate::OGT, next, before);
  Value larger = arith::SelectOp::create(builder, maximum.getLoc(), isLarger,
                                         next, before);
  maximum.getResult(0).replaceAllUsesWith(larger);
  maximum.erase();
}

FlatSymbolRefAttr RowOutliner::outline(loom::LaunchOp launch,
                                       ArrayRef<bool> perRow, uint64_t likely,
                                       FlatSymbolRefAttr narrow) {
  Location loc = launch.getLoc();
  Block &body = launch.getBody().front();
  markDifferencesFromMaximum(body);
  // A maximum that ignores NaN begins with NaN, which no comparison would
  // leave.
  for (auto reduce : body.getOps<ReduceOp>())
    if (combinesBy<arith::MaximumFOp>(reduce) && isForSoftmax(reduce, body))
      relaxMaximum(reduce);
  RowPartition partition = partitionRows(body, perRow);
  DenseMap<Value, int32_t> numbers;
  SmallVector<ReductionValueRecord> values;
  auto addValue = [&](Value value) {
    numbers[value] = values.size();
    loom::RowDependence dependence = partition.dependences.lookup(value);
    values.push_back(ReductionValueRecord()
                         .bytes(getStorageBytes(value.getType()))
                         .perRow(partition.perRow.contains(value))
                         .operands(dependence.operands)
                         .direct(dependence.direct));
  };
  for (Value argument : body.getArguments())
    addValue(argument);
  SmallVector<ReductionStageRecord> stages;
  for (const RowStage &stage : partition.stages) {
    stages.push_back(makeStage(loc, stage, partition, numbers));
    for (Value output : stage.outputs)
      addValue(output);
    for (loom::ReduceOp reduce : stage.reductions)
      addValue(reduce.getResult());
  }
  SmallVector<int32_t> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(numbers.lookup(value));
  uint64_t reduced = 0;
  ArrayRef<int64_t> axes = *launch.getAxes();
  for (int64_t axis : axes)
    reduced |= uint64_t(1) << axis;
  int64_t rank = cast<MemRefType>(launch.getResult(0).getType()).getRank();

  std::string name = "loom_row_program_" + std::to_string(numPrograms++);
  FlatSymbolRefAttr rows = data.record(
      loc, ReductionRecord()
               .rank(rank)
               .reduced(reduced)
               .values(data.table(loc, values))
               .stages(data.table(loc, stages))
               .shortRows(getShortKernel(launch, partition, numbers))
               .narrowOperands(likely)
               .narrow(narrow));
  return data.record(loc,
                     ProgramRecord()
                         .numOperands(body.getNumArguments())
                         .numStages(stages.size())
                         .numResults(results.size())
                         .numValues(values.size())
                         .valueBytes({})
                         .stages({})
                         .results(data.numbers(loc, results))
                         .rows(rows)
                         .contraction({}),
                     name);
}
