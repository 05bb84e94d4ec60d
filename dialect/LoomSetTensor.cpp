//===- LoomSetTensor.cpp - tensors whose shape is a set -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomSetTensor.h"

#include "poly/PackedSet.h"

#include "mlir/IR/TensorEncoding.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

#include "dialect/LoomSetTensorEnums.cpp.inc"

//===----------------------------------------------------------------------===//
// The encoding
//===----------------------------------------------------------------------===//

SetShapeAttr loom::getSetEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<SetShapeAttr>(tensor.getEncoding())
                : SetShapeAttr();
}

int64_t loom::countSetElements(SetShapeAttr set, ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return ShapedType::kDynamic;
  return set.getPacked()
      .count.evaluate(set.getSymbols(shape))
      .value_or(ShapedType::kDynamic);
}

RankedTensorType loom::getSetElements(RankedTensorType type) {
  return RankedTensorType::get(
      {countSetElements(getSetEncoding(type), type.getShape())},
      type.getElementType());
}

namespace {

/// Checks a tensor as memory of the same shape.
struct SetEncoding
    : VerifiableTensorEncoding::ExternalModel<SetEncoding, SetShapeAttr> {
  LogicalResult
  verifyEncoding(Attribute encoding, ArrayRef<int64_t> shape, Type,
                 llvm::function_ref<InFlightDiagnostic()> emitError) const {
    return cast<SetShapeAttr>(encoding).verifyLayout(shape, emitError);
  }
};

} // namespace

void loom::attachSetEncoding(MLIRContext *context) {
  SetShapeAttr::attachInterface<SetEncoding>(*context);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Checks the type of a tensor whose shape is a set.
static LogicalResult verifySet(Operation *op, RankedTensorType set) {
  if (getSetEncoding(set))
    return success();
  return op->emitOpError("needs a tensor whose shape is a set, but ")
         << set << " is none; give it an encoding such as #loom.shape<...>";
}

/// Checks that one tensor is dense, and the other one has the same axes.
static LogicalResult verifyDense(Operation *op, RankedTensorType set,
                                 RankedTensorType dense, SetRest rest) {
  if (failed(verifySet(op, set)))
    return failure();
  if (dense.getEncoding())
    return op->emitOpError("needs a dense tensor, but ")
           << dense << " has an encoding";
  if (set.getElementType() != dense.getElementType() ||
      set.getRank() != dense.getRank())
    return op->emitOpError("has tensors of types ")
           << set << " and " << dense
           << "; both need the same rank and elements";
  for (int64_t axis : llvm::seq<int64_t>(set.getRank())) {
    int64_t a = set.getDimSize(axis), b = dense.getDimSize(axis);
    if (!ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b)
      return op->emitOpError("has tensors of types ")
             << set << " and " << dense << "; axis " << axis << " has extent "
             << a << " of one and " << b << " of the other";
  }
  if (rest != SetRest::Symmetric)
    return success();
  SetShapeAttr shape = getSetEncoding(set);
  if (set.getRank() != 2 || shape.getNumSymbols() > 1 ||
      set.getDimSize(0) != set.getDimSize(1))
    return op->emitOpError("is symmetric, which a tensor of type ")
           << set << " cannot be; it needs two axes of one extent";
  if (poly::hasMirrored(shape.getSet()) != Truth::Refuted)
    return op->emitOpError("is symmetric, but the shape ")
           << shape.getText()
           << " has elements on both sides of the diagonal, of which each "
              "would be twice; use a shape with one of them";
  return success();
}

LogicalResult ToSetOp::verify() {
  return verifyDense(*this, cast<RankedTensorType>(getResult().getType()),
                     cast<RankedTensorType>(getDense().getType()), getRest());
}

LogicalResult FromSetOp::verify() {
  if (getRest() == SetRest::Dropped)
    return emitOpError("leaves open what is not in the set; use 'zero' or "
                       "'symmetric'");
  return verifyDense(*this, cast<RankedTensorType>(getSet().getType()),
                     cast<RankedTensorType>(getResult().getType()), getRest());
}

LogicalResult SetElementsOp::verify() {
  auto set = cast<RankedTensorType>(getSet().getType());
  if (failed(verifySet(*this, set)))
    return failure();
  if (getElements().getType() != getSetElements(set))
    return emitOpError("gives ")
           << getElements().getType() << ", but the elements are "
           << getSetElements(set);
  return success();
}
