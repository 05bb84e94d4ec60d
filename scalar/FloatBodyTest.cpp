//===- FloatBodyTest.cpp - float semantics --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Float scalar bodies against long double: correctly rounded arithmetic, NaN
// and signed zeros (el-5, el-6), special values (el-8), accuracy (el-9).
//
//===----------------------------------------------------------------------===//

#include "test/lib/scalar/FloatReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace broadloom::scalar;

namespace {

const std::vector<std::string> floats = {"f16", "bf16", "f32", "f64"};
constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real notANumber = std::numeric_limits<Real>::quiet_NaN();

/// An exact result, rounded once by the test; or one with an absolute error.
using Exact = std::function<Real(const Real *x)>;
using Bound = std::function<Real(const Element &type, const Real *x, Real r)>;

struct Planned {
  ScalarCase c;
  Exact exact;
  Bound bound;
  /// Results lie in here (el-9).
  Real low, high;
  unsigned number;
};

/// All cases of this file, compiled once.
class FloatBody : public testing::Test {
protected:
  static void plan(const std::string &rule, ScalarCase c, Exact exact,
                   Bound bound = {}, Real low = -infinity,
                   Real high = infinity) {
    unsigned number = jit->add(c);
    planned[rule].push_back(
        {c, std::move(exact), std::move(bound), low, high, number});
  }
  static void planExact(const std::string &t);
  static void planOrder(const std::string &t);
  static void planApproximate(const std::string &t);
  static void SetUpTestSuite();
  static void TearDownTestSuite() {
    planned.clear();
    jit.reset();
  }
  static void check(const std::string &rule);
  static void checkOne(const Planned &p);
  static void checkSpecialValues(const Planned &p);
  static void onEveryMathUnit(const std::function<void(const Planned &)> &test);

  static std::unique_ptr<ScalarJit> jit;
  static std::map<std::string, std::vector<Planned>> planned;
};

std::unique_ptr<ScalarJit> FloatBody::jit;
std::map<std::string, std::vector<Planned>> FloatBody::planned;

Bound ulps(std::function<Real(const Element &, Real x)> count) {
  return [count](const Element &type, const Real *x, Real r) {
    return count(type, x[0]) * type.ulp(r);
  };
}

Bound ulps(Real count) {
  return ulps([count](const Element &, Real) { return count; });
}

} // namespace

#define EXACT(expression) [](const Real *x) -> Real { return expression; }

void FloatBody::planExact(const std::string &t) {
  // To a long double the sums and products of f64 are not exact; those of the
  // machine are what IEEE 754 has them to be.
  bool isDouble = t == "f64";
  auto exact = [&](Real (*wide)(Real, Real), double (*own)(double, double)) {
    return [=](const Real *x) {
      return isDouble ? Real(own(double(x[0]), double(x[1])))
                      : wide(x[0], x[1]);
    };
  };
  plan("el9_exact", {"tosa.add", {t, t}, t, ""},
       exact([](Real x, Real y) { return x + y; },
             [](double x, double y) { return x + y; }));
  plan("el9_exact", {"tosa.sub", {t, t}, t, ""},
       exact([](Real x, Real y) { return x - y; },
             [](double x, double y) { return x - y; }));
  plan("el9_exact", {"tosa.mul", {t, t, "i8"}, t, ""},
       exact([](Real x, Real y) { return x * y; },
             [](double x, double y) { return x * y; }));
  plan("el9_exact", {"tosa.ceil", {t}, t, ""}, EXACT(std::ceil(x[0])));
  plan("el9_exact", {"tosa.floor", {t}, t, ""}, EXACT(std::floor(x[0])));
  plan("el9_exact", {"tosa.abs", {t}, t, ""}, EXACT(std::fabs(x[0])));
  plan("el9_exact", {"tosa.negate", {t, t, t}, t, ""}, EXACT(-x[0]));
  plan("el9_exact", {"tosa.select", {"i1", t, t}, t, ""},
       EXACT(x[0] != 0 ? x[1] : x[2]));
}

void FloatBody::planOrder(const std::string &t) {
  for (bool ignore : {false, true}) {
    std::string mode = std::string("nan_mode = #tosa.nan_mode<") +
                       (ignore ? "IGNORE>" : "PROPAGATE>");
    std::string braced = "{" + mode + "}";
    plan("el5", {"tosa.maximum", {t, t}, t, braced},
         [=](const Real *x) { return largest(x[0], x[1], ignore); });
    plan("el5", {"tosa.minimum", {t, t}, t, braced},
         [=](const Real *x) { return smallest(x[0], x[1], ignore); });
    for (auto [low, high] : {std::pair("-1.5", "2.0"), {"0.0", "6.0"}})
      plan("el5",
           {"tosa.clamp",
            {t},
            t,
            std::string("{min_val = ") + low + " : " + t +
                ", max_val = " + high + " : " + t + ", " + mode + "}"},
           [=, lo = std::stold(low), hi = std::stold(high)](const Real *x) {
             if (std::isnan(x[0]))
               return ignore ? lo : notANumber;
             return smallest(largest(x[0], lo, false), hi, false);
           });
  }
  plan("el5", {"tosa.maximum", {t, t}, t, ""},
       EXACT(largest(x[0], x[1], false)));
  plan("el6", {"tosa.equal", {t, t}, "i1", ""}, EXACT(x[0] == x[1]));
  plan("el6", {"tosa.greater", {t, t}, "i1", ""}, EXACT(x[0] > x[1]));
  plan("el6", {"tosa.greater_equal", {t, t}, "i1", ""}, EXACT(x[0] >= x[1]));
}

void FloatBody::planApproximate(const std::string &t) {
  plan("el9", {"tosa.reciprocal", {t}, t, ""}, EXACT(1 / x[0]), ulps(1));
  plan("el9", {"tosa.rsqrt", {t}, t, ""}, EXACT(1 / std::sqrt(x[0])), ulps(2));
  plan("el9", {"tosa.erf", {t}, t, ""}, EXACT(std::erf(x[0])), ulps(5), -1, 1);
  plan("el9", {"tosa.log", {t}, t, ""}, EXACT(std::log(x[0])), ulps(5));
  plan("el9", {"tosa.sigmoid", {t}, t, ""},
       EXACT(x[0] < 0 ? std::exp(x[0]) / (1 + std::exp(x[0]))
                      : 1 / (1 + std::exp(-x[0]))),
       ulps([](const Element &, Real x) { return 2 * (1 + std::fabs(x)); }), 0,
       1);
  plan("el9", {"tosa.exp", {t}, t, ""}, EXACT(std::exp(x[0])),
       ulps([](const Element &type, Real x) {
         return base(type) + 2 * std::fabs(x);
       }),
       0);
  plan("el9", {"tosa.tanh", {t}, t, ""}, EXACT(std::tanh(x[0])),
       ulps([](const Element &type, Real x) {
         return 4 * (base(type) + 2 * std::fabs(x));
       }),
       -1, 1);
  // TOSA states no bound for these.
  plan("el9", {"tosa.sin", {t}, t, ""}, EXACT(std::sin(x[0])), ulps(4), -1, 1);
  plan("el9", {"tosa.cos", {t}, t, ""}, EXACT(std::cos(x[0])), ulps(4), -1, 1);
  plan("el9_pow", {"tosa.pow", {t, t}, t, ""}, EXACT(exactPower(x[0], x[1])),
       powerBound);
}

void FloatBody::SetUpTestSuite() {
  jit = std::make_unique<ScalarJit>();
  for (const std::string &t : floats) {
    planExact(t);
    planOrder(t);
    planApproximate(t);
  }
  ASSERT_EQ(jit->compile(), "");
}

void FloatBody::checkOne(const Planned &p) {
  Element type(p.c.operands.back() == "i8" ? p.c.operands[0]
                                           : p.c.operands.back());
  Element result(p.c.result);
  std::vector<Column> columns;
  if (p.c.operands.size() == 1) {
    columns = {manyElements(type)};
  } else {
    columns = pairs(type, type);
    // The condition of a select; zero-points and a shift that are 0.
    Column third(columns[0].size());
    bool isSelect = p.c.operation == "tosa.select";
    for (size_t row = 0; row < third.size(); ++row)
      third[row] = isSelect && row % 3 == 0;
    if (p.c.operation == "tosa.negate")
      columns[1] = third;
    if (p.c.operands.size() == 3)
      columns.insert(isSelect ? columns.begin() : columns.end(), third);
  }
  // IEEE 754 leaves open whether pow(1, a signalling NaN) is 1.
  if (p.c.operation == "tosa.pow")
    for (Column &column : columns)
      for (uint64_t &bits : column)
        if (std::isnan(type.toReal(bits)))
          bits |= uint64_t(1) << (type.precision - 2);
  auto exact = [&](size_t row, Real *x) {
    for (size_t i = 0; i < columns.size(); ++i)
      x[i] = Element(p.c.operands[i]).toReal(columns[i][row]);
    return p.exact(x);
  };
  auto accepts = [&](size_t row, uint64_t bits) {
    Real x[3], r = exact(row, x), got = result.toReal(bits);
    uint64_t rounded =
        result.isFloat() ? result.fromReal(r) : result.fromInt(Int(r));
    if (result.same(bits, rounded))
      return true;
    if (!p.bound || std::isnan(got) || std::isnan(r) || std::isinf(r))
      return false;
    if (r == 0 || got < p.low || got > p.high)
      return false;
    // Beyond the largest number stands infinity.
    Real limit = std::ldexp(Real(1), type.maxExponent + 1);
    Real clipped = std::isinf(got) ? std::copysign(limit, got) : got;
    return std::fabs(clipped - r) <= p.bound(type, x, r);
  };
  expectEach(*jit, p.number, p.c, columns, accepts, [&](size_t row) {
    Real x[3], r = exact(row, x);
    return result.print(result.isFloat() ? result.fromReal(r)
                                         : result.fromInt(Int(r)));
  });
}

void FloatBody::check(const std::string &rule) {
  ASSERT_TRUE(planned.count(rule));
  for (const Planned &p : planned[rule])
    checkOne(p);
}

TEST_F(FloatBody, el9_correctlyRounded) { check("el9_exact"); }
TEST_F(FloatBody, el5_maximumMinimumClamp) { check("el5"); }
TEST_F(FloatBody, el6_comparisons) { check("el6"); }
TEST_F(FloatBody, el9_accuracy) { check("el9"); }
TEST_F(FloatBody, el9_pow) { check("el9_pow"); }

// What el-8 names, by hand and bit by bit.
void FloatBody::checkSpecialValues(const Planned &p) {
  struct Special {
    std::string operation;
    Real x, y, expected;
  };
  const Special specials[] = {
      {"tosa.log", 0, 0, -infinity},
      {"tosa.log", -0.0L, 0, -infinity},
      {"tosa.log", -1, 0, notANumber},
      {"tosa.log", 1, 0, 0},
      {"tosa.log", infinity, 0, infinity},
      {"tosa.log", -infinity, 0, notANumber},
      {"tosa.log", notANumber, 0, notANumber},
      {"tosa.reciprocal", 0, 0, infinity},
      {"tosa.reciprocal", -0.0L, 0, -infinity},
      {"tosa.reciprocal", infinity, 0, 0},
      {"tosa.reciprocal", -infinity, 0, -0.0L},
      {"tosa.rsqrt", 0, 0, infinity},
      {"tosa.rsqrt", -0.0L, 0, -infinity},
      {"tosa.rsqrt", -1, 0, notANumber},
      {"tosa.rsqrt", infinity, 0, 0},
      {"tosa.tanh", 0, 0, 0},
      {"tosa.tanh", -0.0L, 0, -0.0L},
      {"tosa.tanh", infinity, 0, 1},
      {"tosa.tanh", -infinity, 0, -1},
      {"tosa.tanh", notANumber, 0, notANumber},
      {"tosa.erf", 0, 0, 0},
      {"tosa.erf", -0.0L, 0, -0.0L},
      {"tosa.erf", infinity, 0, 1},
      {"tosa.erf", -infinity, 0, -1},
      {"tosa.erf", notANumber, 0, notANumber},
      {"tosa.exp", 0, 0, 1},
      {"tosa.exp", -infinity, 0, 0},
      {"tosa.exp", infinity, 0, infinity},
      {"tosa.exp", notANumber, 0, notANumber},
      {"tosa.sigmoid", infinity, 0, 1},
      {"tosa.sigmoid", -infinity, 0, 0},
      {"tosa.sigmoid", notANumber, 0, notANumber},
      {"tosa.pow", 2, 0, 1},
      {"tosa.pow", infinity, 0, 1},
      {"tosa.pow", 0, 3, 0},
      {"tosa.pow", 0, 0.5, 0},
      {"tosa.pow", 0, -3, infinity},
      {"tosa.pow", -0.0L, -3, -infinity},
      {"tosa.pow", -0.0L, -2, infinity},
      {"tosa.pow", -0.0L, -infinity, infinity},
  };
  for (const Special &special : specials) {
    if (special.operation != p.c.operation)
      continue;
    Element type(p.c.result);
    std::vector<Column> operands = {{type.fromReal(special.x)}};
    if (p.c.operands.size() == 2)
      operands.push_back({type.fromReal(special.y)});
    uint64_t got = jit->run(p.number, operands)[0];
    EXPECT_TRUE(type.same(got, type.fromReal(special.expected)))
        << p.c.operation << " on " << type.name << " of " << double(special.x)
        << ", " << double(special.y) << " is " << type.print(got);
  }
}

TEST_F(FloatBody, el8_specialValues) {
  for (const char *rule : {"el9", "el9_pow"})
    for (const Planned &p : planned[rule])
      checkSpecialValues(p);
}

/// Tests all functions of one operand as processors with other instructions
/// than this one compute them.
void FloatBody::onEveryMathUnit(
    const std::function<void(const Planned &)> &test) {
  for (MathUnit unit :
       {MathUnit{}, MathUnit{true, false}, MathUnit{true, true}}) {
    SCOPED_TRACE(unit.lookup ? "lookup" : unit.fma ? "fma" : "no fma");
    auto other = std::make_unique<ScalarJit>(unit);
    std::vector<Planned> cases;
    for (Planned p : planned["el9"]) {
      if (p.c.result == "f64")
        continue;
      p.number = other->add(p.c);
      cases.push_back(p);
    }
    ASSERT_EQ(other->compile(), "");
    std::swap(jit, other);
    for (const Planned &p : cases)
      test(p);
    std::swap(jit, other);
  }
}

TEST_F(FloatBody, el9_everyMathUnit) { onEveryMathUnit(checkOne); }
TEST_F(FloatBody, el8_everyMathUnit) { onEveryMathUnit(checkSpecialValues); }

// Neither subnormal operands nor subnormal results become 0: those of exp and
// sigmoid have an absolute error of two of the smallest numbers, and what is
// next to 0 keeps its magnitude.
TEST_F(FloatBody, el11_subnormals) {
  onEveryMathUnit([](const Planned &p) {
    if (p.c.result != "f32")
      return;
    Element type("f32");
    bool isExp = p.c.operation == "tosa.exp" || p.c.operation == "tosa.sigmoid";
    Column column;
    for (int i = 1; i <= 8192; ++i)
      column.push_back(isExp ? type.fromReal(-86 - Real(18) * i / 8192)
                             : uint64_t(i) * 1021);
    auto exact = [&](size_t row) {
      Real x = type.toReal(column[row]);
      return p.exact(&x);
    };
    auto accepts = [&](size_t row, uint64_t bits) {
      Real r = exact(row), got = type.toReal(bits);
      Real last = type.ulp(r);
      Real allowed =
          isExp ? std::max(2 * std::ldexp(Real(1), -149), 3 * last) : 5 * last;
      return std::isfinite(got) && std::fabs(got - r) <= allowed &&
             (got != 0 || std::fabs(r) < std::ldexp(Real(1), -149));
    };
    if (isExp || p.c.operation == "tosa.log" || p.c.operation == "tosa.tanh" ||
        p.c.operation == "tosa.erf" || p.c.operation == "tosa.sin")
      expectEach(*jit, p.number, p.c, {column}, accepts, [&](size_t row) {
        return type.print(type.fromReal(exact(row)));
      });
  });
}
