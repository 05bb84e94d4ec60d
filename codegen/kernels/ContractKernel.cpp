//===- ContractKernel.cpp - tiles of sums of products ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each row of a tile and each step of the sum one element of the image is
// repeated in a vector and multiplied with vectors of weights; channel by
// channel, both are vectors. The rows of a tile share the weights that are
// loaded. Tiles have all of their rows, a third of them, two, or one. Of a
// weight that is not in panels, tiles of few rows have more vectors: what a row
// of the weight has in one place is read together.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractKernel.h"
#include "codegen/kernels/ContractTail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Steps of a sum for which addresses are computed once.
static constexpr int64_t kUnrolled = 4;
/// Rows whose addresses are a base and a small multiple of a distance.
static constexpr int64_t kRowsForBase = 3;

namespace {

class ContractKernelBuilder : ContractTail {
public:
  ContractKernelBuilder(OpBuilder &builder, Location loc,
                        const ContractShape &shape, Block &body)
      : ContractTail(builder, loc, shape, body) {}

  LLVM::LLVMFuncOp build(StringRef name) {
    OpBuilder::InsertionGuard guard(b);
    LLVM::LLVMFuncOp func = beginTile(name);
    if (shape.depthwise)
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

  /// One panel: whole or not, of a weight in panels or as it was.
  void buildPanel() {
    if (shape.packed)
      return buildPackedPanel();
    Value inPanels =
        compare(LLVM::ICmpPredicate::eq, field(abi::Tile::weightStride),
                constant(shape.tile.panel()));
    branch(inPanels, [&] { buildPackedPanel(); }, [&] { buildNarrow(); });
  }

  /// The vectors of a panel that have channels, where that is known or found
  /// out.
  void buildPackedPanel() {
    Value channels = field(abi::Tile::channels);
    int64_t lanes = shape.tile.lanes, panel = shape.tile.panel();
    bool isKnown = !ShapedType::isDynamic(shape.channels);
    SmallVector<std::pair<int64_t, bool>> forms;
    if (!isKnown || shape.channels >= panel)
      forms.push_back({shape.tile.vectors, false});
    for (int64_t v = shape.tile.vectors; v > 0; --v)
      if (!isKnown || llvm::divideCeil(shape.channels % panel, lanes) == v)
        forms.push_back({v, true});
    if (forms.empty())
      forms.push_back({shape.tile.vectors, false});
    buildForms(forms, channels);
  }

  /// The first of `forms`, that is vectors and whether the last is masked, that
  /// has just enough vectors.
  void buildForms(ArrayRef<std::pair<int64_t, bool>> forms, Value channels) {
    auto [count, isMasked] = forms.front();
    auto build = [&, count = count, isMasked = isMasked] {
      vectors = count;
      Value panel = constant(shape.tile.panel());
      SmallVector<Value> masks;
      if (isMasked)
        masks = makeMasks(channels);
      buildRows(getSizes(), panel, constant(0), masks);
    };
    if (forms.size() == 1)
      return build();
    Value least = constant(count * shape.tile.lanes);
    // Of the masked ones, each is for more channels than the next one has.
    Value fits = isMasked ? compare(LLVM::ICmpPredicate::sgt, channels,
                                    constant((count - 1) * shape.tile.lanes))
                          : compare(LLVM::ICmpPredicate::eq, channels, least);
    branch(fits, build, [&] { buildForms(forms.drop_front(), channels); });
  }

  /// All channels of few rows: of each row of the weight as many vectors
  /// together as there are registers for.
  void buildNarrow() {
    Value channels = field(abi::Tile::channels);
    Value stride = field(abi::Tile::weightStride);
    Value row = constant(0);
    isNarrow = true;
    for (auto [size, count] : getNarrowTiles(shape.registers)) {
      vectors = count;
      Value wide = constant(width()), lanes = constant(shape.tile.lanes);
      Value rest = LLVM::SRemOp::create(b, loc, channels, wide);
      Value whole = LLVM::SubOp::create(b, loc, channels, rest);
      loop(constant(0), whole, wide, {}, [&](Value channel, ValueRange) {
        buildRowsOfSize(size, row, stride, channel, {});
        return SmallVector<Value>();
      });
      vectors = 1;
      loop(whole, channels, lanes, {}, [&](Value channel, ValueRange) {
        Value left = LLVM::SubOp::create(b, loc, channels, channel);
        buildRowsOfSize(size, row, stride, channel, makeMasks(left));
        return SmallVector<Value>();
      });
      row = endOfRows(size, row);
    }
    isNarrow = false;
    vectors = shape.tile.vectors;
  }

  /// All channels, a panel at a time.
  void buildChannels() {
    Value panel = constant(shape.tile.panel());
    Value channels = field(abi::Tile::channels);
    Value rest = LLVM::SRemOp::create(b, loc, channels, panel);
    Value whole = LLVM::SubOp::create(b, loc, channels, rest);
    loop(constant(0), whole, panel, {}, [&](Value channel, ValueRange) {
      buildRows(getSizes(), {}, channel, {});
      return SmallVector<Value>();
    });
    branch(
        compare(LLVM::ICmpPredicate::ne, rest, constant(0)),
        [&] { buildRows(getSizes(), {}, whole, makeMasks(rest)); }, [] {});
  }

  /// Rows of the tiles of panels, those that are used first in front.
  SmallVector<int64_t, 4> getSizes() const {
    // Where a panel is not whole, as many sums are for more rows.
    constexpr int64_t kMostRows = 12;
    int64_t most = shape.tile.rows * shape.tile.vectors / vectors;
    if (vectors != shape.tile.vectors)
      most = std::min(most, std::max(kMostRows, shape.tile.rows));
    SmallVector<int64_t, 4> sizes = {most};
    for (int64_t size : {most / 3, int64_t(2), int64_t(1)})
      if (size > 0 && size < sizes.back())
        sizes.push_back(size);
    return sizes;
  }

  /// All rows, tile by tile. Tiles of one row alone are small and slow.
  void buildRows(ArrayRef<int64_t> sizes, Value weightStride, Value channel,
                 ArrayRef<Value> masks) {
    Value row = constant(0);
    for (int64_t size : sizes) {
      buildRowsOfSize(size, row, weightStride, channel, masks);
      row = endOfRows(size, row);
    }
  }

  /// The first row behind the last tile of `size` rows, from `row` on.
  Value endOfRows(int64_t size, Value row) {
    Value rows = field(abi::Tile::rows);
    Value left = LLVM::SubOp::create(b, loc, rows, row);
    Value rest = LLVM::SRemOp::create(b, loc, left, constant(size));
    return LLVM::SubOp::create(b, loc, rows, rest);
  }

  void buildRowsOfSize(int64_t size, Value row, Value weightStride,
                       Value channel, ArrayRef<Value> masks) {
    loop(row, endOfRows(size, row), constant(size), {},
         [&](Value first, ValueRange) {
           SmallVector<Value> sums =
               shape.depthwise
                   ? sumChannels(size, first, channel, masks)
                   : sumPanel(size, first, weightStride, channel, masks);
           finish(sums, size, first, channel, masks);
           return SmallVector<Value>();
         });
  }

  //===--------------------------------------------------------------------===//
  // Sums in parts
  //===--------------------------------------------------------------------===//

  bool isSummedInParts() const { return !shape.depthwise; }

  /// Where vector `v` of a row's sums is.
  Value sumPlace(Value base, Value row, int64_t v) {
    Value at = multiply(row, constant(shape.tile.panel()));
    return element(sumType(), base, add(at, constant(v * shape.tile.lanes)));
  }

  /// What the rows from `first` on have summed so far.
  SmallVector<Value> loadSums(int64_t rows, Value first) {
    if (!isSummedInParts())
      return zeros(rows);
    Value from = field(abi::Tile::sumsBefore);
    Value null = LLVM::ZeroOp::create(b, loc, ptr);
    Value none =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, from, null);
    Value once = LLVM::SelectOp::create(b, loc, none, constant(0), constant(1));
    return loop(constant(0), once, constant(1), zeros(rows),
                [&](Value, ValueRange) {
                  SmallVector<Value> sums;
                  for (int64_t row = 0; row < rows; ++row)
                    for (int64_t v = 0; v < vectors; ++v)
                      sums.push_back(LLVM::LoadOp::create(
                          b, loc, vectorOf(sumType()),
                          sumPlace(from, add(first, constant(row)), v),
                          getStorageBytes(sumType())));
                  return sums;
                });
  }

  /// Keeps the sums for the next part, or computes the body of them.
  void finish(ArrayRef<Value> sums, int64_t rows, Value first, Value channel,
              ArrayRef<Value> masks) {
    auto store = [&] { storeResults(sums, rows, first, channel, masks); };
    if (!isSummedInParts())
      return store();
    Value to = field(abi::Tile::sumsAfter);
    Value null = LLVM::ZeroOp::create(b, loc, ptr);
    Value isLast =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, to, null);
    branch(isLast, store, [&] {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t v = 0; v < vectors; ++v)
          LLVM::StoreOp::create(b, loc, sums[row * vectors + v],
                                sumPlace(to, add(first, constant(row)), v),
                                getStorageBytes(sumType()));
    });
  }

  SmallVector<Value> zeros(int64_t rows) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorOf(sumType())));
    return SmallVector<Value>(rows * vectors, zero);
  }

  //===--------------------------------------------------------------------===//
  // Over channels
  //===--------------------------------------------------------------------===//

  SmallVector<Value> sumPanel(int64_t rows, Value first, Value weightStride,
                              Value channel, ArrayRef<Value> masks) {
    Value rowStride = field(abi::Tile::rowStride);
    Value depth = field(abi::Tile::depth);
    Value image = element(imageStorage(), field(abi::Tile::image),
                          multiply(first, rowStride));
    // Not of large tiles, whose products take longer than the addresses do and
    // leave no registers; a short sum has no more than a rest.
    int64_t inRegisters = rows * vectors;
    int64_t unrolled =
        inRegisters <= shape.registers / 2 && inRegisters > shape.registers / 4
            ? kUnrolled
            : 1;
    Value rest = LLVM::AndOp::create(b, loc, depth, constant(unrolled - 1));
    Value whole = LLVM::SubOp::create(b, loc, depth, rest);
    Value panel = element(weightStorage(), field(abi::Tile::weight), channel);
    // A panel is padded, and what is behind a row of a weight is not read.
    if (!isNarrow)
      masks = {};
    return loop(
        constant(0), field(abi::Tile::taps), constant(1), loadSums(rows, first),
        [&](Value tap, ValueRange sums) {
          Value from = element(imageStorage(), image,
                               multiply(tap, field(abi::Tile::tapStride)));
          Value weight =
              element(weightStorage(), panel,
                      multiply(tap, field(abi::Tile::weightTapStride)));
          SmallVector<Value> bases;
          for (int64_t row = 0; row < rows; row += kRowsForBase)
            bases.push_back(element(imageStorage(), from,
                                    multiply(rowStride, constant(row))));
          auto steps = [&](int64_t count) {
            return [&, count](Value step, ValueRange partial) {
              SmallVector<Value> next(partial);
              for (int64_t k = 0; k < count; ++k) {
                if (k)
                  keepOrder();
                addStep(next, rows, bases, rowStride, weight, weightStride,
                        k ? add(step, constant(k)) : step, masks);
              }
              return next;
            };
          };
          SmallVector<Value> partial(sums);
          if (unrolled > 1)
            partial = loop(constant(0), whole, constant(unrolled), partial,
                           steps(unrolled));
          return loop(unrolled > 1 ? whole : constant(0), depth, constant(1),
                      partial, steps(1));
        });
  }

  /// Keeps LLVM from loading the elements of later steps first, for which there
  /// are no registers: a fence within the thread is no instruction.
  void keepOrder() {
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel,
                          "singlethread");
  }

  void addStep(SmallVector<Value> &sums, int64_t rows, ArrayRef<Value> bases,
               Value rowStride, Value weight, Value weightStride, Value step,
               ArrayRef<Value> masks) {
    SmallVector<Value> weights;
    Value at = multiply(step, weightStride);
    for (int64_t v = 0; v < vectors; ++v)
      weights.push_back(
          loadWeights(weight, v ? add(at, constant(v * shape.tile.lanes)) : at,
                      masks.empty() ? Value() : masks[v]));
    for (int64_t row = 0; row < rows; ++row) {
      Value offset = step;
      if (int64_t beyond = row % kRowsForBase)
        offset = add(offset, multiply(rowStride, constant(beyond)));
      Value x = loadPixel(bases[row / kRowsForBase], offset);
      for (int64_t v = 0; v < vectors; ++v)
        addProduct(sums[row * vectors + v], x, weights[v]);
    }
  }

  //===--------------------------------------------------------------------===//
  // Channel by channel
  //===--------------------------------------------------------------------===//

  SmallVector<Value> sumChannels(int64_t rows, Value first, Value channel,
                                 ArrayRef<Value> masks) {
    Value rowStride = field(abi::Tile::rowStride);
    Value image = element(imageStorage(), field(abi::Tile::image),
                          add(multiply(first, rowStride), channel));
    Value weight = element(weightStorage(), field(abi::Tile::weight), channel);
    return loop(
        constant(0), field(abi::Tile::taps), constant(1), zeros(rows),
        [&](Value tap, ValueRange lineSums) {
          Value from = element(imageStorage(), image,
                               multiply(tap, field(abi::Tile::tapStride)));
          Value with =
              element(weightStorage(), weight,
                      multiply(tap, field(abi::Tile::weightTapStride)));
          return loop(constant(0), field(abi::Tile::depth), constant(1),
                      SmallVector<Value>(lineSums),
                      [&](Value column, ValueRange partial) {
                        SmallVector<Value> sums(partial);
                        addColumn(sums, rows, from, with, column, masks);
                        return sums;
                      });
        });
  }

  void addColumn(SmallVector<Value> &sums, int64_t rows, Value image,
                 Value weight, Value column, ArrayRef<Value> masks) {
    Value at = multiply(column, field(abi::Tile::stride));
    Value with = multiply(column, field(abi::Tile::weightStride));
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask = masks.empty() ? Value() : masks[v];
      Value lane = constant(v * shape.tile.lanes);
      Value y = loadWeights(weight, add(with, lane), mask);
      for (int64_t row = 0; row < rows; ++row) {
        Value offset = add(add(at, lane), multiply(field(abi::Tile::rowStride),
                                                   constant(row)));
        Value x = loadPixels(image, offset, mask);
        addProduct(sums[row * vectors + v], x, y);
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  /// `value` in the type of sums, its zero point taken away.
  Value widen(Value value, int64_t zero) {
    Type element = getElementTypeOrSelf(value.getType());
    Type wide = sumType();
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      wide = vector.clone(wide);
    if (isa<FloatType>(element))
      return element == sumType()
                 ? value
                 : arith::ExtFOp::create(b, loc, wide, value).getResult();
    if (element != sumType())
      value = arith::ExtSIOp::create(b, loc, wide, value);
    if (zero == 0)
      return value;
    TypedAttr number = b.getIntegerAttr(sumType(), zero);
    if (auto vector = dyn_cast<VectorType>(wide))
      number = DenseElementsAttr::get(vector, number);
    return arith::SubIOp::create(b, loc, value,
                                 arith::ConstantOp::create(b, loc, number));
  }

  Value loadWeights(Value base, Value offset, Value mask) {
    return widen(loadVector(shape.weightType, base, offset, mask),
                 shape.weightZero);
  }
  Value loadPixels(Value base, Value offset, Value mask) {
    return widen(loadVector(shape.imageType, base, offset, mask),
                 shape.imageZero);
  }
  Value loadPixel(Value base, Value offset) {
    Value pixel = loadScalar(shape.imageType, base, offset);
    return splat(widen(pixel, shape.imageZero), shape.tile.lanes);
  }

  void addProduct(Value &sum, Value x, Value y) {
    if (isa<IntegerType>(sumType()))
      sum = arith::AddIOp::create(b, loc, sum,
                                  arith::MulIOp::create(b, loc, x, y));
    else if (shape.fma)
      sum = LLVM::FMAOp::create(b, loc, sum.getType(), x, y, sum);
    else
      sum = arith::AddFOp::create(b, loc, sum,
                                  arith::MulFOp::create(b, loc, x, y));
  }

  Type imageStorage() const { return getStorageType(shape.imageType); }
  Type weightStorage() const { return getStorageType(shape.weightType); }

  /// Whether the weight is read as it was given.
  bool isNarrow = false;
};

} // namespace

LLVM::LLVMFuncOp codegen::buildContractKernel(OpBuilder &builder, Location loc,
                                              StringRef name,
                                              const ContractShape &shape,
                                              Block &body) {
  return ContractKernelBuilder(builder, loc, shape, body).build(name);
}
