//===- Shadow.cpp - what a companion knows of a tensor --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Shadow.h"

#include "shape/Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool Shadow::isKnown() const {
  if (!isRanked)
    return bool(shape);
  return llvm::all_of(extents,
                      [](const ShadowExtent &e) { return e.isKnown(); });
}

/// The extents of a shaped type or of a `!loom.shape`; none where unranked.
static std::optional<ArrayRef<int64_t>> getExtents(Type type) {
  if (auto shape = dyn_cast<loom::ShapeType>(type))
    return shape.getRanked() ? std::optional(shape.getExtents()) : std::nullopt;
  auto shaped = cast<ShapedType>(type);
  return shaped.hasRank() ? std::optional(shaped.getShape()) : std::nullopt;
}

Value ShadowEmitter::getConstant(Location loc, int64_t value) {
  Value &constant = made[value];
  if (!constant) {
    OpBuilder start = OpBuilder::atBlockBegin(entry);
    constant = arith::ConstantIndexOp::create(start, loc, value);
  }
  return constant;
}

Shadow ShadowEmitter::ofType(Location loc, Type type) {
  std::optional<ArrayRef<int64_t>> extents = getExtents(type);
  if (!extents)
    return Shadow::ofShape(nullptr);
  Shadow shadow;
  for (int64_t extent : *extents)
    shadow.extents.push_back(
        ShapedType::isDynamic(extent) ? ShadowExtent() : getFixed(loc, extent));
  return shadow;
}

Shadow ShadowEmitter::withType(Location loc, const Shadow &shadow, Type type) {
  std::optional<ArrayRef<int64_t>> declared = getExtents(type);
  if (!declared)
    return shadow;
  Shadow result = ofType(loc, type);
  int64_t rank = declared->size();
  for (auto [axis, extent] : llvm::enumerate(result.extents)) {
    if (extent.isKnown())
      continue;
    // Where ranks differ, a guard has said so.
    if (shadow.isRanked && axis < shadow.extents.size())
      extent = shadow.extents[axis];
    else if (!shadow.isRanked)
      extent = getExtent(loc, shadow, static_cast<int64_t>(axis) - rank);
  }
  return result;
}

ShadowExtent ShadowEmitter::getExtent(Location loc, const Shadow &shadow,
                                      int64_t axis) {
  if (!shadow.isRanked) {
    if (!shadow.shape)
      return {};
    return ShadowExtent::exact(
        loom::ExtentOp::create(builder, loc, builder.getIndexType(),
                               shadow.shape, builder.getI64IntegerAttr(axis)));
  }
  int64_t rank = shadow.extents.size();
  if (axis < 0)
    axis += rank;
  // Beyond the rank extents are 1 (bcast-1).
  return axis < 0 || axis >= rank ? getFixed(loc, 1) : shadow.extents[axis];
}

Value ShadowEmitter::maximum(Location loc, Value a, Value b) {
  if (!a || !b)
    return nullptr;
  return a == b ? a : Value(arith::MaxSIOp::create(builder, loc, a, b));
}

Value ShadowEmitter::getShape(Location loc, const Shadow &shadow) {
  if (!shadow.isRanked || !shadow.isKnown())
    return shadow.isRanked ? Value() : shadow.shape;
  SmallVector<Value> values;
  for (const ShadowExtent &extent : shadow.extents)
    values.push_back(extent.value);
  return loom::FromExtentsOp::create(builder, loc, getAnyShape(), values);
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

namespace {

/// `Ops` of joinFormula.
struct JoinOps {
  OpBuilder &builder;
  Location loc;
  Value oneValue;

  Value one() const { return oneValue; }
  Value equal(Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  Value select(Value p, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, p, a, b);
  }
};

} // namespace

Value ShadowEmitter::join(Location loc, Value a, Value b) {
  if (Value known = joins.lookup({a, b}))
    return known;
  JoinOps ops{builder, loc, getConstant(loc, 1)};
  Value joined = joinFormula(ops, a, b);
  if (builder.getInsertionBlock() == entry)
    joins[{a, b}] = joined;
  return joined;
}

/// bcast-2 for one axis, after its guards.
ShadowExtent ShadowEmitter::join(Location loc, ArrayRef<ShadowExtent> parts) {
  SmallVector<Value> values;
  bool isExact = true;
  for (const ShadowExtent &part : parts) {
    isExact &= part.isExact;
    std::optional<int64_t> fixed;
    if (part.value)
      fixed = getConstantIntValue(part.value);
    if (part.isExact && fixed == 1)
      continue;
    // The others are 1 or the same.
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

Shadow ShadowEmitter::broadcast(Location loc, ArrayRef<Shadow> operands,
                                Type type) {
  size_t rank = 0;
  bool areRanked = true;
  for (const Shadow &operand : operands) {
    areRanked &= operand.isRanked;
    rank = std::max<size_t>(rank, operand.extents.size());
  }
  if (areRanked) {
    Shadow result;
    for (size_t i = 0; i < rank; ++i) {
      SmallVector<ShadowExtent> parts;
      for (const Shadow &operand : operands)
        parts.push_back(
            getExtent(loc, operand,
                      static_cast<int64_t>(i) - static_cast<int64_t>(rank)));
      result.extents.push_back(join(loc, parts));
    }
    return withType(loc, result, type);
  }
  SmallVector<Value> shapes;
  for (const Shadow &operand : operands)
    if (Value shape = getShape(loc, operand))
      shapes.push_back(shape);
    else
      return ofType(loc, type);
  return withType(loc,
                  Shadow::ofShape(loom::BroadcastOp::create(
                      builder, loc, getAnyShape(), shapes)),
                  type);
}

Shadow ShadowEmitter::either(Location loc, const Shadow &a, const Shadow &b) {
  if (!a.isRanked || !b.isRanked || a.extents.size() != b.extents.size())
    return Shadow::ofShape(
        a.isRanked || b.isRanked || a.shape != b.shape ? Value() : a.shape);
  Shadow result;
  for (auto [x, y] : llvm::zip_equal(a.extents, b.extents))
    result.extents.push_back(
        x == y ? x : ShadowExtent{maximum(loc, x.value, y.value), false});
  return result;
}
