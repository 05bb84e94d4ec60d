//===- Control.cpp - branches in shape queries ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch whose condition depends on extents becomes a branch in the shape
// query. If the condition depends on data, values that are the same on all
// paths are known, and an extent that differs has the larger one as its bound.
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Values that regions yield
//===----------------------------------------------------------------------===//

/// The types that represent a value of that type in the query: its open
/// extents, a shape, or the value itself.
void Translator::getCarriedTypes(Type type, SmallVectorImpl<Type> &types) {
  MLIRContext *context = type.getContext();
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    types.append(ranked.getNumDynamicDims(), IndexType::get(context));
  else if (isa<TensorType, loom::ShapeType>(type))
    types.push_back(loom::ShapeType::get(context, /*ranked=*/false, {}));
  else if (type.isIntOrIndex())
    types.push_back(type);
}

void Translator::flatten(Value value, Carried &carried) {
  bool isFree = poison.contains(value);
  auto add = [&](Value of, bool isExact) {
    carried.values.push_back(isFree ? Value() : of);
    carried.certainty.push_back(isFree    ? Certainty::Exact
                                : !of     ? Certainty::Unknown
                                : isExact ? Certainty::Exact
                                          : Certainty::Bound);
  };
  Type type = value.getType();
  if (auto ranked = dyn_cast<RankedTensorType>(type)) {
    BoundedShape bounded = getBoundedShape(value);
    for (auto [axis, extent] : llvm::enumerate(bounded.extents))
      if (ranked.isDynamicDim(axis))
        add(extent.value, extent.isExact);
  } else if (hasShape(type)) {
    add(emitter.getShape(value.getLoc(), getBoundedShape(value)), true);
  } else if (type.isIntOrIndex()) {
    add(getScalar(value), true);
  }
}

void Translator::flattenAll(ValueRange values, Carried &carried) {
  for (Value value : values)
    flatten(value, carried);
}

void Translator::unflatten(Value value, const Carried &carried, size_t &next) {
  auto take = [&]() -> BoundedExtent {
    Certainty certainty = carried.certainty[next];
    Value of = carried.values[next++];
    return {certainty == Certainty::Unknown ? Value() : of,
            certainty == Certainty::Exact};
  };
  boundedShapes.erase(value);
  scalars.erase(value);
  bounds.erase(value);
  poison.erase(value);
  Type type = value.getType();
  SmallVector<Type> slots;
  getCarriedTypes(type, slots);
  if (!slots.empty() && llvm::all_of(llvm::seq(slots.size()), [&](size_t i) {
        return carried.isFree(next + i);
      })) {
    poison.insert(value);
    next += slots.size();
    return;
  }
  if (auto ranked = dyn_cast<RankedTensorType>(type)) {
    BoundedShape bounded = emitter.ofType(value.getLoc(), type);
    for (auto [axis, extent] : llvm::enumerate(bounded.extents))
      if (ranked.isDynamicDim(axis))
        extent = take();
    boundedShapes[value] = bounded;
  } else if (hasShape(type)) {
    setBoundedShape(value, BoundedShape::ofShape(take().value));
  } else if (type.isIntOrIndex()) {
    if (BoundedExtent scalar = take(); scalar.isKnown())
      setScalar(value, scalar.value);
  }
}

void Translator::unflattenAll(ValueRange values, const Carried &carried) {
  size_t next = 0;
  for (Value value : values)
    unflatten(value, carried, next);
}

/// Fills unknown entries with placeholders.
void Translator::placeholders(Carried &carried, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(carried.values, types)) {
    if (value)
      continue;
    if (isa<IndexType>(type))
      value = emitter.getConstant(func.getLoc(), -1);
    else if (isa<loom::ShapeType>(type))
      value = loom::FromExtentsOp::create(b, func.getLoc(), type, ValueRange());
    else
      value = arith::ConstantOp::create(b, func.getLoc(),
                                        cast<TypedAttr>(b.getZeroAttr(type)));
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Translator::translate(scf::IfOp op) {
  Location loc = op.getLoc();
  Value condition = getScalar(op.getCondition());
  llvm::SaveAndRestore level(depth, depth + 1);
  if (depth > kMaxDepth)
    return;
  auto branch = [&](Region &region, Carried &carried) {
    if (region.empty())
      return;
    translate(region.front());
    flattenAll(region.front().getTerminator()->getOperands(), carried);
  };
  Carried yes, no;
  if (!condition) {
    llvm::SaveAndRestore path(certain, false);
    branch(op.getThenRegion(), yes);
    branch(op.getElseRegion(), no);
    if (op.getNumResults() == 0)
      return;
    for (size_t i : llvm::seq(yes.values.size())) {
      Value &value = yes.values[i], other = no.values[i];
      Certainty &certainty = yes.certainty[i];
      if (no.isFree(i) || (value == other && certainty == no.certainty[i]))
        continue;
      if (yes.isFree(i)) {
        value = other;
        certainty = no.certainty[i];
        continue;
      }
      certainty = Certainty::Unknown;
      if (!value || !other || !value.getType().isIndex())
        continue;
      value = emitter.maximum(loc, value, other);
      certainty = Certainty::Bound;
    }
    return unflattenAll(op.getResults(), yes);
  }

  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    getCarriedTypes(type, types);
  auto made = scf::IfOp::create(b, loc, types, condition,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto fill = [&](Block *block, Region &region, Carried &carried) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    branch(region, carried);
    Carried filled = carried;
    placeholders(filled, types);
    scf::YieldOp::create(b, loc, filled.values);
  };
  for (Block *block : {made.thenBlock(), made.elseBlock()})
    if (block->mightHaveTerminator())
      block->getTerminator()->erase();
  fill(made.thenBlock(), op.getThenRegion(), yes);
  fill(made.elseBlock(), op.getElseRegion(), no);
  Carried result{SmallVector<Value>(made.getResults()), {}};
  for (size_t i : llvm::seq(types.size())) {
    result.certainty.push_back(std::max(yes.certainty[i], no.certainty[i]));
    if (yes.isFree(i) && no.isFree(i))
      result.values[i] = {};
  }
  unflattenAll(op.getResults(), result);
}
