//===- DecimalTest.cpp - floating-point types, to decimal and back --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/Decimal.h"
#include "tools/io/FloatFormat.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

using namespace broadloom::io;

static const BroadloomElementType smallTypes[] = {
    BROADLOOM_F8E4M3FN, BROADLOOM_F8E5M2, BROADLOOM_F16, BROADLOOM_BF16};

static unsigned patterns(BroadloomElementType type) {
  return 1u << (8 * broadloomElementBytes(type));
}

/// All digits of a positive double, with a point: "0.0625".
static std::string exactText(double value) {
  char buffer[2000];
  auto result = std::to_chars(buffer, buffer + sizeof(buffer), value,
                              std::chars_format::fixed, 200);
  return std::string(buffer, result.ptr);
}

/// A text of a number slightly below that of `text`: its last digit other than
/// 0 made one less, and nines after it.
static std::string justBelow(std::string text) {
  size_t last = text.find_last_not_of("0.");
  --text[last];
  for (size_t i = last + 1; i < text.size(); ++i)
    if (text[i] == '0')
      text[i] = '9';
  return text + "9";
}

static double parsed(const std::string &text, BroadloomElementType type) {
  auto bits = parseFloat(text, type);
  EXPECT_TRUE(bits) << bits.error();
  return bits ? floatFromBits(type, *bits) : std::nan("");
}

TEST(FloatFormat, everyPatternSurvives) {
  for (BroadloomElementType type : smallTypes)
    for (unsigned bits = 0; bits < patterns(type); ++bits) {
      double value = floatFromBits(type, bits);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(floatFromBits(type, floatToBits(type, value))));
      else
        EXPECT_EQ(floatToBits(type, value), bits);
    }
}

TEST(FloatFormat, knownValues) {
  EXPECT_EQ(largestFinite(BROADLOOM_F8E4M3FN), 448);
  EXPECT_EQ(largestFinite(BROADLOOM_F8E5M2), 57344);
  EXPECT_EQ(largestFinite(BROADLOOM_F16), 65504);
  EXPECT_EQ(largestFinite(BROADLOOM_F32), std::numeric_limits<float>::max());
  EXPECT_EQ(largestFinite(BROADLOOM_F64), std::numeric_limits<double>::max());
  EXPECT_EQ(floatToBits(BROADLOOM_BF16, 1.0), 0x3f80u);
  EXPECT_EQ(floatToBits(BROADLOOM_F16, -2.0), 0xc000u);
  EXPECT_EQ(floatToBits(BROADLOOM_F16, 65520), 0x7c00u); // a tie, to infinity
  EXPECT_EQ(floatToBits(BROADLOOM_F16, 65519.9), 0x7bffu);
  EXPECT_EQ(floatToBits(BROADLOOM_F8E4M3FN, 464), 0x7eu); // a tie, to even
  EXPECT_EQ(floatToBits(BROADLOOM_F8E4M3FN, 465), 0x7fu);
  EXPECT_EQ(floatToBits(BROADLOOM_F8E4M3FN, HUGE_VAL), 0x7fu);
  EXPECT_EQ(floatToBits(BROADLOOM_F32, 1e-46), 0u);
}

TEST(FloatFormat, f32AsTheProcessorDoes) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value = floatFromBits(BROADLOOM_F64, state ^ (state >> 29));
    // Most doubles are beyond f32: bring them nearer.
    if (std::isnan(value))
      continue;
    int exponent;
    value = std::ldexp(std::frexp(value, &exponent), exponent % 160);
    float expected = static_cast<float>(value);
    EXPECT_EQ(floatFromBits(BROADLOOM_F32, floatToBits(BROADLOOM_F32, value)),
              expected);
  }
}

// Every boundary between two neighbours, exactly, and a hair to either side:
// more than a double could tell.
TEST(Decimal, readingRoundsOnce) {
  for (BroadloomElementType type : smallTypes)
    for (unsigned low = 0;; ++low) {
      double below = floatFromBits(type, low);
      double above = floatFromBits(type, low + 1);
      if (!std::isfinite(above))
        break;
      std::string middle = exactText((below + above) / 2);
      ASSERT_EQ(parsed(middle, type), low % 2 ? above : below) << middle;
      ASSERT_EQ(parsed(middle + "1", type), above) << middle;
      ASSERT_EQ(parsed(justBelow(middle), type), below) << middle;
    }
}

TEST(Decimal, readingF32RoundsOnce) {
  // 1 + 2^-24 is the middle between 1 and its successor in f32; as a double,
  // the number above it is the middle itself.
  EXPECT_EQ(parsed("1.000000059604644775390625", BROADLOOM_F32), 1);
  EXPECT_EQ(parsed("1.00000005960464477539062500001", BROADLOOM_F32),
            1 + std::ldexp(1, -23));
  EXPECT_EQ(parsed("0.1", BROADLOOM_F32), 0.1f);
  EXPECT_EQ(parsed("1e-400", BROADLOOM_F64), 0);
  EXPECT_EQ(parsed("5e-324", BROADLOOM_F64), 5e-324);
  EXPECT_EQ(parsed("2.2250738585072014e-308", BROADLOOM_F64),
            2.2250738585072014e-308);
  EXPECT_EQ(parsed("0e99999999999", BROADLOOM_F32), 0);
}

TEST(Decimal, shortestIsShortestAndReadsBack) {
  for (BroadloomElementType type : smallTypes)
    for (unsigned bits = 1; bits < patterns(type) / 2; ++bits) {
      double value = floatFromBits(type, bits);
      if (!std::isfinite(value))
        continue;
      Decimal decimal = shortestDecimal(type, value);
      std::string text =
          "0." + decimal.digits + "e" + std::to_string(decimal.point);
      ASSERT_EQ(parsed(text, type), value) << text;
      // Rounded to one digit less, it is another number, or none.
      int digits = static_cast<int>(decimal.digits.size());
      if (digits < 2)
        continue;
      Decimal shorter = roundedScientific(value, digits - 2);
      auto other = parseFloat(
          "0." + shorter.digits + "e" + std::to_string(shorter.point), type);
      ASSERT_FALSE(other && *other == bits) << text;
    }
}

TEST(Decimal, errors) {
  EXPECT_EQ(parseFloat("1e6", BROADLOOM_F16).error(),
            "'1e6' is beyond the largest f16, 65504 (write inf for infinity)");
  EXPECT_EQ(parseFloat("449e3", BROADLOOM_F8E4M3FN).error(),
            "'449e3' is beyond the largest f8E4M3FN, 448");
  EXPECT_EQ(parseFloat("-inf", BROADLOOM_F8E4M3FN).error(),
            "'-inf' cannot be given: f8E4M3FN has no infinity");
  for (const char *text : {"", "-", "+-1", "1e", "1e+", ".", "1.2.3", "0x10",
                           "1f", "nan(1)", "infin", "1 ", "e5", "--1"})
    EXPECT_NE(parseFloat(text, BROADLOOM_F32).error().find("is not a number"),
              std::string::npos)
        << text;
}
