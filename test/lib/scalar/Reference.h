//===- Reference.h - numbers as the specification has them ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scalar bodies are tested against: element types as sets of real
// numbers, written without a look at the code under test. Floats are decoded to
// and rounded from long double, integers are __int128.
//
// Invariant: a long double (64 bits of significand) holds every element
// exactly, and every sum and product of f16 or bf16 elements to more than twice
// their precision and two bits.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_SCALAR_REFERENCE_H
#define BROADLOOM_TEST_LIB_SCALAR_REFERENCE_H

#include "test/lib/scalar/ScalarJit.h"

#include <functional>
#include <random>

namespace broadloom::scalar {

using Real = long double;
using Int = __int128;

/// An element type by its name in MLIR.
struct Element {
  enum Kind { Bool, Signed, Unsigned, Float } kind;
  std::string name;
  unsigned width;
  // Floats: bits of significand with the leading one, smallest and largest
  // exponent of a normal number 1.xxx.
  int precision = 0, minExponent = 0, maxExponent = 0;
  bool hasInfinity = true;

  explicit Element(const std::string &name);

  bool isFloat() const { return kind == Float; }
  uint64_t mask() const {
    return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  }
  Int minInt() const { return kind == Signed ? -(Int(1) << (width - 1)) : 0; }
  Int maxInt() const {
    return (Int(1) << (kind == Signed ? width - 1 : width)) - 1;
  }

  Real toReal(uint64_t bits) const;
  /// Rounded half to even; overflow gives infinity, or NaN where there is none.
  uint64_t fromReal(Real value) const;
  Int toInt(uint64_t bits) const;
  /// Modulo 2^width.
  uint64_t fromInt(Int value) const { return uint64_t(value) & mask(); }
  uint64_t saturate(Int value) const;

  /// The distance of neighbours at `value`.
  Real ulp(Real value) const;
  /// Whether two elements are the same, all NaNs being one (el-5).
  bool same(uint64_t x, uint64_t y) const;
  std::string print(uint64_t bits) const;
};

/// Elements to test with: all of a type of at most 8 bits, else special ones.
Column interestingElements(const Element &type);
/// All elements of a type of at most 16 bits; special and random ones of a
/// wider type.
Column manyElements(const Element &type);
/// All pairs of interesting elements and random ones besides, as two columns.
std::vector<Column> pairs(const Element &x, const Element &y);

/// A test of one operation: every result must satisfy `accepts(row, result)`.
/// Reports the first few that do not, and the case.
void expectEach(const ScalarJit &jit, unsigned number, const ScalarCase &c,
                const std::vector<Column> &operands,
                const std::function<bool(size_t, uint64_t)> &accepts,
                const std::function<std::string(size_t)> &expected);

/// Every result must be `expected(row)`, all NaNs being one.
void expectBits(const ScalarJit &jit, unsigned number, const ScalarCase &c,
                const std::vector<Column> &operands,
                const std::function<uint64_t(size_t)> &expected);

} // namespace broadloom::scalar

#endif // BROADLOOM_TEST_LIB_SCALAR_REFERENCE_H
