//===- Reference.cpp - numbers as the specification has them --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/scalar/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace broadloom::scalar;

static constexpr Real infinity = std::numeric_limits<Real>::infinity();
static constexpr Real nan_ = std::numeric_limits<Real>::quiet_NaN();

Element::Element(const std::string &name) : kind(Float), name(name) {
  static const struct {
    const char *name;
    unsigned width;
    int precision, minExponent, maxExponent;
    bool hasInfinity;
  } floats[] = {
      {"f8E4M3FN", 8, 4, -6, 8, false}, {"f8E5M2", 8, 3, -14, 15, true},
      {"f16", 16, 11, -14, 15, true},   {"bf16", 16, 8, -126, 127, true},
      {"f32", 32, 24, -126, 127, true}, {"f64", 64, 53, -1022, 1023, true}};
  for (const auto &known : floats)
    if (name == known.name) {
      width = known.width;
      precision = known.precision;
      minExponent = known.minExponent;
      maxExponent = known.maxExponent;
      hasInfinity = known.hasInfinity;
      return;
    }
  size_t digits = name.find_first_of("0123456789");
  width = digits == std::string::npos ? 64 : std::stoi(name.substr(digits));
  kind = name == "i1" ? Bool : name[0] == 'u' ? Unsigned : Signed;
}

Real Element::toReal(uint64_t bits) const {
  if (!isFloat())
    return Real(toInt(bits));
  uint64_t fraction = bits & ((uint64_t(1) << (precision - 1)) - 1);
  int exponentBits = width - precision;
  int exponent = (bits >> (precision - 1)) & ((1 << exponentBits) - 1);
  Real sign = bits >> (width - 1) & 1 ? -1 : 1;
  int allOnes = (1 << exponentBits) - 1;
  if (hasInfinity && exponent == allOnes)
    return fraction ? nan_ : sign * infinity;
  if (!hasInfinity && (bits & (mask() >> 1)) == mask() >> 1)
    return nan_;
  if (exponent == 0)
    return sign * std::ldexp(Real(fraction), minExponent - (precision - 1));
  Real significand = Real(fraction + (uint64_t(1) << (precision - 1)));
  return sign *
         std::ldexp(significand, minExponent + exponent - 1 - (precision - 1));
}

/// The exponent of the last place at `value`.
static int lastPlace(const Element &type, Real value) {
  int exponent;
  std::frexp(value, &exponent);
  int normal = value == 0 ? type.minExponent : exponent - 1;
  return std::max(normal, type.minExponent) - (type.precision - 1);
}

uint64_t Element::fromReal(Real value) const {
  uint64_t sign = uint64_t(std::signbit(value)) << (width - 1);
  // The code of infinity, or the one NaN there is.
  uint64_t top = hasInfinity ? uint64_t((1 << (width - precision)) - 1)
                                   << (precision - 1)
                             : mask() >> 1;
  if (std::isnan(value))
    return hasInfinity ? top | 1 : top;
  if (std::fabs(value) >= std::ldexp(Real(1), maxExponent + 1))
    return sign | top;
  int place = lastPlace(*this, value);
  Real units = std::nearbyint(std::ldexp(std::fabs(value), -place));
  // Codes of consecutive numbers are consecutive, across exponents as well.
  uint64_t binade = uint64_t(place + precision - 1 - minExponent);
  uint64_t code = (binade << (precision - 1)) + uint64_t(units);
  return sign | std::min(code, top);
}

Int Element::toInt(uint64_t bits) const {
  bits &= mask();
  if (kind == Signed && bits >> (width - 1))
    return Int(bits) - (Int(1) << width);
  return Int(bits);
}

uint64_t Element::saturate(Int value) const {
  return fromInt(std::min(std::max(value, minInt()), maxInt()));
}

Real Element::ulp(Real value) const {
  return std::ldexp(Real(1), lastPlace(*this, value));
}

bool Element::same(uint64_t x, uint64_t y) const {
  return x == y ||
         (isFloat() && std::isnan(toReal(x)) && std::isnan(toReal(y)));
}

std::string Element::print(uint64_t bits) const {
  std::ostringstream text;
  if (isFloat())
    text.precision(22), text << toReal(bits);
  else
    text << (kind == Signed ? std::to_string(int64_t(toInt(bits)))
                            : std::to_string(bits));
  text << " (0x" << std::hex << bits << ")";
  return text.str();
}

static Column allElements(const Element &type) {
  Column column;
  for (uint64_t bits = 0; bits <= type.mask(); ++bits)
    column.push_back(bits);
  return column;
}

Column broadloom::scalar::interestingElements(const Element &type) {
  if (type.width <= 8)
    return allElements(type);
  Column column;
  if (!type.isFloat()) {
    for (Int base : {Int(0), type.minInt(), type.maxInt(), Int(128), Int(-128),
                     Int(1) << (type.width / 2), Int(type.width),
                     -(Int(1) << (type.width / 2))})
      for (int delta = -2; delta <= 2; ++delta)
        column.push_back(type.fromInt(base + delta));
    return column;
  }
  // Around each of these, on both sides of 0.
  Real tiny = std::ldexp(Real(1), type.minExponent);
  for (Real value :
       {Real(0), tiny, tiny / 4, Real(1), Real(0.5), Real(1.5), Real(2.5),
        Real(3), Real(88.7), Real(127.5), Real(255.5), Real(32767.5),
        Real(2147483648.0), Real(9223372036854775808.0L), 1 / tiny,
        std::ldexp(Real(1), type.maxExponent), infinity}) {
    uint64_t code = type.fromReal(value);
    for (int delta = -2; delta <= 2; ++delta) {
      uint64_t bits = (code + delta) & (type.mask() >> 1);
      column.push_back(bits);
      column.push_back(bits | (type.mask() ^ (type.mask() >> 1)));
    }
  }
  return column;
}

Column broadloom::scalar::manyElements(const Element &type) {
  if (type.width <= 16)
    return allElements(type);
  Column column = interestingElements(type);
  std::mt19937_64 random(17);
  for (unsigned i = 0; i < 20000; ++i)
    column.push_back(random() & type.mask());
  // All magnitudes of integers, and floats near 1.
  for (unsigned i = 0; i < 20000; ++i) {
    uint64_t bits = random();
    column.push_back(type.isFloat()
                         ? type.fromReal(std::ldexp(Real(int64_t(bits)),
                                                    -int(60 + bits % 8)))
                         : (bits >> (bits % type.width)) & type.mask());
  }
  return column;
}

std::vector<Column> broadloom::scalar::pairs(const Element &x,
                                             const Element &y) {
  std::vector<Column> columns(2);
  auto add = [&](uint64_t a, uint64_t b) {
    columns[0].push_back(a);
    columns[1].push_back(b);
  };
  Column ys = interestingElements(y);
  for (uint64_t a : interestingElements(x))
    for (uint64_t b : ys)
      add(a, b);
  Column manyX = manyElements(x), manyY = manyElements(y);
  std::mt19937_64 random(42);
  for (unsigned i = 0; i < 20000; ++i)
    add(manyX[random() % manyX.size()], manyY[random() % manyY.size()]);
  return columns;
}

void broadloom::scalar::expectEach(
    const ScalarJit &jit, unsigned number, const ScalarCase &c,
    const std::vector<Column> &operands,
    const std::function<bool(size_t, uint64_t)> &accepts,
    const std::function<std::string(size_t)> &expected) {
  Column results = jit.run(number, operands);
  ASSERT_FALSE(results.empty());
  unsigned failures = 0;
  for (size_t row = 0; row < results.size(); ++row) {
    if (accepts(row, results[row]) || ++failures > 3)
      continue;
    std::string text = c.operation + " " + c.attributes + "(";
    for (size_t i = 0; i < operands.size(); ++i)
      text += (i ? ", " : "") + c.operands[i] + " " +
              Element(c.operands[i]).print(operands[i][row]);
    ADD_FAILURE() << text << ") is " << c.result << " "
                  << Element(c.result).print(results[row]) << ", expected "
                  << expected(row);
  }
  EXPECT_EQ(failures, 0u) << "of " << results.size() << " rows: " << c.operation
                          << " on " << c.operands[0];
}

void broadloom::scalar::expectBits(
    const ScalarJit &jit, unsigned number, const ScalarCase &c,
    const std::vector<Column> &operands,
    const std::function<uint64_t(size_t)> &expected) {
  Element type(c.result);
  expectEach(
      jit, number, c, operands,
      [&](size_t row, uint64_t bits) { return type.same(bits, expected(row)); },
      [&](size_t row) { return type.print(expected(row)); });
}
