//===- CastBodyTest.cpp - casts between all pairs of types ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// el-7 for every pair of element types (el-10), exhaustively from types of up
// to 16 bits.
//
//===----------------------------------------------------------------------===//

#include "test/lib/scalar/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace broadloom::scalar;

namespace {

const std::vector<std::string> types = {
    "i1",   "i8",    "i16", "i32",  "i64", "ui8", "ui16",     "ui32",
    "ui64", "index", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"};

/// el-7 in terms of numbers.
uint64_t castElement(const Element &from, const Element &to, uint64_t bits) {
  if (to.kind == Element::Bool)
    return !(from.toReal(bits) == 0);
  if (!from.isFloat())
    return to.isFloat() ? to.fromReal(Real(from.toInt(bits)))
                        : to.fromInt(from.toInt(bits));
  Real value = from.toReal(bits);
  if (to.isFloat())
    return to.fromReal(value);
  if (std::isnan(value))
    return 0;
  value = std::nearbyint(value);
  value = std::min(std::max(value, std::ldexp(Real(-1), 100)),
                   std::ldexp(Real(1), 100));
  return to.saturate(Int(value));
}

} // namespace

TEST(CastBody, el7_allPairs) {
  ScalarJit jit;
  std::vector<ScalarCase> cases;
  for (const std::string &from : types)
    for (const std::string &to : types) {
      cases.push_back({"tosa.cast", {from}, to, ""});
      jit.add(cases.back());
    }
  ASSERT_EQ(jit.compile(), "");
  for (unsigned i = 0; i < cases.size(); ++i) {
    Element from(cases[i].operands[0]), to(cases[i].result);
    std::vector<Column> operands = {manyElements(from)};
    expectBits(jit, i, cases[i], operands, [&](size_t row) {
      return castElement(from, to, operands[0][row]);
    });
  }
}

// The numbers on which rounding twice shows, and the ends of the ranges.
TEST(CastBody, el7_namedCorners) {
  struct Corner {
    std::string from, to;
    uint64_t bits, expected;
  };
  const Corner corners[] = {
      // 2^24 + 2^16 + 1: by way of f32 this would be a tie, and go down.
      {"i32", "bf16", 0x01010001, 0x4B81},
      // 2^53 + 2^45 + 1.
      {"i64", "bf16", 0x0020200000000001, 0x5A01},
      // 1 + 2^-11 + 2^-40: by way of f32 a tie that goes to 1.
      {"f64", "f16", 0x3FF0020000001000, 0x3C01},
      {"f32", "i8", 0x40200000, 2},    // 2.5
      {"f32", "i8", 0x7F800000, 0x7F}, // inf
      {"f32", "i8", 0xFF800000, 0x80}, // -inf
      {"f32", "i32", 0x7FC00000, 0},   // NaN
      {"f32", "i1", 0x7FC00000, 1},    // NaN is not 0
      {"f32", "i1", 0x80000000, 0},    // -0 is 0
      {"i1", "i32", 1, 1},
      {"i32", "i8", 0x1FF, 0xFF},
      {"f32", "f16", 0x477FF000, 0x7C00},    // 65520 overflows
      {"f32", "f8E4M3FN", 0x43E80000, 0x7E}, // 464, a tie
      {"f32", "f8E4M3FN", 0x43E80001, 0x7F},
  };
  ScalarJit jit;
  for (const Corner &corner : corners)
    jit.add({"tosa.cast", {corner.from}, corner.to, ""});
  ASSERT_EQ(jit.compile(), "");
  unsigned number = 0;
  for (const Corner &corner : corners)
    EXPECT_EQ(jit.run(number++, {{corner.bits}})[0], corner.expected)
        << corner.from << " to " << corner.to << " of " << std::hex
        << corner.bits;
}
