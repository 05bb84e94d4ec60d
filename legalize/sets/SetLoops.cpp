//===- SetLoops.cpp - loops over tensors whose shape is a set -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/SetLoops.h"

#include "infer/functions/Origin.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

SetLoops::SetLoops(OpBuilder &b, Operation *op)
    : b(b), loc(op->getLoc()), origin(infer::getOrigin(op)), formulas(b, loc) {}

OpFoldResult SetTensor::getExtent(int64_t axis) const {
  if (type.isDynamicDim(axis))
    return symbols[getSet().getSymbolAxis(axis)];
  return IntegerAttr::get(IndexType::get(type.getContext()),
                          type.getDimSize(axis));
}

static OpFoldResult getOne(OpBuilder &b) { return b.getIndexAttr(1); }

DensePart::DensePart(OpBuilder &b, ArrayRef<Value> indices, size_t axis,
                     Value length)
    : offsets(indices.begin(), indices.end()), sizes(indices.size(), getOne(b)),
      strides(indices.size(), getOne(b)) {
  sizes[axis] = length;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value SetLoops::makeLoop(Value first, Value end, int64_t step, Value carried,
                         llvm::function_ref<Value(Value, Value)> body) {
  auto loop =
      scf::ForOp::create(b, loc, first, end, formulas.get(step), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), loop.getRegionIterArg(0));
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

Value SetLoops::forEachRun(const SetTensor &set, Value carried, Body body) {
  return forEachRun(set.getSet(), set.symbols, carried, body);
}

std::pair<Value, Value> SetLoops::computeRange(loom::SetShapeAttr set,
                                               ArrayRef<Value> values) {
  size_t numSymbols = set.getNumSymbols(), axis = values.size() - numSymbols;
  const poly::Interval &interval = set.getPacked().axes[axis];
  Value first = formulas.computeFirst(interval, values),
        end = formulas.computeEnd(interval, values);
  if (numSymbols == 0)
    return {first, end};
  return {formulas.make<arith::MaxSIOp>(first, formulas.get(0)),
          formulas.make<arith::MinSIOp>(end, values[set.getSymbolAxis(axis)])};
}

Value SetLoops::forEachRun(loom::SetShapeAttr set, SmallVector<Value> values,
                           Value carried, Body body) {
  const poly::PackedSet &packed = set.getPacked();
  size_t axis = values.size() - set.getNumSymbols();
  if (axis + 1 < packed.axes.size()) {
    auto [first, end] = computeRange(set, values);
    return makeLoop(first, end, 1, carried, [&](Value index, Value partial) {
      SmallVector<Value> next = values;
      next.push_back(index);
      return forEachRun(set, std::move(next), partial, body);
    });
  }
  Value first = formulas.computeFirst(packed.axes[axis], values),
        end = formulas.computeEnd(packed.axes[axis], values);
  Run run{values, {}, {}};
  run.values.push_back(first);
  run.place = formulas.compute(packed.place, run.values);
  run.length = formulas.make<arith::MaxSIOp>(
      formulas.make<arith::SubIOp>(end, first), formulas.get(0));
  return body(run, carried);
}

Value SetLoops::makeEmpty(const SetTensor &set) {
  RankedTensorType type = loom::getSetElements(set.type);
  SmallVector<Value> extents;
  if (!type.hasStaticShape())
    extents.push_back(
        formulas.compute(set.getSet().getPacked().count, set.symbols));
  return tensor::EmptyOp::create(b, loc, type, extents);
}

Value SetLoops::makeZeros(RankedTensorType type,
                          ArrayRef<OpFoldResult> extents) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  SmallVector<Value> dynamic;
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (type.isDynamicDim(axis))
      dynamic.push_back(getValueOrCreateConstantIndexOp(b, loc, extent));
  Value empty = tensor::EmptyOp::create(b, loc, type, dynamic);
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

Value SetLoops::takeRun(Value elements, const Run &run) {
  return tensor::ExtractSliceOp::create(b, loc, elements,
                                        OpFoldResult(run.place),
                                        OpFoldResult(run.length), getOne(b));
}

//===----------------------------------------------------------------------===//
// From and to dense tensors
//===----------------------------------------------------------------------===//

Value SetLoops::pack(const SetTensor &to, Value dense) {
  size_t numSymbols = to.symbols.size();
  auto type =
      RankedTensorType::get({ShapedType::kDynamic}, to.type.getElementType());
  return forEachRun(to, makeEmpty(to), [&](const Run &run, Value partial) {
    auto indices = ArrayRef(run.values).drop_front(numSymbols);
    DensePart part(b, indices, indices.size() - 1, run.length);
    Value row = tensor::ExtractSliceOp::create(
        b, loc, type, dense, part.offsets, part.sizes, part.strides);
    return Value(tensor::InsertSliceOp::create(
        b, loc, row, partial, OpFoldResult(run.place), OpFoldResult(run.length),
        getOne(b)));
  });
}

Value SetLoops::unpack(const SetTensor &from, RankedTensorType type,
                       bool isSymmetric) {
  SmallVector<OpFoldResult> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(from.getExtent(axis));
  auto insert = [&](Value row, Value into, ArrayRef<Value> indices, size_t axis,
                    Value length) {
    DensePart part(b, indices, axis, length);
    return Value(tensor::InsertSliceOp::create(b, loc, row, into, part.offsets,
                                               part.sizes, part.strides));
  };
  return forEachRun(
      from, makeZeros(type, extents), [&](const Run &run, Value partial) {
        auto indices = ArrayRef(run.values).drop_front(from.symbols.size());
        Value row = takeRun(from.elements, run);
        size_t last = indices.size() - 1;
        Value whole = insert(row, partial, indices, last, run.length);
        if (!isSymmetric)
          return whole;
        return insert(row, whole, {indices[1], indices[0]}, 0, run.length);
      });
}

namespace {

/// Whether an element is none of the set and wrong, in the body of a loop.
class RestCheck {
public:
  RestCheck(OpBuilder &b, Location loc, const SetTensor &set)
      : b(b), loc(loc), formulas(b, loc), set(set) {}

  Value isWrong(ArrayRef<Value> indices, Value element, Value mirrored) {
    Value expected =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(element.getType()));
    if (mirrored)
      expected = arith::SelectOp::create(
          b, loc, isInside({indices[1], indices[0]}), mirrored, expected);
    Value isRest = formulas.make<arith::XOrIOp>(
        isInside(indices),
        arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
    return formulas.make<arith::AndIOp>(isRest, differ(element, expected));
  }

private:
  Value isInside(ArrayRef<Value> indices) {
    SmallVector<Value> values(set.symbols);
    llvm::append_range(values, indices);
    return formulas.holds(set.getSet().getSet().getParts().front(), values);
  }

  /// A NaN is no number, but what is mirrored may be one.
  Value differ(Value x, Value y) {
    if (!isa<FloatType>(x.getType()))
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, y);
    auto compare = [&](arith::CmpFPredicate predicate, Value p, Value q) {
      return arith::CmpFOp::create(b, loc, predicate, p, q).getResult();
    };
    Value isNumber =
        formulas.make<arith::OrIOp>(compare(arith::CmpFPredicate::ORD, x, x),
                                    compare(arith::CmpFPredicate::ORD, y, y));
    return formulas.make<arith::AndIOp>(
        compare(arith::CmpFPredicate::UNE, x, y), isNumber);
  }

  OpBuilder &b;
  Location loc;
  SetFormulas formulas;
  const SetTensor &set;
};

} // namespace

void SetLoops::requireRest(const SetTensor &set, Value dense,
                           bool isSymmetric) {
  // The number of the first wrong element, in row-major order, or the largest
  // one.
  Type i64 = b.getI64Type();
  Value none = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(std::numeric_limits<int64_t>::max()));
  auto scalar = RankedTensorType::get({}, i64);
  Value empty = tensor::EmptyOp::create(b, loc, scalar, ValueRange{});
  Value begin = linalg::FillOp::create(b, loc, none, empty).getResult(0);
  int64_t rank = set.type.getRank();
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < rank; ++axis)
    extents.push_back(tensor::DimOp::create(b, loc, dense, axis));
  auto identity = b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps = {identity};
  SmallVector<Value> inputs = {dense};
  if (isSymmetric) {
    maps.push_back(
        AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext()));
    inputs.push_back(dense);
  }
  maps.push_back(AffineMap::get(rank, 0, b.getContext()));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::reduction);
  auto search = linalg::GenericOp::create(
      b, loc, scalar, inputs, begin, maps, kinds,
      [&](OpBuilder &inner, Location at, ValueRange elements) {
        SetFormulas within(inner, at);
        SmallVector<Value> indices;
        Value number;
        for (int64_t axis = 0; axis < rank; ++axis) {
          Value index = linalg::IndexOp::create(inner, at, axis);
          indices.push_back(index);
          number = number
                       ? within.make<arith::AddIOp>(
                             within.make<arith::MulIOp>(number, extents[axis]),
                             index)
                       : index;
        }
        Value isWrong = RestCheck(inner, at, set)
                            .isWrong(indices, elements[0],
                                     isSymmetric ? elements[1] : Value());
        Value word = arith::IndexCastOp::create(inner, at, i64, number);
        Value here = arith::SelectOp::create(inner, at, isWrong, word, none);
        linalg::YieldOp::create(
            inner, at, within.make<arith::MinSIOp>(elements.back(), here));
      });
  Value first =
      tensor::ExtractOp::create(b, loc, search.getResult(0), ValueRange{});
  Value isFine =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, none);
  Value rest = arith::IndexCastOp::create(b, loc, b.getIndexType(), first);
  SmallVector<Value> indices(rank);
  for (int64_t axis = rank; axis-- > 0;) {
    Value extent =
        formulas.make<arith::MaxSIOp>(extents[axis], formulas.get(1));
    indices[axis] = formulas.make<arith::RemSIOp>(rest, extent);
    rest = formulas.make<arith::DivSIOp>(rest, extent);
  }
  std::string place = "[";
  for (int64_t axis = 0; axis < rank; ++axis)
    place += (axis ? ", {" : "{") + std::to_string(axis) + "}";
  std::string message = "element " + place + "] of the tensor is not ";
  message += isSymmetric ? "element [{1}, {0}], or 0 where the shape has "
                           "neither"
                         : "0";
  message += "; it is none of the shape " +
             escapeTemplate(set.getSet().getText().str()) +
             ", and 'dropped' leaves it out";
  loom::ConstrainOp::create(b, loc, origin, isFine, message, indices);
}

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

Value SetLoops::transpose(const SetTensor &from, const SetTensor &to,
                          ArrayRef<int64_t> order) {
  const poly::PackedSet &packed = from.getSet().getPacked();
  size_t numSymbols = from.symbols.size();
  return forEachRun(to, makeEmpty(to), [&](const Run &run, Value carried) {
    return makeLoop(
        formulas.get(0), run.length, 1, carried,
        [&](Value step, Value partial) {
          SmallVector<Value> values(from.symbols);
          values.resize(numSymbols + order.size());
          for (auto [axis, source] : llvm::enumerate(order))
            values[numSymbols + source] = run.values[numSymbols + axis];
          Value &inner = values[numSymbols + order.back()];
          inner = formulas.make<arith::AddIOp>(inner, step);
          Value element = tensor::ExtractOp::create(
              b, loc, from.elements, formulas.compute(packed.place, values));
          return Value(tensor::InsertOp::create(
              b, loc, element, partial,
              formulas.make<arith::AddIOp>(run.place, step)));
        });
  });
}
