//===- Decimal.cpp - floating-point numbers in decimal, and back ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/Decimal.h"
#include "tools/io/FloatFormat.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace broadloom::io;

/// Significant digits after which every double is exact.
static constexpr int exactDigits = 767;
/// Digits before the point of the largest double, and a few more.
static constexpr int longestInteger = 320;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static std::string lowered(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c += 'a' - 'A';
  return result;
}

/// Removes zeros on both sides and adjusts `point`.
static void normalize(Decimal &decimal) {
  size_t leading = decimal.digits.find_first_not_of('0');
  if (leading == std::string::npos) {
    decimal.digits.clear();
    decimal.point = 0;
    return;
  }
  decimal.digits.erase(0, leading);
  decimal.point -= static_cast<int>(leading);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
}

/// Reads `digits [. digits] [e [sign] digits]`; false for any other text.
static bool parseDecimal(std::string_view text, Decimal &decimal) {
  size_t i = 0;
  int integerDigits = 0;
  for (; i < text.size() && isDigit(text[i]); ++i, ++integerDigits)
    decimal.digits += text[i];
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && isDigit(text[i]); ++i)
      decimal.digits += text[i];
  if (decimal.digits.empty())
    return false;
  int exponent = 0;
  if (i < text.size() && text[i] == 'e') {
    ++i;
    bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
      ++i;
    if (i == text.size())
      return false;
    for (; i < text.size() && isDigit(text[i]); ++i)
      // Such an exponent is beyond any double, so that it is limited.
      exponent = std::min(exponent * 10 + (text[i] - '0'), 100000000);
    if (negative)
      exponent = -exponent;
  }
  decimal.point = integerDigits + exponent;
  normalize(decimal);
  return i == text.size();
}

/// Turns the characters of std::to_chars, scientific, into a Decimal.
static Decimal fromScientific(const char *begin, const char *end) {
  Decimal decimal;
  if (begin != end && *begin == '-') {
    decimal.negative = true;
    ++begin;
  }
  parseDecimal(std::string_view(begin, end - begin), decimal);
  return decimal;
}

static Decimal toDecimal(double value, std::chars_format format, int digits) {
  char buffer[exactDigits + longestInteger + 16];
  auto result =
      std::to_chars(buffer, buffer + sizeof(buffer), value, format, digits);
  return fromScientific(buffer, result.ptr);
}

Decimal broadloom::io::roundedScientific(double value, int digits) {
  return toDecimal(value, std::chars_format::scientific, digits);
}

Decimal broadloom::io::roundedFixed(double value, int digits) {
  return toDecimal(value, std::chars_format::fixed, digits);
}

/// The double nearest to `text`, which is a decimal without a sign.
static double nearestDouble(std::string_view text, const Decimal &decimal) {
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    return decimal.point > 0 ? HUGE_VAL : 0.0;
  return value;
}

/// The sign of the exact difference `decimal` (without its sign) - `value`.
static int compareExactly(const Decimal &decimal, double value) {
  if (std::isinf(value))
    return -1;
  Decimal other = roundedScientific(value, exactDigits - 1);
  if (decimal.digits.empty() || other.digits.empty())
    return static_cast<int>(!decimal.digits.empty()) -
           static_cast<int>(!other.digits.empty());
  if (decimal.point != other.point)
    return decimal.point < other.point ? -1 : 1;
  return decimal.digits.compare(other.digits);
}

/// Rounds a decimal without a sign to `type`, once.
static uint64_t roundDecimal(std::string_view text, const Decimal &decimal,
                             BroadloomElementType type) {
  double value = nearestDouble(text, decimal);
  if (type == BROADLOOM_F64)
    return floatToBits(type, value);
  // Rounding to double first is correct unless the result is a midpoint between
  // two values of the type. Then the exact decimal decides.
  double below = std::nextafter(value, 0.0);
  double above = std::nextafter(value, HUGE_VAL);
  if (floatToBits(type, below) == floatToBits(type, above))
    return floatToBits(type, value);
  int order = compareExactly(decimal, value);
  return floatToBits(type, order < 0 ? below : order > 0 ? above : value);
}

/// A short form of `value` for messages.
static std::string shortText(double value) {
  char buffer[64];
  auto result = std::to_chars(buffer, buffer + sizeof(buffer), value,
                              std::chars_format::general);
  return std::string(buffer, result.ptr);
}

Result<uint64_t> broadloom::io::parseFloat(std::string_view text,
                                           BroadloomElementType type) {
  std::string name = broadloomElementTypeName(type);
  std::string quoted = "'" + std::string(text.substr(0, 40)) + "'";
  std::string number = lowered(text);
  bool negative = !number.empty() && number[0] == '-';
  if (negative || (!number.empty() && number[0] == '+'))
    number.erase(0, 1);
  uint64_t sign = negative ? floatToBits(type, -0.0) : 0;

  if (number == "nan")
    return sign | floatToBits(type, std::nan(""));
  if (number == "inf" || number == "infinity") {
    if (!hasInfinity(type))
      return Failure{quoted + " cannot be given: " + name + " has no infinity"};
    return sign | floatToBits(type, HUGE_VAL);
  }
  Decimal decimal;
  if (!parseDecimal(number, decimal))
    return Failure{quoted + " is not a number of type " + name +
                   " (a decimal such as -1.5e3, inf or nan is expected)"};
  uint64_t bits = roundDecimal(number, decimal, type);
  if (!std::isfinite(floatFromBits(type, bits)))
    return Failure{quoted + " is beyond the largest " + name + ", " +
                   shortText(largestFinite(type)) +
                   (hasInfinity(type) ? " (write inf for infinity)" : "")};
  return sign | bits;
}

/// The decimals of `length` digits around a positive number, given exactly.
static std::pair<Decimal, Decimal> neighbours(const Decimal &exact,
                                              size_t length) {
  Decimal down = exact;
  down.digits.resize(length, '0');
  Decimal up = down;
  size_t carry = length;
  while (carry > 0 && up.digits[carry - 1] == '9')
    up.digits[--carry] = '0';
  if (carry > 0) {
    ++up.digits[carry - 1];
  } else {
    up.digits = "1";
    ++up.point;
  }
  normalize(down);
  normalize(up);
  return {down, up};
}

/// Among the decimals of `length` digits around the positive `value`, the
/// nearest that reads back as it; nothing if none does.
static std::optional<Decimal> readableDecimal(BroadloomElementType type,
                                              double value,
                                              const Decimal &exact,
                                              size_t length) {
  if (length >= exact.digits.size())
    return exact;
  auto [down, up] = neighbours(exact, length);
  auto readsBack = [&](const Decimal &candidate) {
    std::string text =
        "0." + candidate.digits + "e" + std::to_string(candidate.point);
    return roundDecimal(text, candidate, type) == floatToBits(type, value);
  };
  bool downFits = readsBack(down), upFits = readsBack(up);
  if (!downFits && !upFits)
    return std::nullopt;
  std::string rest = exact.digits.substr(length);
  bool closerToUp =
      rest > "5" || (rest == "5" && (exact.digits[length - 1] & 1));
  return !downFits || (upFits && closerToUp) ? up : down;
}

/// The shortest digits by trial. For types of up to 16 bits, for which five
/// digits are always enough.
static Decimal shortestByTrial(BroadloomElementType type, double value) {
  Decimal exact = roundedScientific(value, exactDigits - 1);
  for (size_t length = 1;; ++length)
    if (auto decimal = readableDecimal(type, value, exact, length))
      return *decimal;
}

Decimal broadloom::io::shortestDecimal(BroadloomElementType type,
                                       double value) {
  Decimal decimal;
  if (value != 0 && (type == BROADLOOM_F32 || type == BROADLOOM_F64)) {
    char buffer[64];
    auto result = type == BROADLOOM_F32
                      ? std::to_chars(buffer, buffer + sizeof(buffer),
                                      static_cast<float>(value),
                                      std::chars_format::scientific)
                      : std::to_chars(buffer, buffer + sizeof(buffer), value,
                                      std::chars_format::scientific);
    decimal = fromScientific(buffer, result.ptr);
  } else if (value != 0) {
    decimal = shortestByTrial(type, std::fabs(value));
  }
  decimal.negative = std::signbit(value);
  return decimal;
}

Decimal broadloom::io::scientificDecimal(BroadloomElementType type,
                                         double value, int digits) {
  // Values below a power of two are closer than above it. Only there the
  // nearest decimal may read back as another value although a farther one does
  // not.
  int exponent;
  if (value != 0 && std::fabs(std::frexp(value, &exponent)) == 0.5) {
    double magnitude = std::fabs(value);
    Decimal exact = roundedScientific(magnitude, exactDigits - 1);
    if (auto decimal = readableDecimal(type, magnitude, exact, digits + 1)) {
      decimal->negative = std::signbit(value);
      return *decimal;
    }
  }
  return roundedScientific(value, digits);
}
