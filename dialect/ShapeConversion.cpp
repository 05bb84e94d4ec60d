//===- ShapeConversion.cpp - MLIR's types as shapes -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ShapeConversion.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TensorEncoding.h"

using namespace mlir;

namespace broadloom {

std::optional<Shape> shapeOf(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  if (!shaped)
    return std::nullopt;
  if (!shaped.hasRank())
    return Shape::unranked();
  auto vector = llvm::dyn_cast<VectorType>(type);
  ArrayRef<int64_t> extents = shaped.getShape();
  // MLIR's sentinel for `?` is negative, as fromIntegers expects.
  static_assert(ShapedType::kDynamic < 0);
  if (!vector || !vector.isScalable())
    return Shape::fromIntegers(extents.data(), extents.size());
  return Shape::fromIntegers(extents.data(), extents.size(),
                             vector.getScalableDims().data());
}

ShapesOf::ShapesOf(TypeRange types) {
  shapes.reserve(types.size());
  views.reserve(types.size());
  for (Type type : types) {
    shapes.push_back(shapeOf(type).value_or(Shape()));
    views.push_back(shapes.back().view());
  }
}

static Type vectorOf(ShapeView shape, Type elementType) {
  if (!shape.isRanked() || !VectorType::isValidElementType(elementType))
    return Type();
  SmallVector<int64_t> extents;
  SmallVector<bool> scalable;
  for (Extent extent : shape) {
    if (!extent.isStatic() || extent.value() <= 0)
      return Type();
    extents.push_back(extent.value());
    scalable.push_back(extent.isScalable());
  }
  return VectorType::get(extents, elementType, scalable);
}

Type typeOf(Type like, ShapeView shape, Type elementType) {
  if (llvm::isa<VectorType>(like))
    return vectorOf(shape, elementType);
  if (!TensorType::isValidElementType(elementType))
    return Type();
  if (!shape.isRanked())
    return UnrankedTensorType::get(elementType);
  SmallVector<int64_t> extents;
  for (Extent extent : shape) {
    if (extent.isScalable())
      return Type();
    extents.push_back(extent.isFixed() ? extent.value() : ShapedType::kDynamic);
  }
  return RankedTensorType::get(extents, elementType);
}

TensorType withShape(TensorType declared, ShapeView shape, Attribute encoding) {
  Type type = typeOf(declared, shape, declared.getElementType());
  auto ranked = llvm::dyn_cast_or_null<RankedTensorType>(type);
  if (auto own = llvm::dyn_cast<RankedTensorType>(declared);
      own && own.getEncoding())
    encoding = own.getEncoding();
  if (!ranked || !encoding)
    return llvm::dyn_cast_or_null<TensorType>(type);
  // The encoding itself verifies that it is valid for these extents.
  MLIRContext *context = declared.getContext();
  auto verifiable = llvm::dyn_cast<VerifiableTensorEncoding>(encoding);
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  if (verifiable && failed(verifiable.verifyEncoding(
                        ranked.getShape(), ranked.getElementType(), emitError)))
    return {};
  return RankedTensorType::get(ranked.getShape(), ranked.getElementType(),
                               encoding);
}

} // namespace broadloom
