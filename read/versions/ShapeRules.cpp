//===- ShapeRules.cpp - extents that have become operands -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldOperation.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom::read;

/// Converts attributes that are lists of integers to operands, in order. Does
/// nothing for an operation that has these operands.
static LogicalResult makeOperands(OldOperation &old,
                                  ArrayRef<StringRef> attributes) {
  unsigned today = 1 + attributes.size();
  if (old.operands.size() == today)
    return success();
  if (failed(old.expectOperands(1, 1)))
    return failure();
  for (StringRef attribute : attributes) {
    auto values = old.takeIntegers(attribute);
    if (failed(values))
      return failure();
    old.operands.push_back(old.addShape(*values));
  }
  std::string names = llvm::join(attributes, "', '");
  old.note("has '" + names + "' as " +
           (attributes.size() == 1 ? "an operand" : "operands") + " now");
  return success();
}

static LogicalResult convertReshape(OldOperation &old) {
  auto extents =
      dyn_cast_or_null<DenseI64ArrayAttr>(old.attributes.get("new_shape"));
  if (!extents)
    return makeOperands(old, {"new_shape"});
  // Versions differ in the number for an extent that is inferred from the
  // number of elements.
  SmallVector<int64_t> values(extents.asArrayRef());
  std::replace(values.begin(), values.end(), ShapedType::kDynamic, int64_t(-1));
  old.attributes.set("new_shape",
                     old.getBuilder().getDenseI64ArrayAttr(values));
  return makeOperands(old, {"new_shape"});
}

static LogicalResult convertTile(OldOperation &old) {
  return makeOperands(old, {"multiples"});
}

static LogicalResult convertSlice(OldOperation &old) {
  return makeOperands(old, {"start", "size"});
}

static LogicalResult convertResize(OldOperation &old) {
  return makeOperands(old, {"scale", "offset", "border"});
}

static LogicalResult convertTranspose(OldOperation &old) {
  if (failed(old.expectOperands(1, 2)))
    return failure();
  if (old.operands.size() == 1)
    return success();
  auto perms = old.getConstant(1, "order of axes");
  if (failed(perms))
    return failure();
  old.operands.pop_back();
  old.attributes.set("perms", old.getBuilder().getDenseI32ArrayAttr(
                                  llvm::to_vector_of<int32_t>(*perms)));
  old.note("has 'perms' as an attribute now");
  return success();
}

/// Reshapes a scalar to a tensor of rank 1.
static Value asVector(OldOperation &old, Value scalar) {
  auto type = dyn_cast<RankedTensorType>(scalar.getType());
  if (!type || type.getRank() == 1)
    return scalar;
  auto vector = RankedTensorType::get({1}, type.getElementType());
  return old.addOperation("tosa.reshape", {scalar, old.addShape({1})}, vector);
}

/// The padding value of a pad without one.
static FailureOr<Value> makeFilling(OldOperation &old) {
  int64_t zero = old.takeInteger("input_zp").value_or(0);
  if (Attribute info = old.take("quantization_info")) {
    auto pad = dyn_cast<tosa::PadOpQuantizationAttr>(info);
    if (!pad)
      return old.emitError()
             << "has a 'quantization_info' of another kind: " << info;
    zero = pad.getInputZp();
  }
  old.note("has what it is filled with as an operand now");
  return old.addScalar(old.getElementType(0), zero, "zero point");
}

static LogicalResult convertPad(OldOperation &old) {
  Attribute padding = old.attributes.get("padding");
  if (failed(old.expectOperands(padding ? 1 : 2, 3)))
    return failure();
  if (padding || !isa<tosa::shapeType>(old.operands[1].getType())) {
    auto extents =
        padding ? old.takeIntegers("padding") : old.getConstant(1, "padding");
    if (failed(extents))
      return failure();
    Value shape = old.addShape(*extents);
    if (padding)
      old.operands.insert(old.operands.begin() + 1, shape);
    else
      old.operands[1] = shape;
    old.note("has its padding as a shape now");
  }
  if (old.operands.size() == 3) {
    old.operands[2] = asVector(old, old.operands[2]);
    return success();
  }
  FailureOr<Value> filling = makeFilling(old);
  if (failed(filling))
    return failure();
  old.operands.push_back(*filling);
  return success();
}

void broadloom::read::addShapeRules(Rules &rules) {
  rules["reshape"] = convertReshape;
  rules["tile"] = convertTile;
  rules["slice"] = convertSlice;
  rules["resize"] = convertResize;
  rules["transpose"] = convertTranspose;
  rules["pad"] = convertPad;
}
