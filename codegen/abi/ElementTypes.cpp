//===- ElementTypes.cpp - element types of the C API ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/ElementTypes.h"

#include "dialect/WiderIntegers.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

std::optional<BroadloomElementType>
broadloom::codegen::getRuntimeType(Type type) {
  if (isa<IndexType>(type))
    return BROADLOOM_I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    unsigned width =
        isUnsigned ? integer.getWidth() : getKeptBits(integer.getWidth());
    switch (width) {
    case 1:
      return BROADLOOM_I1;
    case 8:
      return isUnsigned ? BROADLOOM_U8 : BROADLOOM_I8;
    case 16:
      return isUnsigned ? BROADLOOM_U16 : BROADLOOM_I16;
    case 32:
      return isUnsigned ? BROADLOOM_U32 : BROADLOOM_I32;
    case 64:
      return isUnsigned ? BROADLOOM_U64 : BROADLOOM_I64;
    default:
      return std::nullopt;
    }
  }
  if (isa<Float8E4M3FNType>(type))
    return BROADLOOM_F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return BROADLOOM_F8E5M2;
  if (type.isF16())
    return BROADLOOM_F16;
  if (type.isBF16())
    return BROADLOOM_BF16;
  if (type.isF32())
    return BROADLOOM_F32;
  if (type.isF64())
    return BROADLOOM_F64;
  return std::nullopt;
}
