//===- Functions.cpp - references and bounds ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Functions.h"

#include <cmath>
#include <cstring>
#include <limits>

// The C library's functions on binary128; C++ compilers do not declare them.
extern "C" {
__float128 cosf128(__float128) noexcept;
__float128 erff128(__float128) noexcept;
__float128 expf128(__float128) noexcept;
__float128 logf128(__float128) noexcept;
__float128 powf128(__float128, __float128) noexcept;
__float128 sinf128(__float128) noexcept;
__float128 sqrtf128(__float128) noexcept;
__float128 tanhf128(__float128) noexcept;
}

using namespace broadloom::bench;

static constexpr double kInf = std::numeric_limits<double>::infinity();

/// rsqrt(-0) is -inf (el-8), and so it is here.
#define ONE_OPERAND(WIDE, QUAD)                                                \
  [](double x, double) -> double { return WIDE; },                             \
      [](Quad x, Quad) -> Quad { return QUAD; }

const std::array<Function, kNumFunctions> broadloom::bench::kFunctions = {{
    {"exp", 1, ONE_OPERAND(std::exp(x), expf128(x)), 0, kInf, false, 20},
    {"log", 1, ONE_OPERAND(std::log(x), logf128(x)), -kInf, kInf, false, 100},
    {"tanh", 1, ONE_OPERAND(std::tanh(x), tanhf128(x)), -1, 1, true, 4},
    {"sigmoid", 1, ONE_OPERAND(1 / (1 + std::exp(-x)), 1 / (1 + expf128(-x))),
     0, 1, false, 20},
    {"erf", 1, ONE_OPERAND(std::erf(x), erff128(x)), -1, 1, false, 3},
    {"sin", 1, ONE_OPERAND(std::sin(x), sinf128(x)), -1, 1, false, 30},
    {"cos", 1, ONE_OPERAND(std::cos(x), cosf128(x)), -1, 1, false, 30},
    {"reciprocal", 1, ONE_OPERAND(1 / x, 1 / x), -kInf, kInf, true, 100},
    {"rsqrt", 1, ONE_OPERAND(1 / std::sqrt(x), 1 / sqrtf128(x)), -kInf, kInf,
     false, 100},
    {"pow", 2, [](double x, double y) { return std::pow(x, y); },
     [](Quad x, Quad y) -> Quad { return powf128(x, y); }, 0, kInf, false, 4},
}};

double broadloom::bench::allowedUlps(const Function &function, double x,
                                     double y, double value, double eps,
                                     double smallestNormal) {
  auto is = [&](const char *name) { return !std::strcmp(function.name, name); };
  constexpr double b = 3;
  if (is("exp"))
    return b + 2 * std::fabs(x);
  if (is("tanh"))
    return 4 * (b + 2 * std::fabs(x));
  if (is("sigmoid"))
    return 2 * (1 + std::fabs(x));
  if (is("log") || is("erf"))
    return 5;
  if (is("rsqrt"))
    return 2;
  if (is("reciprocal"))
    return 1;
  if (is("sin") || is("cos"))
    return 4;
  // pow: the bound is absolute.
  double r = std::fabs(value), yLog = y * std::log(x);
  double m =
      5.5 * eps *
      std::fmax(std::fmax(std::fabs(yLog), 0.1 * std::fabs(y)), smallestNormal);
  double bound = r * std::expm1(m) + eps * std::fmax(r, smallestNormal) *
                                         (b + 2 * std::fabs(yLog + m));
  double unit =
      eps * std::exp2(std::floor(std::log2(std::fmax(r, smallestNormal))));
  return bound / unit;
}
