//===- ContractChannels.cpp - sums channel by channel ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of depthwise contractions and pools: both factors are vectors of
// channels, and no weight is in panels.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

SmallVector<Value> ContractSums::beginChannels(int64_t rows) {
  if (shape.kind != ContractionKind::MaxPool)
    return zeros(rows);
  auto least = APFloat::getInf(cast<FloatType>(sumType()).getFloatSemantics(),
                               /*Negative=*/true);
  return repeat(b.getFloatAttr(sumType(), least), rows);
}

SmallVector<Value> ContractSums::sumChannels(int64_t rows, Value first,
                                             Value channel,
                                             ArrayRef<Value> masks) {
  Value rowStride = field(abi::Tile::rowStride);
  Value image = element(imageStorage(), field(abi::Tile::image),
                        add(multiply(first, rowStride), channel));
  Value weight = element(weightStorage(), field(abi::Tile::weight), channel);
  // Windows of several rows have all their columns (BroadloomTile::rows). Code
  // with masks stays short.
  bool isShared = shape.windowColumns > 1 && rows > 1 && masks.empty();
  // Processors with 32 registers were not measured.
  if (shape.kind == ContractionKind::Depthwise && shape.registers == 16 &&
      rows > 1 && masks.empty())
    prefetchColumns(rows, image);
  return loop(constant(0), field(abi::Tile::taps), constant(1),
              loadSums(beginChannels(rows), rows, first, channel),
              [&](Value tap, ValueRange before) {
                Value from =
                    element(imageStorage(), image,
                            multiply(tap, field(abi::Tile::tapStride)));
                Value with =
                    element(weightStorage(), weight,
                            multiply(tap, field(abi::Tile::weightTapStride)));
                SmallVector<Value> sums(before);
                if (!isShared)
                  return addColumns(sums, rows, from, with, masks);
                addSharedColumns(sums, rows, from, with);
                return sums;
              });
}

void ContractSums::prefetchColumns(int64_t rows, Value image) {
  // Windows one column apart are one line apart as well, others mostly two.
  int64_t apart = shape.windowColumns > 1 ? 1 : 2;
  auto last = [&](abi::Tile::Field count, abi::Tile::Field stride, int64_t i) {
    Value number = LLVM::SubOp::create(b, loc, field(count), constant(1 + i));
    return multiply(number, field(stride));
  };
  for (int64_t line = 0; line < apart; ++line) {
    Value tap = last(abi::Tile::taps, abi::Tile::tapStride, line);
    for (int64_t row = rows; row < 2 * rows; ++row)
      for (int64_t column = 0; column < apart; ++column) {
        Value at = add(multiply(field(abi::Tile::rowStride), constant(row)),
                       last(abi::Tile::depth, abi::Tile::stride, column));
        LLVM::Prefetch::create(
            b, loc, addressAhead(imageStorage(), image, add(tap, at)),
            /*rw=*/0, /*hint=*/3, /*cache=*/1);
      }
  }
}

SmallVector<Value> ContractSums::addColumns(SmallVector<Value> sums,
                                            int64_t rows, Value image,
                                            Value weight,
                                            ArrayRef<Value> masks) {
  return loop(constant(0), field(abi::Tile::depth), constant(1), sums,
              [&](Value column, ValueRange partial) {
                SmallVector<Value> next(partial);
                addColumn(next, rows, image, weight, column, masks);
                return next;
              });
}

void ContractSums::addSharedColumns(SmallVector<Value> &sums, int64_t rows,
                                    Value image, Value weight) {
  // Of a pixel, by its distance from the first, the vectors that are loaded.
  llvm::SmallDenseMap<std::pair<int64_t, int64_t>, Value> pixels;
  for (int64_t column = 0; column < shape.windowColumns; ++column) {
    Value with = multiply(field(abi::Tile::weightStride), constant(column));
    for (int64_t v = 0; v < vectors; ++v) {
      Value lane = constant(v * shape.tile.lanes);
      Value y = loadWeights(weight, add(with, lane), /*mask=*/{});
      for (int64_t row = 0; row < rows; ++row) {
        Value &x = pixels[{row + column, v}];
        Value pixel =
            multiply(field(abi::Tile::rowStride), constant(row + column));
        if (!x)
          x = loadPixels(image, add(pixel, lane), /*mask=*/{});
        addProduct(sums[row * vectors + v], x, y);
      }
    }
  }
}

void ContractSums::addColumn(SmallVector<Value> &sums, int64_t rows,
                             Value image, Value weight, Value column,
                             ArrayRef<Value> masks) {
  Value at = multiply(column, field(abi::Tile::stride));
  Value with = multiply(column, field(abi::Tile::weightStride));
  for (int64_t v = 0; v < vectors; ++v) {
    Value mask = masks.empty() ? Value() : masks[v];
    Value lane = constant(v * shape.tile.lanes);
    Value y = isPool(shape.kind) ? Value()
                                 : loadWeights(weight, add(with, lane), mask);
    for (int64_t row = 0; row < rows; ++row) {
      Value offset = add(add(at, lane),
                         multiply(field(abi::Tile::rowStride), constant(row)));
      Value x = loadPixels(image, offset, mask);
      Value &sum = sums[row * vectors + v];
      if (shape.kind == ContractionKind::MaxPool)
        sum = arith::MaximumFOp::create(b, loc, sum, x);
      else if (shape.kind == ContractionKind::SumPool)
        sum = arith::AddFOp::create(b, loc, sum, x);
      else
        addProduct(sum, x, y);
    }
  }
}
