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
// loaded. Tiles have all of their rows, a third of them, or one.
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

static SmallVector<ContractTile, 4> getTiles(const VectorUnit &unit,
                                             bool depthwise) {
  int64_t lanes = unit.bits / 32;
  if (depthwise)
    return {{4, 2, lanes}, {6, 1, lanes}};
  if (unit.registers == 32)
    return {{6, 4, lanes}, {12, 2, lanes}, {8, 3, lanes}, {12, 1, lanes}};
  return {{6, 2, lanes}, {4, 3, lanes}, {6, 1, lanes}};
}

ContractTile codegen::chooseContractTile(const VectorUnit &unit,
                                         int64_t channels, bool depthwise) {
  SmallVector<ContractTile, 4> tiles = getTiles(unit, depthwise);
  if (ShapedType::isDynamic(channels))
    return depthwise || unit.registers != 32 ? tiles[0] : tiles[1];
  // Whose panels leave the least of their lanes idle; among these the first.
  return *llvm::min_element(
      tiles, [&](const ContractTile &a, const ContractTile &b) {
        auto padded = [&](const ContractTile &tile) {
          return llvm::alignTo(std::max<int64_t>(channels, 1), tile.panel());
        };
        return padded(a) < padded(b);
      });
}

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
    Value panel = constant(shape.tile.panel());
    Value channels = field(abi::Tile::channels);
    bool maybeWhole = ShapedType::isDynamic(shape.channels) ||
                      shape.channels >= shape.tile.panel();
    bool maybePart = ShapedType::isDynamic(shape.channels) ||
                     shape.channels % shape.tile.panel() != 0;
    Value stride = field(abi::Tile::weightStride);
    auto whole = [&] {
      if (shape.packed)
        return buildRows(panel, constant(0), {}, true);
      Value inPanels = compare(LLVM::ICmpPredicate::eq, stride, panel);
      branch(
          inPanels, [&] { buildRows(panel, constant(0), {}, true); },
          [&] { buildRows(stride, constant(0), {}, false); });
    };
    auto part = [&] {
      buildRows(panel, constant(0), makeMasks(channels), true);
    };
    if (!maybePart)
      return whole();
    if (!maybeWhole)
      return part();
    branch(compare(LLVM::ICmpPredicate::eq, channels, panel), whole, part);
  }

  /// All channels, a panel at a time.
  void buildChannels() {
    Value panel = constant(shape.tile.panel());
    Value channels = field(abi::Tile::channels);
    Value rest = LLVM::SRemOp::create(b, loc, channels, panel);
    Value whole = LLVM::SubOp::create(b, loc, channels, rest);
    loop(constant(0), whole, panel, {}, [&](Value channel, ValueRange) {
      buildRows({}, channel, {}, true);
      return SmallVector<Value>();
    });
    branch(
        compare(LLVM::ICmpPredicate::ne, rest, constant(0)),
        [&] { buildRows({}, whole, makeMasks(rest), true); }, [] {});
  }

  /// All rows, tile by tile. Tiles of one row alone are small and slow.
  void buildRows(Value weightStride, Value channel, ArrayRef<Value> masks,
                 bool hasLargeTiles) {
    SmallVector<int64_t, 3> sizes = {shape.tile.rows, shape.tile.rows / 3, 1};
    if (!hasLargeTiles)
      sizes = {std::max<int64_t>(2, shape.tile.rows / 3), 1};
    Value rows = field(abi::Tile::rows), row = constant(0);
    int64_t last = 0;
    for (int64_t size : sizes) {
      if (size < 1 || size == last)
        continue;
      last = size;
      // The first row behind the last tile of this size.
      Value left = LLVM::SubOp::create(b, loc, rows, row);
      Value rest = LLVM::SRemOp::create(b, loc, left, constant(size));
      Value end = LLVM::SubOp::create(b, loc, rows, rest);
      loop(row, end, constant(size), {}, [&](Value first, ValueRange) {
        SmallVector<Value> sums = shape.depthwise
                                      ? sumChannels(size, first, channel, masks)
                                      : sumPanel(size, first, weightStride);
        storeResults(sums, size, first, channel, masks);
        return SmallVector<Value>();
      });
      row = end;
    }
  }

  SmallVector<Value> zeros(int64_t rows) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorOf(sumType())));
    return SmallVector<Value>(rows * shape.tile.vectors, zero);
  }

  //===--------------------------------------------------------------------===//
  // Over channels
  //===--------------------------------------------------------------------===//

  SmallVector<Value> sumPanel(int64_t rows, Value first, Value weightStride) {
    Value rowStride = field(abi::Tile::rowStride);
    Value depth = field(abi::Tile::depth);
    Value image = element(imageStorage(), field(abi::Tile::image),
                          multiply(first, rowStride));
    // Unrolled where the tile is large; a short sum has no more than a rest.
    int64_t unrolled = rows == shape.tile.rows ? kUnrolled : 1;
    Value rest = LLVM::AndOp::create(b, loc, depth, constant(unrolled - 1));
    Value whole = LLVM::SubOp::create(b, loc, depth, rest);
    return loop(
        constant(0), field(abi::Tile::taps), constant(1), zeros(rows),
        [&](Value tap, ValueRange sums) {
          Value from = element(imageStorage(), image,
                               multiply(tap, field(abi::Tile::tapStride)));
          Value weight =
              element(weightStorage(), field(abi::Tile::weight),
                      multiply(tap, field(abi::Tile::weightTapStride)));
          SmallVector<Value> bases;
          for (int64_t row = 0; row < rows; row += kRowsForBase)
            bases.push_back(element(imageStorage(), from,
                                    multiply(rowStride, constant(row))));
          auto steps = [&](int64_t count) {
            return [&, count](Value step, ValueRange partial) {
              SmallVector<Value> next(partial);
              for (int64_t k = 0; k < count; ++k)
                addStep(next, rows, bases, rowStride, weight, weightStride,
                        k ? add(step, constant(k)) : step);
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

  void addStep(SmallVector<Value> &sums, int64_t rows, ArrayRef<Value> bases,
               Value rowStride, Value weight, Value weightStride, Value step) {
    SmallVector<Value> weights;
    Value at = multiply(step, weightStride);
    for (int64_t v = 0; v < shape.tile.vectors; ++v)
      weights.push_back(loadWeights(
          weight, v ? add(at, constant(v * shape.tile.lanes)) : at, {}));
    for (int64_t row = 0; row < rows; ++row) {
      Value offset = step;
      if (int64_t beyond = row % kRowsForBase)
        offset = add(offset, multiply(rowStride, constant(beyond)));
      Value x = loadPixel(bases[row / kRowsForBase], offset);
      for (int64_t v = 0; v < shape.tile.vectors; ++v)
        addProduct(sums[row * shape.tile.vectors + v], x, weights[v]);
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
    for (int64_t v = 0; v < shape.tile.vectors; ++v) {
      Value mask = masks.empty() ? Value() : masks[v];
      Value lane = constant(v * shape.tile.lanes);
      Value y = loadWeights(weight, add(with, lane), mask);
      for (int64_t row = 0; row < rows; ++row) {
        Value offset = add(add(at, lane), multiply(field(abi::Tile::rowStride),
                                                   constant(row)));
        Value x = loadPixels(image, offset, mask);
        addProduct(sums[row * shape.tile.vectors + v], x, y);
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
};

} // namespace

LLVM::LLVMFuncOp codegen::buildContractKernel(OpBuilder &builder, Location loc,
                                              StringRef name,
                                              const ContractShape &shape,
                                              Block &body) {
  return ContractKernelBuilder(builder, loc, shape, body).build(name);
}
