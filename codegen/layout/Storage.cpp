//===- Storage.cpp - the form of elements in memory -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::codegen;

Type broadloom::codegen::getStorageType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (isa<IndexType>(elementType))
    return IntegerType::get(context, 64);
  if (isa<Float16Type, Float32Type, Float64Type>(elementType))
    return elementType;
  // i1 takes a byte of its own; the other float formats are opaque bits.
  return IntegerType::get(context, getStorageBytes(elementType) * 8);
}

/// The same integer with the signedness of `type`, which LLVM does not have.
static Value castInteger(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  return value.getType() == type
             ? value
             : UnrealizedConversionCastOp::create(builder, loc, type, value)
                   .getResult(0);
}

/// `element`, or a vector of such elements if `type` is a vector.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(element) : element;
}

Value broadloom::codegen::fromStorage(OpBuilder &builder, Location loc,
                                      Value stored, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (stored.getType() == type)
    return stored;
  if (element.isInteger(1)) {
    // Any byte but 0 is true, so that no input can make an i1 of other bits.
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(stored.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored,
                                 zero);
  }
  if (isa<IndexType>(element))
    return arith::IndexCastOp::create(builder, loc, type, stored);
  if (isa<FloatType>(element))
    return arith::BitcastOp::create(builder, loc, type, stored);
  unsigned width = element.getIntOrFloatBitWidth();
  if (!getElementTypeOrSelf(stored).isInteger(width))
    stored = arith::TruncIOp::create(
        builder, loc, withElement(type, builder.getIntegerType(width)), stored);
  return castInteger(builder, loc, stored, type);
}

Value broadloom::codegen::toStorage(OpBuilder &builder, Location loc,
                                    Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  Type stored = withElement(type, getStorageType(element));
  if (stored == type)
    return value;
  if (element.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, stored, value);
  if (isa<IndexType>(element))
    return arith::IndexCastOp::create(builder, loc, stored, value);
  if (isa<FloatType>(element))
    return arith::BitcastOp::create(builder, loc, stored, value);
  unsigned width = element.getIntOrFloatBitWidth();
  value = castInteger(builder, loc, value,
                      withElement(type, builder.getIntegerType(width)));
  return value.getType() == stored
             ? value
             : arith::ExtUIOp::create(builder, loc, stored, value).getResult();
}
