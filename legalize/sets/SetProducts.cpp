//===- SetProducts.cpp - products of tensors whose shape is a set ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of a set takes some of its rows at a time, which are made dense
// where one of them has elements. So are the rows of another set that these are
// multiplied with.
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/SetLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Rows of a set that are made dense at a time: more of them have more zeros,
/// and fewer lay out the other factor more often.
static constexpr int64_t kRowsAtOnce = 128;

std::pair<Value, Value> SetLoops::computeColumns(const SetTensor &from,
                                                 Value firstRow, Value endRow) {
  using arith::MaxSIOp, arith::MinSIOp, arith::SubIOp;
  const poly::Interval &columns = from.getSet().getPacked().axes[1];
  SmallVector<Value> top(from.symbols), bottom(from.symbols);
  top.push_back(firstRow);
  bottom.push_back(formulas.make<SubIOp>(endRow, formulas.get(1)));
  // Bounds are affine, so that their extremes are those of the first and the
  // last row. Without rows, they may be beyond the extents.
  Value begin = formulas.get(0),
        end = getValueOrCreateConstantIndexOp(b, loc, from.getExtent(1));
  Value extent = end;
  for (const poly::Form &lower : columns.lowers)
    begin = formulas.make<MaxSIOp>(
        begin, formulas.make<MinSIOp>(formulas.compute(lower, top),
                                      formulas.compute(lower, bottom)));
  for (const poly::Form &upper : columns.uppers)
    end = formulas.make<MinSIOp>(
        end, formulas.make<MaxSIOp>(formulas.compute(upper + 1, top),
                                    formulas.compute(upper + 1, bottom)));
  begin = formulas.make<MinSIOp>(begin, extent);
  return {begin, formulas.make<MaxSIOp>(begin, end)};
}

std::pair<Value, Value> SetLoops::limitRows(const SetTensor &set,
                                            Value firstRow, Value endRow) {
  using arith::MaxSIOp, arith::MinSIOp;
  auto [firstOfSet, endOfSet] = computeRange(set.getSet(), set.symbols);
  Value first = formulas.make<MaxSIOp>(firstRow, firstOfSet);
  return {first, formulas.make<MaxSIOp>(
                     first, formulas.make<MinSIOp>(endRow, endOfSet))};
}

SetLoops::Panel SetLoops::unpackRows(const SetTensor &from, Value firstRow,
                                     Value rows) {
  using arith::SubIOp;
  auto [first, end] =
      limitRows(from, firstRow, formulas.make<arith::AddIOp>(firstRow, rows));
  auto [begin, endColumn] = computeColumns(from, first, end);
  Value left = begin, width = formulas.make<SubIOp>(endColumn, begin);
  auto type = RankedTensorType::get(
      {ShapedType::kDynamic, ShapedType::kDynamic}, from.type.getElementType());
  Value elements = makeLoop(
      first, end, 1, makeZeros(type, {rows, width}),
      [&](Value row, Value partial) {
        SmallVector<Value> values(from.symbols);
        values.push_back(row);
        return forEachRun(
            from.getSet(), values, partial, [&](const Run &run, Value into) {
              Value at[] = {formulas.make<SubIOp>(row, firstRow),
                            formulas.make<SubIOp>(run.values.back(), left)};
              DensePart part(b, at, 1, run.length);
              return Value(tensor::InsertSliceOp::create(
                  b, loc, takeRun(from.elements, run), into, part.offsets,
                  part.sizes, part.strides));
            });
      });
  return {begin, width, elements};
}

SetLoops::Panel SetLoops::multiplyRows(const SetTensor &from,
                                       const Factor &other, Value firstRow,
                                       Value rows) {
  Panel panel = unpackRows(from, firstRow, rows), factor;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  if (const auto *set = std::get_if<SetTensor>(&other)) {
    factor = unpackRows(*set, panel.begin, panel.width);
  } else {
    Value dense = std::get<Value>(other);
    factor.begin = formulas.get(0);
    factor.width = tensor::DimOp::create(b, loc, dense, 1);
    factor.elements =
        tensor::ExtractSliceOp::create(b, loc, dense, {panel.begin, zero},
                                       {panel.width, factor.width}, {one, one});
  }
  Value zeros = makeZeros(cast<RankedTensorType>(panel.elements.getType()),
                          {rows, factor.width});
  Value product = linalg::MatmulOp::create(
                      b, loc, TypeRange{zeros.getType()},
                      ValueRange{panel.elements, factor.elements}, zeros)
                      .getResult(0);
  return {factor.begin, factor.width, product};
}

Value SetLoops::forEachRows(
    const SetTensor &from, Value carried,
    llvm::function_ref<Value(Value, Value, Value)> body) {
  auto range = computeRange(from.getSet(), from.symbols);
  Value end = range.second;
  return makeLoop(
      range.first, end, kRowsAtOnce, carried, [&](Value row, Value partial) {
        Value count = formulas.make<arith::MinSIOp>(
            formulas.get(kRowsAtOnce), formulas.make<arith::SubIOp>(end, row));
        return body(row, count, partial);
      });
}

Value SetLoops::multiply(const SetTensor &from, const Factor &other,
                         RankedTensorType type) {
  OpFoldResult columns;
  if (const auto *set = std::get_if<SetTensor>(&other))
    columns = set->getExtent(1);
  else
    columns = tensor::getMixedSize(b, loc, std::get<Value>(other), 1);
  OpFoldResult one = b.getIndexAttr(1);
  return forEachRows(from, makeZeros(type, {from.getExtent(0), columns}),
                     [&](Value row, Value rows, Value partial) -> Value {
                       Panel part = multiplyRows(from, other, row, rows);
                       return tensor::InsertSliceOp::create(
                           b, loc, part.elements, partial, {row, part.begin},
                           {rows, part.width}, {one, one});
                     });
}

Value SetLoops::multiply(const SetTensor &from, const SetTensor &other,
                         const SetTensor &to) {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  Value empty = makeEmpty(to);
  Value zeros = makeZeros(cast<RankedTensorType>(empty.getType()),
                          tensor::getMixedSizes(b, loc, empty));
  auto open = RankedTensorType::get(
      {ShapedType::kDynamic, ShapedType::kDynamic}, to.type.getElementType());
  return forEachRows(
      from, zeros, [&](Value firstRow, Value rows, Value partial) {
        Panel part = multiplyRows(from, other, firstRow, rows);
        // Rows of the result may go on where those of the product end.
        Value wide = tensor::InsertSliceOp::create(
            b, loc, part.elements, makeZeros(open, {rows, to.getExtent(1)}),
            {zero, part.begin}, {rows, part.width}, {one, one});
        auto [first, end] = limitRows(
            to, firstRow, formulas.make<arith::AddIOp>(firstRow, rows));
        return makeLoop(first, end, 1, partial, [&](Value row, Value into) {
          SmallVector<Value> values(to.symbols);
          values.push_back(row);
          return forEachRun(
              to.getSet(), values, into, [&](const Run &run, Value packed) {
                Value at[] = {formulas.make<arith::SubIOp>(row, firstRow),
                              run.values.back()};
                DensePart of(b, at, 1, run.length);
                Value elements = tensor::ExtractSliceOp::create(
                    b, loc,
                    RankedTensorType::get({ShapedType::kDynamic},
                                          to.type.getElementType()),
                    wide, of.offsets, of.sizes, of.strides);
                return Value(tensor::InsertSliceOp::create(
                    b, loc, elements, packed, OpFoldResult(run.place),
                    OpFoldResult(run.length), one));
              });
        });
      });
}
