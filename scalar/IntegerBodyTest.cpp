//===- IntegerBodyTest.cpp - integer semantics ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer scalar bodies against exact arithmetic on __int128: el-1 to el-4, and
// what else integers do.
//
//===----------------------------------------------------------------------===//

#include "test/lib/scalar/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace broadloom::scalar;

namespace {

/// What an operation gives for exact operands, of which the first has `type`.
using Exact = std::function<Int(const Element &type, const Int *x)>;

struct Planned {
  ScalarCase c;
  Exact exact;
  bool saturates;
  unsigned number;
};

/// All cases of this file, compiled once.
class IntegerBody : public testing::Test {
protected:
  static void plan(const std::string &rule, ScalarCase c, Exact exact,
                   bool saturates = false) {
    unsigned number = jit->add(c);
    planned[rule].push_back({c, std::move(exact), saturates, number});
  }
  static void SetUpTestSuite();
  static void TearDownTestSuite() {
    planned.clear();
    jit.reset();
  }

  /// The operands' columns: pairs, and a third column of random elements.
  static std::vector<Column> makeOperands(const ScalarCase &c) {
    if (c.operands.size() == 1)
      return {manyElements(Element(c.operands[0]))};
    std::vector<Column> columns =
        pairs(Element(c.operands[0]), Element(c.operands[1]));
    std::mt19937_64 random(7);
    for (size_t i = 2; i < c.operands.size(); ++i) {
      Column &column = columns.emplace_back();
      for (size_t row = 0; row < columns[0].size(); ++row)
        column.push_back(random() & Element(c.operands[i]).mask());
    }
    return columns;
  }

  static void check(const std::string &rule) {
    ASSERT_TRUE(planned.count(rule));
    for (const Planned &p : planned[rule]) {
      std::vector<Column> columns = makeOperands(p.c);
      // A shift of mul is in [0, 63]; anything else is caught by a guard.
      if (p.c.operation == "tosa.mul")
        for (uint64_t &shift : columns[2])
          shift = p.c.constantOperand == 2   ? p.c.constant
                  : p.c.operands[0] == "i32" ? shift % 64
                                             : 0;
      Element result(p.c.result);
      expectBits(*jit, p.number, p.c, columns, [&](size_t row) {
        Int x[3] = {};
        for (size_t i = 0; i < columns.size(); ++i)
          x[i] = Element(p.c.operands[i]).toInt(columns[i][row]);
        Int exact = p.exact(Element(p.c.operands[0]), x);
        return p.saturates ? result.saturate(exact) : result.fromInt(exact);
      });
    }
  }

  static std::unique_ptr<ScalarJit> jit;
  static std::map<std::string, std::vector<Planned>> planned;
};

std::unique_ptr<ScalarJit> IntegerBody::jit;
std::map<std::string, std::vector<Planned>> IntegerBody::planned;

const std::vector<std::string> integers = {
    "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "si16", "index"};

Int floorShift(Int x, Int amount) { return x >> int(amount); }

/// The bits of x as a number of `type`'s width without a sign.
Int asUnsigned(const Element &type, Int x) { return Int(type.fromInt(x)); }

bool inRange(const Element &type, Int amount) {
  return amount >= 0 && amount < Int(type.width);
}

Int shiftArithmetic(const Element &type, const Int *x, bool round) {
  if (!inRange(type, x[1]))
    return x[0] < 0 ? -1 : 0;
  Int result = floorShift(x[0], x[1]);
  if (round && x[1] > 0)
    result += floorShift(x[0], x[1] - 1) & 1;
  return result;
}

} // namespace

#define EXACT(expression)                                                      \
  [](const Element &t, const Int *x) -> Int {                                  \
    (void)t;                                                                   \
    return expression;                                                         \
  }

void IntegerBody::SetUpTestSuite() {
  jit = std::make_unique<ScalarJit>();
  for (const std::string &t : integers) {
    plan("el2", {"tosa.add", {t, t}, t, ""}, EXACT(x[0] + x[1]));
    plan("el2", {"tosa.sub", {t, t}, t, ""}, EXACT(x[0] - x[1]));
    plan("el2", {"tosa.abs", {t}, t, ""}, EXACT(x[0] < 0 ? -x[0] : x[0]));
    if (Element(t).width >= 32)
      plan("el2", {"tosa.intdiv", {t, t}, t, ""},
           EXACT(x[1] == 0 ? 0 : x[0] / x[1]));

    plan("el3", {"tosa.logical_left_shift", {t, t}, t, ""},
         EXACT(inRange(t, x[1]) ? x[0] * (Int(1) << int(x[1])) : 0));
    plan("el3", {"tosa.logical_right_shift", {t, t}, t, ""},
         EXACT(inRange(t, x[1]) ? asUnsigned(t, x[0]) >> int(x[1]) : 0));
    plan("el3", {"tosa.arithmetic_right_shift", {t, t}, t, "{round = false}"},
         EXACT(shiftArithmetic(t, x, false)));
    plan("el3", {"tosa.arithmetic_right_shift", {t, t}, t, "{round = true}"},
         EXACT(shiftArithmetic(t, x, true)));

    // Zero-points other than 0 are for 8 bits only.
    if (Element(t).width == 8)
      plan("el4", {"tosa.negate", {t, t, t}, t, ""},
           EXACT(-(x[0] - x[1]) + x[2]), true);
    else
      plan("el4", {"tosa.negate", {t, t, t}, t, ""}, EXACT(-x[0]), true);

    plan("order", {"tosa.maximum", {t, t}, t, ""}, EXACT(std::max(x[0], x[1])));
    plan("order", {"tosa.minimum", {t, t}, t, ""}, EXACT(std::min(x[0], x[1])));
    plan("order",
         {"tosa.clamp",
          {t},
          t,
          "{min_val = 3 : " + t + ", max_val = 100 : " + t + "}"},
         EXACT(std::min(std::max(x[0], Int(3)), Int(100))));

    plan("bits", {"tosa.clz", {t}, t, ""}, [](const Element &t, const Int *x) {
      Int zeros = 0;
      for (int bit = t.width - 1; bit >= 0 && !(x[0] >> bit & 1); --bit)
        ++zeros;
      return zeros;
    });

    plan("el1", {"tosa.mul", {t, t, "i8"}, t, "", t == "i32" ? -1 : 2, 0},
         [](const Element &t, const Int *x) {
           // At 64 bits even 128 are too few for a product of unsigned ones.
           Int product = Int((unsigned __int128)x[0] * (unsigned __int128)x[1]);
           if (t.name != "i32" || x[2] == 0)
             return product;
           // The sum wraps to 64 bits: only -2^31 squared with a shift of 63
           // gets there.
           return Int(int64_t(uint64_t(product + (Int(1) << int(x[2] - 1))))) >>
                  int(x[2]);
         });
  }
  // The bounds of a comparison without sign.
  plan("order",
       {"tosa.clamp",
        {"ui8"},
        "ui8",
        "{min_val = 100 : ui8, max_val = 200 : ui8}"},
       EXACT(std::min(std::max(x[0], Int(100)), Int(200))));
  plan("el1", {"tosa.mul", {"i32", "i32", "i8"}, "i32", "", 2, 0},
       EXACT(x[0] * x[1]));
  plan("el1", {"tosa.mul", {"i32", "i32", "i8"}, "i32", "", 2, 31},
       EXACT((x[0] * x[1] + (Int(1) << 30)) >> 31));
  for (std::string t : {"i8", "i16", "ui8", "ui16"})
    plan("el1",
         {"tosa.mul", {t, t, "i8"}, t[0] == 'u' ? "ui32" : "i32", "", 2, 0},
         EXACT(x[0] * x[1]));

  std::vector<std::string> withBool = integers;
  withBool.push_back("i1");
  for (const std::string &t : withBool) {
    plan("bits", {"tosa.bitwise_and", {t, t}, t, ""}, EXACT(x[0] & x[1]));
    plan("bits", {"tosa.bitwise_or", {t, t}, t, ""}, EXACT(x[0] | x[1]));
    plan("bits", {"tosa.bitwise_xor", {t, t}, t, ""}, EXACT(x[0] ^ x[1]));
    plan("bits", {"tosa.bitwise_not", {t}, t, ""}, EXACT(~x[0]));
    plan("order", {"tosa.equal", {t, t}, "i1", ""}, EXACT(x[0] == x[1]));
    plan("order", {"tosa.greater", {t, t}, "i1", ""}, EXACT(x[0] > x[1]));
    plan("order", {"tosa.greater_equal", {t, t}, "i1", ""},
         EXACT(x[0] >= x[1]));
    plan("bits", {"tosa.select", {"i1", t, t}, t, ""},
         EXACT(x[0] ? x[1] : x[2]));
  }
  std::string b = "i1";
  plan("bits", {"tosa.logical_and", {b, b}, b, ""}, EXACT(x[0] && x[1]));
  plan("bits", {"tosa.logical_or", {b, b}, b, ""}, EXACT(x[0] || x[1]));
  plan("bits", {"tosa.logical_xor", {b, b}, b, ""}, EXACT(x[0] != x[1]));
  plan("bits", {"tosa.logical_not", {b}, b, ""}, EXACT(!x[0]));
  ASSERT_EQ(jit->compile(), "");
}

TEST_F(IntegerBody, el1_mul) { check("el1"); }
TEST_F(IntegerBody, el2_wrappingAndDivision) { check("el2"); }
TEST_F(IntegerBody, el3_shifts) { check("el3"); }
TEST_F(IntegerBody, el4_negate) { check("el4"); }
TEST_F(IntegerBody, orderOfIntegers) { check("order"); }
TEST_F(IntegerBody, bitsAndSelect) { check("bits"); }

// The corner cases that the rules name, by hand.
TEST_F(IntegerBody, namedCorners) {
  auto only = [&](const std::string &rule, const std::string &operation,
                  const std::string &type, std::vector<Column> operands) {
    for (const Planned &p : planned[rule])
      if (p.c.operation == operation && p.c.operands[0] == type)
        return jit->run(p.number, operands)[0];
    ADD_FAILURE() << "no such case: " << operation << " on " << type;
    return uint64_t(0);
  };
  // el-1
  EXPECT_EQ(only("el1", "tosa.mul", "i32", {{6}, {7}, {2}}), 11u);
  EXPECT_EQ(only("el1", "tosa.mul", "i32", {{0x80000000}, {0x80000000}, {62}}),
            1u);
  // el-2
  EXPECT_EQ(only("el2", "tosa.abs", "i8", {{0x80}}), 0x80u);
  EXPECT_EQ(only("el2", "tosa.intdiv", "i32", {{5}, {0}}), 0u);
  EXPECT_EQ(only("el2", "tosa.intdiv", "i32", {{0x80000000}, {0xFFFFFFFF}}),
            0x80000000u);
  EXPECT_EQ(only("el2", "tosa.intdiv", "i32", {{0xFFFFFFF9}, {2}}),
            0xFFFFFFFDu);
  // el-3
  EXPECT_EQ(only("el3", "tosa.logical_left_shift", "i32", {{1}, {32}}), 0u);
  EXPECT_EQ(only("el3", "tosa.arithmetic_right_shift", "i8", {{0x80}, {9}}),
            0xFFu);
  // el-4
  EXPECT_EQ(only("el4", "tosa.negate", "i8", {{0x80}, {0}, {0}}), 0x7Fu);
  EXPECT_EQ(only("el4", "tosa.negate", "i64", {{0x8000000000000000}, {0}, {0}}),
            0x7FFFFFFFFFFFFFFFu);
}
