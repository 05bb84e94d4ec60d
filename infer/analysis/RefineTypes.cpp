//===- RefineTypes.cpp - types that say what is known of shapes -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/RefineTypes.h"

#include "dialect/ShapeConversion.h"
#include "infer/functions/DiagnosticListener.h"
#include "infer/functions/UserDialects.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The declared shape and the known one together; unranked if they contradict
/// each other, as in unreachable code.
static Shape merge(const Shape &declared, const Shape &known) {
  if (!declared.isRanked())
    return known;
  if (!known.isRanked() || known.rank() != declared.rank())
    return Shape::unranked();
  Shape merged;
  for (size_t axis = 0; axis < known.rank(); ++axis) {
    Extent fixed = declared[axis], extent = known[axis];
    if (fixed.isFixed() && extent.isFixed() && fixed != extent)
      return Shape::unranked();
    merged.push_back(fixed.isFixed() ? fixed : extent);
  }
  return merged;
}

/// The type `declared`, of a tensor or one that carries a tensor's, with this
/// shape; null if that is the same type. It keeps its encoding; `encoding` is
/// for a type without one.
static Type getRefined(Type declared, const Shape &known,
                       Attribute encoding = {}) {
  TensorType carried = getCarriedType(declared);
  auto type = carried ? carried : dyn_cast<TensorType>(declared);
  if (!type || !known.isRanked())
    return {};
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && ranked.hasStaticShape())
    return {};
  Shape shape = merge(*shapeOf(type), known);
  if (!shape.isRanked())
    return {};
  // A ranked type without an encoding declares that it has none.
  TensorType refined = withShape(type, shape, ranked ? Attribute() : encoding);
  if (!refined || refined == type)
    return {};
  return carried ? withCarriedType(declared, refined) : Type(refined);
}

Attribute infer::getEncoding(const ResultComponents &components) {
  return isa_and_nonnull<UnitAttr>(components.encoding) ? Attribute()
                                                        : components.encoding;
}

Shape TypeRefiner::getShown(const Shape &shape) const {
  if (!shape.isRanked())
    return shape;
  Shape shown;
  for (Extent extent : shape)
    shown.push_back(precision == Precision::Ranks
                        ? Extent::dynamic()
                        : analysis.getProver().resolve(extent));
  return shown;
}

Shape TypeRefiner::getKnown(Value value) {
  return getShown(analysis.getInfo(value).shape);
}

bool TypeRefiner::refineResult(OpResult result, Attribute encoding) {
  Type type = result.getType();
  Type refined = ShapeAnalysis::hasShape(type)
                     ? getRefined(type, getKnown(result), encoding)
                     : Type();
  if (!refined)
    return false;
  OpBuilder builder(result.getOwner()->getContext());
  builder.setInsertionPointAfter(result.getOwner());
  result.setType(refined);
  Operation *cast;
  if (isa<TensorType>(type))
    cast = tensor::CastOp::create(builder, result.getLoc(), type, result);
  else
    cast = UnrealizedConversionCastOp::create(builder, result.getLoc(), type,
                                              result);
  result.replaceAllUsesExcept(cast->getResult(0), cast);
  analysis.setSame(cast->getResult(0), result);
  return true;
}

/// The source of a cast to a less precise type; else the value itself.
static Value lookThrough(Value value) {
  Operation *def = value.getDefiningOp();
  auto cast = dyn_cast_or_null<tensor::CastOp>(def);
  if (cast && tensor::canFoldIntoConsumerOp(cast))
    return cast.getSource();
  auto between = dyn_cast_or_null<UnrealizedConversionCastOp>(def);
  if (between && between.getNumOperands() == 1 &&
      isUserType(between.getOperand(0).getType()))
    return between.getOperand(0);
  return value;
}

Value TypeRefiner::castOperand(Operation *op, Value value, Type type) {
  if (auto cast = value.getDefiningOp<tensor::CastOp>();
      cast && cast.getSource().getType() == type)
    return cast.getSource();
  Value &cast = casts[value];
  if (cast && cast.getType() == type && cast.getParentBlock() == op->getBlock())
    return cast;
  OpBuilder builder(op);
  cast = tensor::CastOp::create(builder, op->getLoc(), type, value);
  analysis.setSame(cast, value);
  return cast;
}

Type TypeRefiner::getBetter(Value value) {
  return isa<TensorType>(value.getType())
             ? getRefined(value.getType(), getKnown(value))
             : Type();
}

void TypeRefiner::refineOperands(Operation *op, bool casts) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = lookThrough(operand.get());
    Type refined = casts ? getBetter(value) : Type();
    operand.set(refined ? castOperand(op, value, refined) : value);
  }
}

void TypeRefiner::rankOperands(loom::MapOp map) {
  for (OpOperand &operand : map->getOpOperands()) {
    auto type = dyn_cast<UnrankedTensorType>(operand.get().getType());
    if (Type refined =
            type ? getRefined(type, getKnown(operand.get())) : Type())
      operand.set(castOperand(map, operand.get(), refined));
  }
}

void TypeRefiner::bypassCasts(loom::ShapeOfOp op) {
  Value source = lookThrough(op.getTensor());
  // Operations of other dialects may require the type of the shape as it is.
  if (source == op.getTensor() ||
      !llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa_and_nonnull<loom::LoomDialect>(user->getDialect());
      }))
    return;
  op.getTensorMutable().set(source);
  op.getShape().setType(loom::ShapeType::get(
      op.getContext(), cast<ShapedType>(source.getType())));
}

bool TypeRefiner::staysValid(Operation *op, const Outcome &outcome, bool casts,
                             Verify verifies) {
  Operation *trial = op->clone();
  OpBuilder builder(op->getContext());
  SmallVector<Operation *> trialCasts;
  for (OpOperand &operand : trial->getOpOperands()) {
    operand.set(lookThrough(operand.get()));
    if (Type refined = casts ? getBetter(operand.get()) : Type()) {
      operand.set(tensor::CastOp::create(builder, op->getLoc(), refined,
                                         operand.get()));
      trialCasts.push_back(operand.get().getDefiningOp());
    }
  }
  for (auto [result, components] :
       llvm::zip(trial->getResults(), outcome.results))
    if (Type refined = getRefined(result.getType(), getShown(components.shape),
                                  getEncoding(components)))
      result.setType(refined);
  DiagnosticListener listener(op->getContext());
  bool isValid = succeeded(verifies(trial));
  trial->erase();
  for (Operation *cast : trialCasts)
    cast->erase();
  return isValid;
}
