//===- BoundedShape.cpp - what a shape query knows of a tensor ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/BoundedShape.h"

#include "dialect/BroadcastExtents.h"
#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool BoundedShape::isKnown() const {
  if (!isRanked)
    return bool(shape);
  return llvm::all_of(extents,
                      [](const BoundedExtent &e) { return e.isKnown(); });
}

Value BoundedShapeEmitter::getConstant(Location loc, int64_t value) {
  Value &constant = made[value];
  if (!constant) {
    OpBuilder start = OpBuilder::atBlockBegin(entry);
    constant = arith::ConstantIndexOp::create(start, loc, value);
  }
  return constant;
}

BoundedShape BoundedShapeEmitter::ofType(Location loc, Type type) {
  std::optional<ArrayRef<int64_t>> extents = getDeclaredExtents(type);
  if (!extents)
    return BoundedShape::ofShape(nullptr);
  BoundedShape bounded;
  for (int64_t extent : *extents)
    bounded.extents.push_back(ShapedType::isDynamic(extent)
                                  ? BoundedExtent()
                                  : getFixed(loc, extent));
  return bounded;
}

BoundedShape BoundedShapeEmitter::withType(Location loc,
                                           const BoundedShape &bounded,
                                           Type type) {
  std::optional<ArrayRef<int64_t>> declared = getDeclaredExtents(type);
  if (!declared)
    return bounded;
  BoundedShape result = ofType(loc, type);
  int64_t rank = declared->size();
  for (auto [axis, extent] : llvm::enumerate(result.extents)) {
    if (extent.isKnown())
      continue;
    // If ranks differ, a guard has failed before.
    if (bounded.isRanked && axis < bounded.extents.size())
      extent = bounded.extents[axis];
    else if (!bounded.isRanked)
      extent = getExtent(loc, bounded, static_cast<int64_t>(axis) - rank);
  }
  return result;
}

BoundedExtent BoundedShapeEmitter::getExtent(Location loc,
                                             const BoundedShape &bounded,
                                             int64_t axis) {
  if (!bounded.isRanked) {
    if (!bounded.shape)
      return {};
    return BoundedExtent::exact(
        loom::ExtentOp::create(builder, loc, builder.getIndexType(),
                               bounded.shape, builder.getI64IntegerAttr(axis)));
  }
  int64_t rank = bounded.extents.size();
  if (axis < 0)
    axis += rank;
  // Extents beyond the rank are 1 (bcast-1).
  return axis < 0 || axis >= rank ? getFixed(loc, 1) : bounded.extents[axis];
}

BoundedExtent BoundedShapeEmitter::chooseExtent(Location loc,
                                                const BoundedShape &bounded,
                                                Value axis) {
  Value chosen = bounded.extents.front().value;
  for (size_t i = 1; i < bounded.extents.size(); ++i) {
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     axis, getConstant(loc, int64_t(i)));
    chosen = arith::SelectOp::create(builder, loc, is, bounded.extents[i].value,
                                     chosen);
  }
  return BoundedExtent::exact(chosen);
}

Value BoundedShapeEmitter::maximum(Location loc, Value a, Value b) {
  if (!a || !b)
    return nullptr;
  return a == b ? a : Value(arith::MaxSIOp::create(builder, loc, a, b));
}

Value BoundedShapeEmitter::getShape(Location loc, const BoundedShape &bounded) {
  if (!bounded.isRanked || !bounded.isKnown())
    return bounded.isRanked ? Value() : bounded.shape;
  SmallVector<Value> values;
  for (const BoundedExtent &extent : bounded.extents)
    values.push_back(extent.value);
  return loom::FromExtentsOp::create(builder, loc, getAnyShape(), values);
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

Value BoundedShapeEmitter::join(Location loc, Value a, Value b) {
  if (Value known = joins.lookup({a, b}))
    return known;
  Value joined =
      loom::emitBroadcastExtent(builder, loc, a, b, getConstant(loc, 1));
  if (builder.getInsertionBlock() == entry)
    joins[{a, b}] = joined;
  return joined;
}

/// bcast-2 for one axis, after its guards.
BoundedExtent BoundedShapeEmitter::join(Location loc,
                                        ArrayRef<BoundedExtent> parts) {
  SmallVector<Value> values;
  bool isExact = true;
  for (const BoundedExtent &part : parts) {
    isExact &= part.isExact;
    std::optional<int64_t> fixed;
    if (part.value)
      fixed = getConstantIntValue(part.value);
    if (part.isExact && fixed == 1)
      continue;
    // The other extents are 1 or equal to this one.
    if (part.isExact && fixed)
      return part;
    if (!llvm::is_contained(values, part.value))
      values.push_back(part.value);
  }
  if (values.empty())
    return getFixed(loc, 1);
  Value joined = values.front();
  for (Value value : llvm::drop_begin(values))
    joined = isExact ? join(loc, joined, value) : maximum(loc, joined, value);
  return {joined, isExact};
}

BoundedShape BoundedShapeEmitter::broadcast(Location loc,
                                            ArrayRef<BoundedShape> operands,
                                            Type type) {
  size_t rank = 0;
  bool areRanked = true;
  for (const BoundedShape &operand : operands) {
    areRanked &= operand.isRanked;
    rank = std::max<size_t>(rank, operand.extents.size());
  }
  if (areRanked) {
    BoundedShape result;
    for (size_t i = 0; i < rank; ++i) {
      SmallVector<BoundedExtent> parts;
      for (const BoundedShape &operand : operands)
        parts.push_back(
            getExtent(loc, operand,
                      static_cast<int64_t>(i) - static_cast<int64_t>(rank)));
      result.extents.push_back(join(loc, parts));
    }
    return withType(loc, result, type);
  }
  SmallVector<Value> shapes;
  for (const BoundedShape &operand : operands)
    if (Value shape = getShape(loc, operand))
      shapes.push_back(shape);
    else
      return ofType(loc, type);
  return withType(loc,
                  BoundedShape::ofShape(loom::BroadcastOp::create(
                      builder, loc, getAnyShape(), shapes)),
                  type);
}

BoundedShape BoundedShapeEmitter::either(Location loc, const BoundedShape &a,
                                         const BoundedShape &b) {
  if (!a.isRanked || !b.isRanked || a.extents.size() != b.extents.size())
    return BoundedShape::ofShape(
        a.isRanked || b.isRanked || a.shape != b.shape ? Value() : a.shape);
  BoundedShape result;
  for (auto [x, y] : llvm::zip_equal(a.extents, b.extents))
    result.extents.push_back(
        x == y ? x : BoundedExtent{maximum(loc, x.value, y.value), false});
  return result;
}
