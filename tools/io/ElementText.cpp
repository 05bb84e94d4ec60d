//===- ElementText.cpp - the elements of an array as text of one width ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/ElementText.h"
#include "tools/io/FloatFormat.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace broadloom::io;

/// The most digits after the point of an array's elements.
static constexpr int precision = 8;

static uint64_t bitsOf(BroadloomElementType type, const char *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, broadloomElementBytes(type));
  return bits;
}

static std::string integerText(BroadloomElementType type, const char *element) {
  uint64_t bits = bitsOf(type, element);
  if (broadloomElementTypeName(type)[0] == 'u')
    return std::to_string(bits);
  int unused = static_cast<int>(64 - 8 * broadloomElementBytes(type));
  return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
}

/// The decimal digits that every number of the type preserves; bf16 and f8 are
/// printed as f32.
static int dependableDigits(BroadloomElementType type) {
  return type == BROADLOOM_F16 ? 3 : type == BROADLOOM_F64 ? 15 : 6;
}

/// `value` rounded to the type in which NumPy computes with elements of `type`.
static double inArithmeticOf(BroadloomElementType type, double value) {
  bool native = type == BROADLOOM_F16 || type == BROADLOOM_F64;
  BroadloomElementType computed = native ? type : BROADLOOM_F32;
  return floatFromBits(computed, floatToBits(computed, value));
}

namespace {
/// The parts of a number's text: "-12" "." "5" "e" "+03".
struct Parts {
  std::string left, right, exponent;
};
} // namespace

static Parts positionalParts(const Decimal &number) {
  Parts parts;
  int integers = std::max(number.point, 0);
  parts.left =
      number.digits.substr(0, std::min<size_t>(integers, number.digits.size()));
  parts.left.append(integers - parts.left.size(), '0');
  if (integers == 0)
    parts.left = "0";
  if (number.point < 0)
    parts.right.append(-number.point, '0');
  if (number.digits.size() > static_cast<size_t>(integers))
    parts.right += number.digits.substr(integers);
  if (number.negative)
    parts.left.insert(0, "-");
  return parts;
}

static Parts scientificParts(const Decimal &number) {
  Parts parts;
  parts.left = number.negative ? "-" : "";
  parts.left += number.digits.empty() ? '0' : number.digits[0];
  if (number.digits.size() > 1)
    parts.right = number.digits.substr(1);
  int exponent = number.digits.empty() ? 0 : number.point - 1;
  std::string digits = std::to_string(std::abs(exponent));
  parts.exponent = exponent < 0 ? "-" : "+";
  parts.exponent += (digits.size() < 2 ? "0" : "") + digits;
  return parts;
}

/// The shortest digits; if there are more than `precision` after the point, the
/// exact value rounded to that many.
static Parts positionalInArray(const Decimal &shortest, double value) {
  Parts parts = positionalParts(shortest);
  if (parts.right.size() > precision)
    parts = positionalParts(roundedFixed(value, precision));
  return parts;
}

static Parts scientificInArray(const Decimal &shortest, double value) {
  Parts parts = scientificParts(shortest);
  if (parts.right.size() > precision)
    parts = scientificParts(roundedScientific(value, precision));
  return parts;
}

static const char *specialText(double value) {
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

std::string broadloom::io::scalarText(BroadloomElementType type,
                                      const char *element) {
  if (type == BROADLOOM_I1)
    return *element ? "True" : "False";
  if (!isFloatType(type))
    return integerText(type, element);
  double value = floatFromBits(type, bitsOf(type, element));
  if (!std::isfinite(value))
    return specialText(value);
  Decimal shortest = shortestDecimal(type, value);
  double magnitude = std::fabs(value);
  // A greater number has more digits than the type preserves.
  double most = std::pow(10.0, std::min(dependableDigits(type), 16));
  if (type == BROADLOOM_F64)
    most = 1e16;
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < most)) {
    Parts parts = positionalParts(shortest);
    return parts.left + "." + (parts.right.empty() ? "0" : parts.right);
  }
  Parts parts = scientificParts(shortest);
  return parts.left + (parts.right.empty() ? "" : "." + parts.right) + "e" +
         parts.exponent;
}

void ElementText::see(const char *element) {
  if (isFloatType(type))
    seeFloat(floatFromBits(type, bitsOf(type, element)));
  else if (type != BROADLOOM_I1)
    width = std::max(width, integerText(type, element).size());
}

void ElementText::seeFloat(double value) {
  if (!std::isfinite(value)) {
    anyNan |= std::isnan(value);
    anyInfinity |= std::isinf(value);
    anyNegativeInfinity |= std::isinf(value) && value < 0;
    return;
  }
  if (double magnitude = std::fabs(value); magnitude != 0) {
    smallest = anyNonZero ? std::min(smallest, magnitude) : magnitude;
    largest = std::max(largest, magnitude);
    anyNonZero = true;
  }
  // The notation is not known yet, so that both are measured.
  auto widen = [](Widths &widths, const Parts &parts) {
    widths.left = std::max(widths.left, parts.left.size());
    widths.right = std::max(widths.right, parts.right.size());
    widths.exponent = std::max(widths.exponent, parts.exponent.size());
  };
  Decimal shortest = shortestDecimal(type, value);
  widen(positional, positionalInArray(shortest, value));
  widen(scientific, scientificInArray(shortest, value));
}

bool ElementText::usesExponent() const {
  if (!anyNonZero)
    return false;
  return largest >= std::pow(10.0, std::min(8, dependableDigits(type))) ||
         smallest < inArithmeticOf(type, 0.0001) ||
         inArithmeticOf(type, largest / smallest) > 1000.0;
}

std::string ElementText::floatText(double value) const {
  bool exponent = usesExponent();
  const Widths &widths = exponent ? scientific : positional;
  size_t after = widths.right + (exponent ? 1 + widths.exponent : 0);
  // Infinities and NaNs extend over both sides of the point.
  size_t special = anyNegativeInfinity ? 4 : anyNan || anyInfinity ? 3 : 0;
  size_t left = std::max(widths.left, special - std::min(special, after + 1));
  if (!std::isfinite(value)) {
    std::string text = specialText(value);
    return std::string(left + 1 + after - text.size(), ' ') + text;
  }

  // In exponent notation, shorter numbers are padded with their exact digits
  // and not with zeros, as NumPy does.
  Parts parts;
  if (exponent)
    parts = scientificParts(
        scientificDecimal(type, value, static_cast<int>(widths.right)));
  else
    parts = positionalInArray(shortestDecimal(type, value), value);
  std::string text(left - parts.left.size(), ' ');
  text += parts.left + "." + parts.right;
  text.append(widths.right - parts.right.size(), exponent ? '0' : ' ');
  if (exponent) {
    text += "e" + parts.exponent.substr(0, 1);
    text.append(widths.exponent - parts.exponent.size(), '0');
    text += parts.exponent.substr(1);
  }
  return text;
}

std::string ElementText::text(const char *element) const {
  if (type == BROADLOOM_I1)
    return *element ? " True" : "False";
  if (isFloatType(type))
    return floatText(floatFromBits(type, bitsOf(type, element)));
  std::string text = integerText(type, element);
  return std::string(width - text.size(), ' ') + text;
}
