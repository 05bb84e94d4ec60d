//===- ShortRowKernel.cpp - all stages of short rows as a function --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ShortRowKernel.h"
#include "codegen/kernels/ShortRowBuffers.h"
#include "codegen/kernels/StripKernel.h"
#include "codegen/kernels/VectorClone.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

/// The number of rows that are computed side by side, and the vectors per row
/// from which that pays.
static constexpr int64_t kSideBySide = 2;
static constexpr int64_t kLongEnough = 8;

/// Whether the stage leaves enough registers for that.
static bool canBeSideBySide(const RowStage &stage) {
  constexpr size_t kSomeOperations = 40;
  return countExpanded(stage.operations) <= kSomeOperations;
}

namespace {

class ShortRowKernelBuilder : ShortRowBuffers {
public:
  ShortRowKernelBuilder(OpBuilder &builder, Location loc,
                        const RowPartition &partition, Block &body,
                        const DenseMap<Value, int32_t> &numbers)
      : ShortRowBuffers(builder, loc, partition, numbers), body(body) {
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
    // The part of a row that fills vectors, and the rest.
    whole = LLVM::AndOp::create(b, loc, length, constant(-kLanes));
    Value rest = LLVM::SubOp::create(b, loc, length, whole);
    lane = laneNumbers(kLanes);
    mask = compare(LLVM::ICmpPredicate::ult, lane, splat(rest, kLanes));
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

  //===--------------------------------------------------------------------===//
  // Some rows
  //===--------------------------------------------------------------------===//

  void computeRows() {
    for (BlockArgument argument : body.getArguments())
      if (perRow.contains(argument))
        copyPerRow(argument, /*toMemory=*/false);
    for (const RowStage &stage : partition.stages)
      stage.perRow ? computePerRow(stage) : sweep(stage);
    for (Value result : results)
      if (isPerRow(result))
        copyPerRow(result, /*toMemory=*/true);
  }

  /// Copies the elements of a value with one element per row between a buffer
  /// and memory.
  void copyPerRow(Value value, bool toMemory) {
    Type type = getStorageType(value.getType());
    unsigned bytes = getStorageBytes(value.getType());
    int32_t id = numbers.lookup(value);
    loop(zero, count, constant(1), {}, [&](Value row, ValueRange) {
      Value memory =
          element(type, bases[id], multiply(add(first, row), steps[id]));
      Value buffer = element(type, perRow[value], row);
      Value moved =
          LLVM::LoadOp::create(b, loc, type, toMemory ? buffer : memory, bytes);
      LLVM::StoreOp::create(b, loc, moved, toMemory ? memory : buffer, bytes);
      return SmallVector<Value>();
    });
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

  /// Computes the values of each element: several long rows side by side, so
  /// that the reductions of different rows overlap, and shorter ones row by
  /// row.
  void sweep(const RowStage &stage) {
    // With a single sweep nothing is prefetched, and memory delivers rows
    // faster one after the other than two at a time.
    Value done;
    if (prefetching && canBeSideBySide(stage)) {
      Value isLong = compare(LLVM::ICmpPredicate::sge, length,
                             constant(kLongEnough * kLanes));
      Value most = LLVM::AndOp::create(b, loc, count, constant(-kSideBySide));
      done = LLVM::SelectOp::create(b, loc, isLong, most, zero);
      sweepSideBySide(stage, done);
    }
    sweepRows(stage, done);
    for (ReduceOp reduce : stage.reductions)
      finish(reduce);
  }

  /// Computes the full vectors of the first `rows` rows.
  void sweepSideBySide(const RowStage &stage, Value rows) {
    loop(zero, rows, constant(kSideBySide), {}, [&](Value row, ValueRange) {
      openRows(stage, row, kSideBySide);
      SmallVector<Value> reduced;
      for (int64_t i = 0; i < kSideBySide; ++i)
        for (ReduceOp reduce : stage.reductions)
          reduced.push_back(splat(reduce.getNeutral()));
      reduced = loop(zero, whole, wide, reduced, [&](Value at, ValueRange now) {
        return computeVectors(stage, at, now, /*masked=*/false);
      });
      for (auto [i, value] : llvm::enumerate(reduced)) {
        ReduceOp reduce = stage.reductions[i % stage.reductions.size()];
        Value number = add(row, constant(int64_t(i / stage.reductions.size())));
        storeVector(value, partialsOf(reduce, number));
      }
      return SmallVector<Value>();
    });
  }

  /// Computes row by row. The full vectors of the first `done` rows, if any,
  /// are already computed. Only this function emits masked instructions,
  /// because these take longest to compile.
  void sweepRows(const RowStage &stage, Value done) {
    Value from = zero;
    if (done) {
      Value hasRest = compare(LLVM::ICmpPredicate::ne, whole, length);
      from = LLVM::SelectOp::create(b, loc, hasRest, zero, done);
    }
    loop(from, count, constant(1), {}, [&](Value row, ValueRange) {
      openRows(stage, row, 1);
      Value isDone =
          done ? compare(LLVM::ICmpPredicate::slt, row, done) : Value();
      auto choose = [&](llvm::function_ref<Value()> ifDone, Value otherwise) {
        return done
                   ? LLVM::SelectOp::create(b, loc, isDone, ifDone(), otherwise)
                   : otherwise;
      };
      SmallVector<Value> reduced;
      for (ReduceOp reduce : stage.reductions) {
        auto load = [&] {
          return loadVector(reduce.getType(), partialsOf(reduce, row));
        };
        reduced.push_back(choose(load, splat(reduce.getNeutral())));
      }
      Value first = choose([&] { return whole; }, zero);
      reduced =
          loop(first, whole, wide, reduced, [&](Value at, ValueRange now) {
            return computeVectors(stage, at, now, /*masked=*/false);
          });
      reduced =
          loop(whole, length, wide, reduced, [&](Value at, ValueRange now) {
            return computeVectors(stage, at, now, /*masked=*/true);
          });
      for (auto [reduce, value] : llvm::zip_equal(stage.reductions, reduced))
        storeVector(value, partialsOf(reduce, row));
      return SmallVector<Value>();
    });
  }

  /// Sets the addresses for `count` rows of the group from `row` on.
  void openRows(const RowStage &stage, Value row, int64_t count) {
    addresses.clear();
    for (int64_t i = 0; i < count; ++i)
      openRow(stage, add(row, constant(i)), addresses.emplace_back());
  }

  /// Computes the address of each of the stage's values in row `row` of the
  /// group, or the value itself.
  void openRow(const RowStage &stage, Value row, DenseMap<Value, Value> &own) {
    auto open = [&](Value value) {
      Type storage = getStorageType(value.getType());
      int32_t id = numbers.lookup(value);
      Value number = isInMemory(value) ? add(first, row) : row;
      own[value] = element(storage, bases[id], multiply(number, steps[id]));
    };
    for (Value input : stage.inputs) {
      if (!isPerRow(input)) {
        open(input);
        continue;
      }
      Type type = input.getType(), storage = getStorageType(type);
      Value one = LLVM::LoadOp::create(b, loc, storage,
                                       element(storage, perRow[input], row),
                                       getStorageBytes(type));
      own[input] = fromStorageVector(splat(one, kLanes), type);
    }
    for (Value output : stage.outputs)
      open(output);
  }

  /// Computes one vector of each of these rows from element `at` on, and
  /// returns the new partial results.
  SmallVector<Value> computeVectors(const RowStage &stage, Value at,
                                    ValueRange reduced, bool masked) {
    SmallVector<IRMapping, 4> mappings(addresses.size());
    auto addressOf = [&](size_t row, Value value) {
      return element(getStorageType(value.getType()), addresses[row][value],
                     at);
    };
    for (auto [row, mapping] : llvm::enumerate(mappings))
      loadInputs(stage, at, mapping, row, masked, addressOf);
    for (IRMapping &mapping : mappings)
      for (Operation *op : stage.operations)
        cloneAsVectors(b, op, kLanes, mapping);
    for (auto [row, mapping] : llvm::enumerate(mappings))
      for (Value output : stage.outputs)
        storeVector(mapping.lookup(output), addressOf(row, output),
                    masked ? mask : Value());
    SmallVector<Value> made;
    for (IRMapping &mapping : mappings)
      for (ReduceOp reduce : stage.reductions) {
        Value before = reduced[made.size()];
        Value value = combineVectors(b, reduce, before,
                                     mapping.lookup(reduce.getValue()));
        // Lanes beyond the end of the row keep their partial results.
        if (masked)
          value = arith::SelectOp::create(b, loc, mask, value, before);
        made.push_back(value);
      }
    return made;
  }

  using AddressOf = llvm::function_ref<Value(size_t, Value)>;

  void loadInputs(const RowStage &stage, Value at, IRMapping &mapping,
                  size_t row, bool masked, AddressOf addressOf) {
    for (Value input : stage.inputs)
      mapping.map(input, isPerRow(input) ? addresses[row][input]
                                         : loadVector(input.getType(),
                                                      addressOf(row, input),
                                                      masked ? mask : Value()));
    for (Value counted : stage.indices)
      mapping.map(counted,
                  arith::AddIOp::create(b, loc, splat(at, kLanes), lane));
    if (&stage == prefetching && !masked)
      prefetch(stage, [&](Value value) { return addressOf(row, value); });
  }

  /// Prefetches the same elements of the rows that come next, if there are any.
  void prefetch(const RowStage &stage,
                llvm::function_ref<Value(Value)> addressOf) {
    for (Value input : stage.inputs) {
      if (!isa<BlockArgument>(input) || isPerRow(input))
        continue;
      Value rows = multiply(constant(kRows), steps[numbers.lookup(input)]);
      Value ahead =
          LLVM::GEPOp::create(b, loc, ptr, getStorageType(input.getType()),
                              addressOf(input), ArrayRef<LLVM::GEPArg>{rows});
      LLVM::Prefetch::create(b, loc, ahead, /*rw=*/0, /*hint=*/2, /*cache=*/1);
    }
  }

  Block &body;
  llvm::SetVector<Value> results;
  /// The number of elements of a row, and of those that fill vectors.
  Value length, whole;
  /// The lane numbers, and the mask of the valid lanes of the last vector.
  Value lane, mask;
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
                             const DenseMap<Value, int32_t> &numbers) {
  return ShortRowKernelBuilder(builder, loc, partition, body, numbers)
      .build(name);
}
