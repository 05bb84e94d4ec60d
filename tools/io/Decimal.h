//===- Decimal.h - floating-point numbers in decimal, and back --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: reading rounds the decimal once, half to even, whatever the type;
// the shortest digits of a value read back as that value.
//
// Nothing here depends on the locale.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_DECIMAL_H
#define BROADLOOM_TOOLS_IO_DECIMAL_H

#include "runtime/calls/Tensor.h"
#include "tools/io/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace broadloom::io {

/// Reads "1", "-0.5", "1e-3", "inf", "-infinity" or "nan" (of any case) as the
/// bits of a floating-point `type`. A finite number that the type cannot hold
/// is an error, not an infinity; so is an infinity if the type has none.
Result<uint64_t> parseFloat(std::string_view text, BroadloomElementType type);

/// The decimal number 0.d1d2d3... * 10^point, with a sign. Zero has no digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};

/// The shortest decimal that reads back as the finite `value` of `type`, and
/// of these the closest.
Decimal shortestDecimal(BroadloomElementType type, double value);

/// The finite `value` rounded half to even to `digits` digits after the
/// leading one, without trailing zeros.
Decimal roundedScientific(double value, int digits);

/// The same, but of the two decimals of that length around `value`, one that
/// reads back as that value of `type` comes before one that does not.
Decimal scientificDecimal(BroadloomElementType type, double value, int digits);

/// The finite `value` rounded half to even to `digits` digits after the point,
/// without trailing zeros.
Decimal roundedFixed(double value, int digits);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_DECIMAL_H
