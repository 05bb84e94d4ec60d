//===- ElementKind.h - how a guard reads elements ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The characters of the argument `kinds` of broadloomCheckFunction, one for
// each input. Compiled code contains the results of getElementKind, and the
// runtime reads elements by getElementBytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_ELEMENTKIND_H
#define BROADLOOM_RUNTIME_ABI_ELEMENTKIND_H

#include <cstdint>

namespace broadloom::abi {

enum class ElementKind : char {
  /// Elements are not read.
  None = '-',
  /// A byte that is 0 or not.
  Bool = 'b',
  /// Signed integers.
  I8 = '1',
  I16 = '2',
  I32 = '4',
  I64 = '8',
};

/// The kind of integers of `bits` bits; None if there is no such element.
constexpr ElementKind getElementKind(unsigned bits) {
  switch (bits) {
  case 1:
    return ElementKind::Bool;
  case 8:
    return ElementKind::I8;
  case 16:
    return ElementKind::I16;
  case 32:
    return ElementKind::I32;
  case 64:
    return ElementKind::I64;
  default:
    return ElementKind::None;
  }
}

/// Bytes of an element; 0 if elements are not read.
constexpr int64_t getElementBytes(ElementKind kind) {
  switch (kind) {
  case ElementKind::None:
    return 0;
  case ElementKind::Bool:
  case ElementKind::I8:
    return 1;
  case ElementKind::I16:
    return 2;
  case ElementKind::I32:
    return 4;
  case ElementKind::I64:
    return 8;
  }
  return 0;
}

} // namespace broadloom::abi

#endif // BROADLOOM_RUNTIME_ABI_ELEMENTKIND_H
