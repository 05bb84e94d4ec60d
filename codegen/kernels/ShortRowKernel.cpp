//===- ShortRowKernel.cpp - all stages of short rows as a function --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ShortRowKernel.h"
#include "codegen/kernels/ShortRowBuffers.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

/// The vectors per row from which rows are computed side by side.
static constexpr int64_t kLongEnough = 8;

/// The elements of a row from which nothing is prefetched: the hardware
/// prefetchers keep up with such rows, and prefetches delay stores to results
/// (kLeastKept in runtime/reductions/ReductionShort.cpp).
static constexpr int64_t kLongToPrefetch = 256;

/// How many long rows are computed side by side: of one row alone, each
/// operation of a reduction waits for the one before it. Operations on more
/// rows need more registers. Where these are 16, two rows of many operations
/// would keep values in memory, which takes longer than the waiting: the
/// processor computes the operations of the next vector meanwhile. A bare
/// reduction of few bytes needs so few that four rows have them.
static int64_t countSideBySide(const RowStage &stage, const VectorUnit &unit) {
  constexpr size_t kSomeOperations = 40, kSomeOf16Registers = 8;
  size_t most = unit.registers == 16 ? kSomeOf16Registers : kSomeOperations;
  if (stage.reductions.empty() || countExpanded(stage.operations) > most)
    return 1;
  ReduceOp first = stage.reductions.front();
  bool isBare = stage.operations.empty() && stage.outputs.empty() &&
                stage.reductions.size() == 1 &&
                getStorageBytes(first.getType()) <= 4;
  return isBare && (unit.masks || unit.bits == 256) ? 4 : 2;
}

namespace {

class ShortRowKernelBuilder : ShortRowBuffers {
public:
  ShortRowKernelBuilder(OpBuilder &builder, Location loc,
                        const RowPartition &partition, Block &body,
                        const DenseMap<Value, int32_t> &numbers,
                        const VectorUnit &unit)
      : ShortRowBuffers(builder, loc, partition, numbers), body(body),
        unit(unit), hasMasks(unit.masks) {
    for (Value value : body.getTerminator()->getOperands())
      results.insert(value);
    size_t sweeps = 0;
    for (const RowStage &stage : partition.stages)
      if (!stage.perRow && ++sweeps == 2)
        prefetching = &stage;
  }

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    LLVM::LLVMFuncOp func = beginFunction(name);
    Block *entry = &func.getBody().front();
    length = entry->getArgument(2);
    Value rows = entry->getArgument(3);
    lane = laneNumbers(kLanes);
    findTails();
    allocateBuffers();
    loop(zero, rows, constant(kRows), {}, [&](Value at, ValueRange) {
      first = at;
      Value left = LLVM::SubOp::create(b, loc, rows, at);
      Value isLast = compare(LLVM::ICmpPredicate::slt, left, constant(kRows));
      count = LLVM::SelectOp::create(b, loc, isLast, left, constant(kRows));
      computeRows();
      return SmallVector<Value>();
    });
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return func;
  }

private:
  bool isInMemory(Value value) const {
    return isa<BlockArgument>(value) || results.contains(value);
  }

  /// The mask of the first `count` of kLanes lanes. It is compared in 32 bits,
  /// the width of most elements: without masks of the target it has the width
  /// of what was compared, and would be narrowed for each row.
  Value firstLanes(Value count) {
    Value narrow = LLVM::TruncOp::create(b, loc, b.getI32Type(), count);
    return compare(LLVM::ICmpPredicate::slt, laneNumbers(kLanes, 32),
                   splat(narrow, kLanes));
  }

  /// Finds where the last vectors of rows begin. With masks, a full one costs
  /// as much as another, and needs no branch; without, masked instructions are
  /// branches for each lane.
  void findTails() {
    auto roundDown = [&](Value value) {
      return LLVM::AndOp::create(b, loc, value, constant(-kLanes));
    };
    auto tailFrom = [&](Value from) {
      Value count = LLVM::SubOp::create(b, loc, length, from);
      return Tail{from, count, firstLanes(count)};
    };
    Value whole = roundDown(length);
    Value full =
        hasMasks ? roundDown(LLVM::SubOp::create(b, loc, length, constant(1)))
                 : whole;
    isLong = compare(LLVM::ICmpPredicate::sge, length,
                     constant(kLongEnough * kLanes));
    Value isPrefetched =
        compare(LLVM::ICmpPredicate::slt, length, constant(kLongToPrefetch));
    rowsAhead =
        LLVM::SelectOp::create(b, loc, isPrefetched, constant(kRows), zero);
    isDone = LLVM::AndOp::create(
        b, loc, isLong, compare(LLVM::ICmpPredicate::eq, whole, length));
    ofRows = tailFrom(full);
    ofSeveral = tailFrom(LLVM::SelectOp::create(b, loc, isLong, whole, full));
  }

  //===--------------------------------------------------------------------===//
  // Some rows
  //===--------------------------------------------------------------------===//

  void computeRows() {
    for (BlockArgument argument : body.getArguments())
      if (perRow.contains(argument))
        copyPerRow(argument, first, count, /*toMemory=*/false);
    for (const RowStage &stage : partition.stages)
      stage.perRow      ? computePerRow(stage)
      : stage.condition ? sweepIfAny(stage)
                        : sweep(stage);
    for (Value result : results)
      if (isPerRow(result))
        copyPerRow(result, first, count, /*toMemory=*/true);
  }

  /// Computes the values with one element per row, for all rows of the group at
  /// once.
  void computePerRow(const RowStage &stage) {
    IRMapping mapping;
    for (Value input : stage.inputs)
      mapping.map(input, loadVector(input.getType(), perRow[input]));
    for (Operation *op : stage.operations)
      cloneAsVectors(b, op, kLanes, mapping);
    for (Value output : stage.outputs)
      storeVector(mapping.lookup(output), perRow[output]);
  }

  /// The same as sweep, for a stage with a condition: nothing is computed where
  /// it holds for no row of the group.
  void sweepIfAny(const RowStage &stage) {
    for (ReduceOp reduce : stage.reductions)
      storeVector(splat(reduce.getNeutral()), perRow[reduce.getResult()]);
    Value holds =
        loadVector(stage.condition.getType(), perRow[stage.condition]);
    Value any = isAny(LLVM::AndOp::create(b, loc, holds, firstLanes(count)));
    Value once = LLVM::ZExtOp::create(b, loc, i64, any);
    loop(zero, once, constant(1), {}, [&](Value, ValueRange) {
      sweep(stage);
      return SmallVector<Value>();
    });
  }

  /// Computes the values of each element: long rows several at a time, so that
  /// the reductions of different rows overlap, and shorter ones row by row.
  void sweep(const RowStage &stage) {
    // A single sweep reads memory all the time, which delivers rows faster one
    // after the other than several at a time.
    if (int64_t width = countSideBySide(stage, unit);
        prefetching && width > 1) {
      tail = ofSeveral;
      Value longRows = LLVM::SelectOp::create(b, loc, isLong, count, zero);
      sweepSideBySide(stage, longRows, width);
      Value rows = LLVM::SelectOp::create(b, loc, isDone, zero, count);
      sweepRows(stage, rows, isLong);
    } else {
      tail = ofRows;
      sweepRows(stage, count, /*continues=*/nullptr);
    }
    for (ReduceOp reduce : stage.reductions)
      finish(reduce);
  }

  /// Computes the vectors before the tail of each of `rows` rows, `width` rows
  /// at a time. Where rows are missing at the end, the last row takes their
  /// place.
  void sweepSideBySide(const RowStage &stage, Value rows, int64_t width) {
    Value last = LLVM::SubOp::create(b, loc, rows, constant(1));
    forRows(stage, rows, width, [&](Value row, ValueRange starts) {
      addresses.clear();
      openRow(stage, row, starts);
      Value left = LLVM::SubOp::create(b, loc, last, row);
      for (int64_t i = 1; i < width; ++i) {
        Value isThere = compare(LLVM::ICmpPredicate::sge, left, constant(i));
        Value by = LLVM::SelectOp::create(b, loc, isThere, constant(i), left);
        openRow(stage, add(row, by), advance(stage, starts, by));
      }
      SmallVector<Value> reduced;
      for (int64_t i = 0; i < width; ++i)
        for (ReduceOp reduce : stage.reductions)
          reduced.push_back(splat(reduce.getNeutral()));
      reduced =
          loop(zero, tail.first, wide, reduced, [&](Value at, ValueRange now) {
            return computeVectors(stage, at, now, /*mask=*/nullptr);
          });
      ArrayRef<Value> all = reduced;
      size_t each = stage.reductions.size();
      for (int64_t i = 0; i < width; ++i)
        storePartials(stage, add(row, constant(i)), all.slice(i * each, each));
    });
  }

  /// Computes `rows` rows one by one, or only their tails if `continues` is not
  /// null and holds. Only this function emits masked instructions, because
  /// these take longest to compile.
  void sweepRows(const RowStage &stage, Value rows, Value continues) {
    auto ifContinued = [&](Value value, Value otherwise) -> Value {
      return continues
                 ? LLVM::SelectOp::create(b, loc, continues, value, otherwise)
                 : otherwise;
    };
    Value from = ifContinued(tail.first, zero);
    forRows(stage, rows, 1, [&](Value row, ValueRange starts) {
      addresses.clear();
      openRow(stage, row, starts);
      // The address is selected: a selected vector would need a branch.
      Value before = ifContinued(row, constant(kNeutral));
      SmallVector<Value> reduced;
      for (ReduceOp reduce : stage.reductions)
        reduced.push_back(
            loadVector(reduce.getType(), partialsOf(reduce, before)));
      reduced =
          loop(from, tail.first, wide, reduced, [&](Value at, ValueRange now) {
            return computeVectors(stage, at, now, /*mask=*/nullptr);
          });
      reduced = computeTail(stage, reduced);
      storePartials(stage, row, reduced);
    });
  }

  /// Computes the last vector of a row, if there is one.
  SmallVector<Value> computeTail(const RowStage &stage, ValueRange reduced) {
    if (hasMasks)
      return computeVectors(stage, tail.first, reduced, tail.mask);
    return loop(tail.first, length, wide, reduced,
                [&](Value at, ValueRange now) {
                  return computeVectors(stage, at, now, tail.mask);
                });
  }

  void storePartials(const RowStage &stage, Value row, ArrayRef<Value> values) {
    for (auto [reduce, value] : llvm::zip_equal(stage.reductions, values))
      storeVector(value, partialsOf(reduce, row));
  }

  /// A loop over the first `rows` rows of the group, `step` at a time.
  /// `compute` gets the row and the addresses of the stage's values in it. The
  /// loop carries these, because LLVM reduces multiplications to additions only
  /// in innermost loops.
  void forRows(const RowStage &stage, Value rows, int64_t step,
               llvm::function_ref<void(Value row, ValueRange at)> compute) {
    SmallVector<Value> starts;
    for (Value value : valuesOf(stage)) {
      int32_t id = numbers.lookup(value);
      Value number = isInMemory(value) ? first : zero;
      starts.push_back(element(getStorageType(value.getType()), bases[id],
                               multiply(number, steps[id])));
    }
    loop(zero, rows, constant(step), starts, [&](Value row, ValueRange at) {
      compute(row, at);
      return advance(stage, at, constant(step));
    });
  }

  /// The addresses `rows` rows after `at`.
  SmallVector<Value> advance(const RowStage &stage, ValueRange at, Value rows) {
    SmallVector<Value> next;
    for (auto [value, address] : llvm::zip_equal(valuesOf(stage), at))
      next.push_back(element(getStorageType(value.getType()), address,
                             multiply(rows, steps[numbers.lookup(value)])));
    return next;
  }

  /// The values of the stage that have elements in each row.
  SmallVector<Value> valuesOf(const RowStage &stage) const {
    SmallVector<Value> values;
    for (Value input : stage.inputs)
      if (!isPerRow(input))
        values.push_back(input);
    llvm::append_range(values, stage.outputs);
    return values;
  }

  /// Opens row `row` of the group, where the stage's values are at `at`: the
  /// elements of values that have one per row are loaded.
  void openRow(const RowStage &stage, Value row, ValueRange at) {
    DenseMap<Value, Value> &own = addresses.emplace_back();
    for (auto [value, address] : llvm::zip_equal(valuesOf(stage), at))
      own[value] = address;
    for (Value input : stage.inputs) {
      if (!isPerRow(input))
        continue;
      Type type = input.getType(), storage = getStorageType(type);
      Value one = LLVM::LoadOp::create(b, loc, storage,
                                       element(storage, perRow[input], row),
                                       getStorageBytes(type));
      own[input] = fromStorageVector(splat(one, kLanes), type);
    }
  }

  /// Computes one vector of each of these rows from element `at` on, and
  /// returns the new partial results. Everything is loaded before anything is
  /// stored: a row may be there twice, and an input may be in an output's
  /// memory.
  SmallVector<Value> computeVectors(const RowStage &stage, Value at,
                                    ValueRange reduced, Value mask) {
    SmallVector<IRMapping, 4> mappings(addresses.size());
    auto vectorOf = [&](size_t row, Value value) {
      return element(getStorageType(value.getType()), addresses[row][value],
                     at);
    };
    for (auto [row, mapping] : llvm::enumerate(mappings))
      loadInputs(stage, at, mapping, row, mask, vectorOf);
    for (IRMapping &mapping : mappings)
      for (Operation *op : stage.operations)
        cloneAsVectors(b, op, kLanes, mapping);
    for (auto [row, mapping] : llvm::enumerate(mappings))
      for (Value output : stage.outputs) {
        Value value = mapping.lookup(output), to = vectorOf(row, output);
        if (mask && !hasMasks)
          storeFirst(value, to, tail.count);
        else
          storeVector(value, to, mask);
      }
    SmallVector<Value> made;
    for (IRMapping &mapping : mappings)
      for (ReduceOp reduce : stage.reductions) {
        Value before = reduced[made.size()];
        Value value = combineVectors(b, reduce, before,
                                     mapping.lookup(reduce.getValue()));
        // Lanes beyond the end of the row keep their partial results.
        if (mask)
          value = arith::SelectOp::create(b, loc, mask, value, before);
        made.push_back(value);
      }
    return made;
  }

  using VectorOf = llvm::function_ref<Value(size_t, Value)>;

  void loadInputs(const RowStage &stage, Value at, IRMapping &mapping,
                  size_t row, Value mask, VectorOf vectorOf) {
    for (Value input : stage.inputs)
      mapping.map(
          input, isPerRow(input)
                     ? addresses[row][input]
                     : loadVector(input.getType(), vectorOf(row, input), mask));
    for (Value counted : stage.indices)
      mapping.map(counted,
                  arith::AddIOp::create(b, loc, splat(at, kLanes), lane));
    if (&stage == prefetching)
      prefetch(stage, [&](Value value) { return vectorOf(row, value); });
  }

  /// Prefetches the same elements of the rows that come next, if there are any.
  /// In long rows it prefetches what is in the cache already, which is cheaper
  /// than a branch.
  void prefetch(const RowStage &stage,
                llvm::function_ref<Value(Value)> addressOf) {
    for (Value input : stage.inputs) {
      if (!isa<BlockArgument>(input) || isPerRow(input))
        continue;
      Value rows = multiply(rowsAhead, steps[numbers.lookup(input)]);
      Value ahead =
          LLVM::GEPOp::create(b, loc, ptr, getStorageType(input.getType()),
                              addressOf(input), ArrayRef<LLVM::GEPArg>{rows});
      LLVM::Prefetch::create(b, loc, ahead, /*rw=*/0, /*hint=*/2, /*cache=*/1);
    }
  }

  Block &body;
  llvm::SetVector<Value> results;
  /// The number of elements of a row.
  Value length;
  /// Whether rows are long enough to be computed side by side, and whether
  /// nothing is left of them then.
  Value isLong, isDone;
  /// How many rows ahead elements are prefetched; 0 in long rows.
  Value rowsAhead;
  /// The lane numbers.
  Value lane;
  const VectorUnit &unit;
  /// Whether the target has masks.
  const bool hasMasks;
  /// The last vector of a row, which is masked: its first element, the number
  /// of its elements, and their mask. With masks of the target it may be full;
  /// without, and in long rows that are computed side by side, it may be empty
  /// instead, and is then left out.
  struct Tail {
    Value first, count, mask;
  };
  /// Of the current stage; in stages where no rows are computed side by side;
  /// and in the others.
  Tail tail, ofRows, ofSeveral;
  /// The stage of the second sweep: its inputs are in the cache, so that memory
  /// is free to prefetch the next rows.
  const RowStage *prefetching = nullptr;
  /// The first row of the group, and the number of its rows.
  Value first, count;
  /// For the current stage and each of the rows side by side: the addresses of
  /// values, or the vector of a value that has one element per row.
  SmallVector<DenseMap<Value, Value>, 4> addresses;
};

} // namespace

LLVM::LLVMFuncOp
codegen::buildShortRowKernel(OpBuilder &builder, Location loc, StringRef name,
                             const RowPartition &partition, Block &body,
                             const DenseMap<Value, int32_t> &numbers,
                             const VectorUnit &unit) {
  return ShortRowKernelBuilder(builder, loc, partition, body, numbers, unit)
      .build(name);
}
