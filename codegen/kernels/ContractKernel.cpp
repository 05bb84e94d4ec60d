//===- ContractKernel.cpp - tiles of sums of products ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each row of a tile and each step of the sum, one element of the image is
// broadcast to a vector and multiplied with vectors of weights; in a depthwise
// contraction both are vectors. The rows of a tile share the weights that are
// loaded. Tiles have all of their rows, or fewer (getRowTiles); in a depthwise
// contraction all or one. For a weight that is not in panels, tiles of few rows
// have more vectors: consecutive elements of a row of the weight are read
// together.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractKernel.h"
#include "codegen/kernels/ContractSums.h"
#include "codegen/layout/Storage.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

class ContractKernelBuilder : ContractSums {
public:
  ContractKernelBuilder(OpBuilder &builder, Location loc,
                        const ContractShape &shape, Block &body)
      : ContractSums(builder, loc, shape, body) {}

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    LLVM::LLVMFuncOp func = beginTile(name);
    if (isByChannel(shape.kind))
      buildChannels();
    else
      buildPanel();
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return func;
  }

private:
  //===--------------------------------------------------------------------===//
  // What is computed
  //===--------------------------------------------------------------------===//

  /// Emits one panel, full or partial, of a weight in panels or as it was
  /// given.
  void buildPanel() {
    if (shape.packed)
      return buildPackedPanel();
    Value inPanels =
        compare(LLVM::ICmpPredicate::eq, field(abi::Tile::weightStride),
                constant(shape.tile.panel()));
    branch(inPanels, [&] { buildPackedPanel(); }, [&] { buildNarrow(); });
  }

  /// Emits the vectors of a panel that have channels, by a static or run-time
  /// number of channels.
  void buildPackedPanel() {
    buildForms(getTileForms(shape), field(abi::Tile::channels));
  }

  /// Emits the first of `forms` that has just enough vectors.
  void buildForms(ArrayRef<TileForm> forms, Value channels) {
    TileForm form = forms.front();
    auto build = [&] {
      vectors = form.vectors;
      Value panel = constant(shape.tile.panel());
      SmallVector<Value> masks;
      if (form.isMasked)
        masks = makeMasks(form.channels ? constant(form.channels) : channels);
      buildRows(panel, masks);
    };
    if (forms.size() == 1)
      return build();
    Value least = constant(form.vectors * shape.tile.lanes);
    // A masked form is for more channels than the next form has.
    Value fits = form.isMasked
                     ? compare(LLVM::ICmpPredicate::sgt, channels,
                               constant((form.vectors - 1) * shape.tile.lanes))
                     : compare(LLVM::ICmpPredicate::eq, channels, least);
    branch(fits, build, [&] { buildForms(forms.drop_front(), channels); });
  }

  /// The channel from which on vectors of the weight do not cross lines of the
  /// cache, for a single row. It is 0 for vectors shorter than a line, for few
  /// channels, if the rows of the weight, or its elements, lie differently to
  /// lines, and if sums are kept: whole vectors of them are stored, and those
  /// before this channel would overwrite others.
  Value findAligned(const NarrowTile &tile, Value stride) {
    constexpr int64_t kLine = 64;
    // One more vector takes as long as several together: each addition waits
    // for the one before it.
    constexpr int64_t kLeastVectors = 24;
    int64_t bytes = getStorageBytes(shape.weightType);
    if (tile.rows > 1 || shape.tile.lanes * bytes != kLine)
      return constant(0);
    auto isMultiple = [&](Value number, int64_t of) {
      Value rest = LLVM::AndOp::create(b, loc, number, constant(of - 1));
      return compare(LLVM::ICmpPredicate::eq, rest, constant(0));
    };
    Value address = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(),
                                             field(abi::Tile::weight));
    Value conditions[] = {
        isMultiple(stride, shape.tile.lanes), isMultiple(address, bytes),
        compare(LLVM::ICmpPredicate::sge, field(abi::Tile::channels),
                constant(kLeastVectors * shape.tile.lanes)),
        isNull(field(abi::Tile::sumsBefore)),
        isNull(field(abi::Tile::sumsAfter))};
    Value all = conditions[0];
    for (Value condition : llvm::drop_begin(conditions))
      all = LLVM::AndOp::create(b, loc, all, condition);
    Value beyond = LLVM::SubOp::create(b, loc, constant(kLine), address);
    beyond = LLVM::AndOp::create(b, loc, beyond, constant(kLine - 1));
    Value channels = LLVM::UDivOp::create(b, loc, beyond, constant(bytes));
    return LLVM::SelectOp::create(b, loc, all, channels, constant(0));
  }

  /// Emits all channels of a few rows: as many vectors of a weight's row at
  /// once as there are registers.
  void buildNarrow() {
    Value channels = field(abi::Tile::channels);
    Value stride = field(abi::Tile::weightStride);
    Value row = constant(0);
    isNarrow = true;
    for (const NarrowTile &tile : getNarrowTiles(shape.registers)) {
      Value end = endOfRows(tile.rows, row);
      Value begin = findAligned(tile, stride);
      Value first = begin, lanes = constant(shape.tile.lanes);
      // The remaining channels are computed with fewer vectors at once.
      for (int64_t together = tile.vectors; together > 1; together /= 4) {
        vectors = together;
        Value wide = constant(width());
        Value left = LLVM::SubOp::create(b, loc, channels, first);
        Value rest = LLVM::SRemOp::create(b, loc, left, wide);
        Value whole = LLVM::SubOp::create(b, loc, channels, rest);
        loop(first, whole, wide, {}, [&](Value channel, ValueRange) {
          buildRowsOfSize(tile.rows, row, end, stride, channel, {});
          return SmallVector<Value>();
        });
        first = whole;
      }
      vectors = 1;
      // The channels before `begin`, if there are any, are the first step of
      // this loop.
      Value hasNone = compare(LLVM::ICmpPredicate::eq, begin, constant(0));
      Value from = LLVM::SelectOp::create(
          b, loc, hasNone, first, LLVM::SubOp::create(b, loc, first, lanes));
      loop(from, channels, lanes, {}, [&](Value at, ValueRange) {
        Value isBefore = compare(LLVM::ICmpPredicate::slt, at, first);
        Value channel =
            LLVM::SelectOp::create(b, loc, isBefore, constant(0), at);
        Value left = LLVM::SelectOp::create(
            b, loc, isBefore, begin, LLVM::SubOp::create(b, loc, channels, at));
        buildRowsOfSize(tile.rows, row, end, stride, channel, makeMasks(left));
        return SmallVector<Value>();
      });
      row = end;
    }
    isNarrow = false;
    vectors = shape.tile.vectors;
  }

  /// Emits all channels of all rows. Rows are outermost, so that the channels
  /// of a few rows are read and written consecutively.
  void buildChannels() {
    Value row = constant(0);
    if (isPool(shape.kind)) {
      for (int64_t size : rowTiles().sizes)
        row = buildChannelsOfRows(size, row, {shape.tile.vectors});
      return;
    }
    row = buildChannelsOfRows(shape.tile.rows, row, {shape.tile.vectors});
    // A tile of one row has more vectors: an addition waits for the one before
    // it in its sum.
    constexpr int64_t kVectorsOfRow = 4;
    buildChannelsOfRows(1, row, {kVectorsOfRow, shape.tile.vectors});
  }

  /// Emits all channels of the rows from `row` on that fill tiles of `rows`,
  /// and returns the first row behind them. `counts` as for forEachPanel.
  Value buildChannelsOfRows(int64_t rows, Value row, ArrayRef<int64_t> counts) {
    Value end = endOfRows(rows, row);
    loop(row, end, constant(rows), {}, [&](Value first, ValueRange) {
      forEachPanel(counts, [&](Value channel, ArrayRef<Value> masks) {
        buildTile(rows, first, {}, channel, masks);
      });
      return SmallVector<Value>();
    });
    return end;
  }

  /// Emits all channels: for each of the descending numbers of vectors as many
  /// panels as fit, and what is left with masks.
  void
  forEachPanel(ArrayRef<int64_t> counts,
               llvm::function_ref<void(Value, ArrayRef<Value>)> buildPanel) {
    Value channels = field(abi::Tile::channels), first = constant(0);
    for (int64_t count : counts) {
      vectors = count;
      Value left = LLVM::SubOp::create(b, loc, channels, first);
      Value rest = LLVM::SRemOp::create(b, loc, left, constant(width()));
      Value end = LLVM::SubOp::create(b, loc, channels, rest);
      loop(first, end, constant(width()), {}, [&](Value channel, ValueRange) {
        buildPanel(channel, {});
        return SmallVector<Value>();
      });
      first = end;
    }
    Value rest = LLVM::SubOp::create(b, loc, channels, first);
    branch(
        compare(LLVM::ICmpPredicate::ne, rest, constant(0)),
        [&] { buildPanel(first, makeMasks(rest)); }, [] {});
  }

  RowTiles rowTiles() const {
    return getRowTiles(shape.tile, vectors, shape.registers);
  }

  /// Emits all rows of a panel, tile by tile.
  void buildRows(Value weightStride, ArrayRef<Value> masks) {
    RowTiles tiles = rowTiles();
    Value row = constant(0);
    for (int64_t size : tiles.sizes) {
      Value end = endOfRows(size, row);
      if (size == tiles.sizes[0] && tiles.leaves)
        end = leaveTile(tiles, end);
      buildRowsOfSize(size, row, end, weightStride, constant(0), masks);
      row = end;
    }
  }

  /// `end`, the end of the largest tiles, or the one before the last of them if
  /// smaller tiles compute its rows and those that are left in less time.
  Value leaveTile(const RowTiles &tiles, Value end) {
    Value rest = LLVM::SubOp::create(b, loc, field(abi::Tile::rows), end);
    Value bit = LLVM::LShrOp::create(b, loc, constant(tiles.leaves), rest);
    bit = LLVM::AndOp::create(b, loc, bit, constant(1));
    Value before = LLVM::SubOp::create(b, loc, end,
                                       multiply(bit, constant(tiles.sizes[0])));
    return LLVM::SMaxOp::create(b, loc, before, constant(0));
  }

  /// The first row after the last full tile of `size` rows, from `row` on.
  Value endOfRows(int64_t size, Value row) {
    Value rows = field(abi::Tile::rows);
    Value left = LLVM::SubOp::create(b, loc, rows, row);
    Value rest = LLVM::SRemOp::create(b, loc, left, constant(size));
    return LLVM::SubOp::create(b, loc, rows, rest);
  }

  /// Emits the rows from `row` to `end`, which fill tiles of `size` rows.
  void buildRowsOfSize(int64_t size, Value row, Value end, Value weightStride,
                       Value channel, ArrayRef<Value> masks) {
    loop(row, end, constant(size), {}, [&](Value first, ValueRange) {
      buildTile(size, first, weightStride, channel, masks);
      return SmallVector<Value>();
    });
  }

  void buildTile(int64_t size, Value first, Value weightStride, Value channel,
                 ArrayRef<Value> masks) {
    // Smaller tiles are few. Processors with 32 registers were not measured.
    constexpr int64_t kLeastRows = 4;
    if (shape.registers == 16 && size >= kLeastRows && !isNarrow &&
        !isByChannel(shape.kind))
      prefetchTensors(size, first, channel);
    SmallVector<Value> sums =
        isByChannel(shape.kind)
            ? sumChannels(size, first, channel, masks)
            : sumPanel(size, first, weightStride, channel, masks);
    finish(sums, size, first, channel, masks);
  }
};

} // namespace

LLVM::LLVMFuncOp codegen::buildContractKernel(OpBuilder &builder, Location loc,
                                              StringRef name,
                                              const ContractShape &shape,
                                              Block &body) {
  return ContractKernelBuilder(builder, loc, shape, body).build(name);
}
