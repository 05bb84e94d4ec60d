//===- ElementTypes.h - names, signs of element types -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_ELEMENTTYPES_H
#define BROADLOOM_RUNTIME_CALLS_ELEMENTTYPES_H

#include "runtime/calls/Tensor.h"

#include <optional>
#include <string_view>

namespace broadloom {

/// The element type of a name such as "f32", "i8", "ui8" or "si8"; signed and
/// signless integers have the same type.
inline std::optional<BroadloomElementType>
elementTypeFromName(std::string_view name) {
  bool isSigned = name.substr(0, 2) == "si" && name != "si1";
  for (int type = BROADLOOM_I1; type <= BROADLOOM_F64; ++type)
    if (name.substr(isSigned) ==
        broadloomElementTypeName(BroadloomElementType(type)))
      return BroadloomElementType(type);
  return std::nullopt;
}

/// The signed type of the same width as an unsigned one.
inline BroadloomElementType withoutSign(BroadloomElementType type) {
  switch (type) {
  case BROADLOOM_U8:
    return BROADLOOM_I8;
  case BROADLOOM_U16:
    return BROADLOOM_I16;
  case BROADLOOM_U32:
    return BROADLOOM_I32;
  case BROADLOOM_U64:
    return BROADLOOM_I64;
  default:
    return type;
  }
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_ELEMENTTYPES_H
