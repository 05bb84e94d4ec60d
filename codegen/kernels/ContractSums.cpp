//===- ContractSums.cpp - sums of products in registers -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractSums.h"
#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The number of steps of a sum that share computed addresses.
static constexpr int64_t kUnrolled = 4;
/// The number of rows that are addressed from one base by multiples of the
/// distance.
static constexpr int64_t kRowsForBase = 3;

//===----------------------------------------------------------------------===//
// Sums in parts
//===----------------------------------------------------------------------===//

Value ContractSums::isNull(Value pointer) {
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, pointer,
                              LLVM::ZeroOp::create(b, loc, ptr));
}

Value ContractSums::sumAddress(Value base, Value channel, Value row,
                               int64_t v) {
  // With a weight as it was given, sums in parts are of one row (planChunks).
  // Rows of sums by channel have all channels (Contraction::sumPitch).
  Value at;
  if (isNarrow)
    at = channel;
  else if (!isByChannel(shape.kind))
    at = multiply(row, constant(shape.tile.panel()));
  else
    at = add(multiply(row, add(field(abi::Tile::channels),
                               constant(shape.tile.panel()))),
             channel);
  return element(sumType(), base, add(at, constant(v * shape.tile.lanes)));
}

SmallVector<Value> ContractSums::beginSums(int64_t rows) {
  if (!isTogether())
    return zeros(rows);
  Value panel = element(weightStorage(), field(abi::Tile::weight),
                        constant(-shape.together * shape.tile.panel()));
  SmallVector<Value> first, sums;
  for (int64_t v = 0; v < vectors; ++v)
    first.push_back(LLVM::LoadOp::create(
        b, loc, vectorOf(sumType()),
        element(sumType(), panel, constant(v * shape.tile.lanes)),
        getStorageBytes(sumType())));
  for (int64_t row = 0; row < rows; ++row)
    sums.append(first);
  return sums;
}

SmallVector<Value> ContractSums::loadSums(ArrayRef<Value> begin, int64_t rows,
                                          Value first, Value channel) {
  if (!isSummedInParts())
    return SmallVector<Value>(begin);
  Value from = field(abi::Tile::sumsBefore);
  Value once =
      LLVM::SelectOp::create(b, loc, isNull(from), constant(0), constant(1));
  return loop(constant(0), once, constant(1), begin, [&](Value, ValueRange) {
    SmallVector<Value> sums;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t v = 0; v < vectors; ++v)
        sums.push_back(LLVM::LoadOp::create(
            b, loc, vectorOf(sumType()),
            sumAddress(from, channel, add(first, constant(row)), v),
            getStorageBytes(sumType())));
    return sums;
  });
}

void ContractSums::finish(ArrayRef<Value> sums, int64_t rows, Value first,
                          Value channel, ArrayRef<Value> masks) {
  auto store = [&] { storeResults(sums, rows, first, channel, masks); };
  if (!isSummedInParts())
    return store();
  Value to = field(abi::Tile::sumsAfter);
  branch(isNull(to), store, [&] {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t v = 0; v < vectors; ++v)
        LLVM::StoreOp::create(
            b, loc, sums[row * vectors + v],
            sumAddress(to, channel, add(first, constant(row)), v),
            getStorageBytes(sumType()));
  });
}

SmallVector<Value> ContractSums::zeros(int64_t rows) {
  return repeat(b.getZeroAttr(sumType()), rows);
}

SmallVector<Value> ContractSums::repeat(TypedAttr number, int64_t rows) {
  auto all =
      DenseElementsAttr::get(cast<ShapedType>(vectorOf(sumType())), number);
  Value value = arith::ConstantOp::create(b, loc, all);
  return SmallVector<Value>(rows * vectors, value);
}

//===----------------------------------------------------------------------===//
// Over channels
//===----------------------------------------------------------------------===//

Value ContractSums::findAhead(const Panel &panel) {
  Value tile =
      LLVM::UDivOp::create(b, loc, panel.first, constant(shape.tile.rows));
  Value logarithm = field(abi::Tile::stride);
  Value tiles = LLVM::ShlOp::create(b, loc, constant(1), logarithm);
  tile = LLVM::AndOp::create(b, loc, tile,
                             LLVM::SubOp::create(b, loc, tiles, constant(1)));
  Value steps = multiply(field(abi::Tile::depth), panel.weightStride);
  Value share = LLVM::LShrOp::create(b, loc, steps, logarithm);
  return addressAhead(weightStorage(), field(abi::Tile::weightAhead),
                      multiply(tile, share));
}

SmallVector<Value> ContractSums::sumPanel(int64_t rows, Value first,
                                          Value weightStride, Value channel,
                                          ArrayRef<Value> masks) {
  // A panel is padded; beyond a row of another weight nothing may be read.
  if (!isNarrow)
    masks = {};
  Panel panel{rows,
              first,
              field(abi::Tile::rowStride),
              weightStride,
              element(weightStorage(), field(abi::Tile::weight), channel),
              masks};
  SmallVector<Value> sums = loadSums(beginSums(rows), rows, first, channel);
  bool isLarge = rows == shape.tile.rows && vectors == shape.tile.vectors;
  if (isLarge && vectors > 1 && !isNarrow)
    panel.ahead = findAhead(panel);
  // Tiles of few rows are for what the largest tile leaves.
  if (shape.tapSteps == 0 || rows < shape.tile.rows)
    return sumTaps(panel, sums, /*steps=*/0, getUnrolled(rows));
  // The processor adds constant distances to an address by itself.
  Panel known = panel;
  known.rowStride = constant(shape.rowStride);
  Value isKnown = LLVM::AndOp::create(
      b, loc,
      compare(LLVM::ICmpPredicate::eq, panel.rowStride, known.rowStride),
      compare(LLVM::ICmpPredicate::eq, field(abi::Tile::depth),
              constant(shape.tapSteps)));
  return choose(
      isKnown, sums,
      [&] { return sumTaps(known, sums, shape.tapSteps, /*unrolled=*/1); },
      [&] { return sumTaps(panel, sums, /*steps=*/0, /*unrolled=*/1); });
}

int64_t ContractSums::getUnrolled(int64_t rows) const {
  // Unrolling computes addresses once for some steps. Of the 24 products of a
  // large tile of 32 registers, these are a small part. A large tile of 16 has
  // 12 products and as many other instructions in a step; two steps together
  // need no more registers, since loads stay in order (keepOrder).
  constexpr int64_t kPair = 2;
  int64_t inRegisters = rows * vectors, half = shape.registers / 2;
  if (shape.registers == 16 && !isNarrow)
    return inRegisters >= half ? kPair : 1;
  return inRegisters <= half && inRegisters > half / 2 ? kUnrolled : 1;
}

SmallVector<Value> ContractSums::sumTaps(const Panel &panel,
                                         ArrayRef<Value> sums, int64_t steps,
                                         int64_t unrolled) {
  Value image = element(imageStorage(), field(abi::Tile::image),
                        multiply(panel.first, panel.rowStride));
  return loop(
      constant(0), field(abi::Tile::taps), constant(1),
      SmallVector<Value>(sums), [&](Value tap, ValueRange before) {
        Value from = element(imageStorage(), image,
                             multiply(tap, field(abi::Tile::tapStride)));
        Value weight =
            element(weightStorage(), panel.weight,
                    multiply(tap, field(abi::Tile::weightTapStride)));
        SmallVector<Value> bases, partial(before);
        for (int64_t row = 0; row < panel.rows; row += kRowsForBase)
          bases.push_back(element(imageStorage(), from,
                                  multiply(panel.rowStride, constant(row))));
        if (isTogether())
          return sumTogether(partial, panel.rows, bases, panel.rowStride,
                             weight);
        if (steps == 0)
          return sumSteps(panel, partial, bases, weight, unrolled);
        addSteps(panel, partial, bases, weight, constant(0), steps);
        return partial;
      });
}

SmallVector<Value> ContractSums::sumSteps(const Panel &panel,
                                          SmallVector<Value> sums,
                                          ArrayRef<Value> bases, Value weight,
                                          int64_t unrolled) {
  // A sum of fewer steps than are unrolled is done in the remainder loop alone.
  Value depth = field(abi::Tile::depth);
  Value rest = LLVM::AndOp::create(b, loc, depth, constant(unrolled - 1));
  Value whole = LLVM::SubOp::create(b, loc, depth, rest);
  auto add = [&](int64_t count) {
    return [&, count](Value step, ValueRange partial) {
      SmallVector<Value> next(partial);
      addSteps(panel, next, bases, weight, step, count);
      return next;
    };
  };
  if (unrolled > 1)
    sums = loop(constant(0), whole, constant(unrolled), sums, add(unrolled));
  return loop(unrolled > 1 ? whole : constant(0), depth, constant(1), sums,
              add(1));
}

SmallVector<Value> ContractSums::sumTogether(SmallVector<Value> sums,
                                             int64_t rows,
                                             ArrayRef<Value> bases,
                                             Value rowStride, Value weight) {
  Value depth = field(abi::Tile::depth), together = constant(shape.together);
  Value rest = LLVM::AndOp::create(b, loc, depth, constant(shape.together - 1));
  Value whole = LLVM::SubOp::create(b, loc, depth, rest);
  auto steps = [&](Value mask) {
    return [&, mask](Value step, ValueRange partial) {
      SmallVector<Value> next(partial);
      addDotProducts(next, rows, bases, rowStride, weight, step, mask);
      return next;
    };
  };
  sums = loop(constant(0), whole, together, sums, steps({}));
  Value inside = compare(LLVM::ICmpPredicate::slt, laneNumbers(shape.together),
                         splat(rest, shape.together));
  return loop(whole, depth, together, sums, steps(inside));
}

void ContractSums::addDotProducts(SmallVector<Value> &sums, int64_t rows,
                                  ArrayRef<Value> bases, Value rowStride,
                                  Value weight, Value step, Value mask) {
  int64_t lanes = shape.tile.lanes;
  auto bytes = VectorType::get({lanes * shape.together}, b.getI8Type());
  auto few = VectorType::get({shape.together}, b.getI8Type());
  Value at = multiply(step, constant(shape.tile.panel()));
  SmallVector<Value> weights;
  for (int64_t v = 0; v < vectors; ++v)
    weights.push_back(LLVM::LoadOp::create(
        b, loc, bytes,
        element(weightStorage(), weight,
                add(at, constant(v * lanes * shape.together))),
        /*alignment=*/1));
  for (int64_t row = 0; row < rows; ++row) {
    Value offset = step;
    if (int64_t beyond = row % kRowsForBase)
      offset = add(offset, multiply(rowStride, constant(beyond)));
    Value from = element(imageStorage(), bases[row / kRowsForBase], offset);
    Value x;
    if (mask) {
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(few));
      x = LLVM::MaskedLoadOp::create(b, loc, few, from, mask, zero,
                                     /*alignment=*/1);
      x = LLVM::BitcastOp::create(b, loc, sumType(), x);
    } else {
      x = LLVM::LoadOp::create(b, loc, sumType(), from, /*alignment=*/1);
    }
    Value signs = arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(int32_t(0x80808080)));
    x = splat(LLVM::XOrOp::create(b, loc, x, signs), lanes);
    x = LLVM::BitcastOp::create(b, loc, bytes, x);
    for (int64_t v = 0; v < vectors; ++v) {
      Value &sum = sums[row * vectors + v];
      sum = LLVM::CallIntrinsicOp::create(
                b, loc, sum.getType(),
                b.getStringAttr("llvm.x86.avx512.vpdpbusd." +
                                std::to_string(lanes * 32)),
                ValueRange{sum, x, weights[v]})
                .getResults();
    }
  }
}

void ContractSums::keepOrder() {
  LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "singlethread");
}

void ContractSums::addSteps(const Panel &panel, SmallVector<Value> &sums,
                            ArrayRef<Value> bases, Value weight, Value first,
                            int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    if (k)
      keepOrder();
    addStep(panel, sums, bases, weight, k ? add(first, constant(k)) : first);
  }
}

void ContractSums::addStep(const Panel &panel, SmallVector<Value> &sums,
                           ArrayRef<Value> bases, Value weight, Value step) {
  SmallVector<Value> weights;
  Value at = multiply(step, panel.weightStride);
  for (int64_t v = 0; v < vectors; ++v)
    weights.push_back(
        loadWeights(weight, v ? add(at, constant(v * shape.tile.lanes)) : at,
                    panel.masks.empty() ? Value() : panel.masks[v]));
  if (panel.ahead) {
    Value ahead = LLVM::LShrOp::create(b, loc, at, field(abi::Tile::stride));
    LLVM::Prefetch::create(b, loc,
                           addressAhead(weightStorage(), panel.ahead, ahead),
                           /*rw=*/0, /*hint=*/2, /*cache=*/1);
  }
  for (int64_t row = 0; row < panel.rows; ++row) {
    Value offset = step;
    if (int64_t beyond = row % kRowsForBase)
      offset = add(offset, multiply(panel.rowStride, constant(beyond)));
    Value x = loadPixel(bases[row / kRowsForBase], offset);
    for (int64_t v = 0; v < vectors; ++v)
      addProduct(sums[row * vectors + v], x, weights[v]);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value ContractSums::widen(Value value, int64_t zero) {
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

Value ContractSums::loadWeights(Value base, Value offset, Value mask) {
  return widen(loadVector(shape.weightType, base, offset, mask),
               shape.weightZero);
}

Value ContractSums::loadPixels(Value base, Value offset, Value mask) {
  return widen(loadVector(shape.imageType, base, offset, mask),
               shape.imageZero);
}

Value ContractSums::loadPixel(Value base, Value offset) {
  Value pixel = loadScalar(shape.imageType, base, offset);
  return splat(widen(pixel, shape.imageZero), shape.tile.lanes);
}

void ContractSums::addProduct(Value &sum, Value x, Value y) {
  if (isa<IntegerType>(sumType()))
    sum =
        arith::AddIOp::create(b, loc, sum, arith::MulIOp::create(b, loc, x, y));
  else if (shape.fma)
    sum = LLVM::FMAOp::create(b, loc, sum.getType(), x, y, sum);
  else
    sum =
        arith::AddFOp::create(b, loc, sum, arith::MulFOp::create(b, loc, x, y));
}
