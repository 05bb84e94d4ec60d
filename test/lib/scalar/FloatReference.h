//===- FloatReference.h - expected floats and their bounds ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What float scalar bodies are to give: maxima and minima (el-5), and powers
// and the bounds of their errors (el-9).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_SCALAR_FLOATREFERENCE_H
#define BROADLOOM_TEST_LIB_SCALAR_FLOATREFERENCE_H

#include "test/lib/scalar/Reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace broadloom::scalar {

/// el-5, with +0 above -0; signbit orders equal numbers.
inline Real largest(Real x, Real y, bool ignoreNaN) {
  if (std::isnan(x) || std::isnan(y))
    return !ignoreNaN      ? std::numeric_limits<Real>::quiet_NaN()
           : std::isnan(x) ? y
                           : x;
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

inline Real smallest(Real x, Real y, bool ignoreNaN) {
  return -largest(-x, -y, ignoreNaN);
}

/// b of el-9.
inline Real base(const Element &type) { return type.precision >= 24 ? 3 : 1; }

/// The C library's powl is wrong for -inf to the power of -2^63; its pow is
/// not.
inline Real exactPower(Real x, Real y) {
  return std::isinf(x) ? Real(std::pow(double(x), double(y))) : std::pow(x, y);
}

/// The bound of el-9 for pow.
inline Real powerBound(const Element &type, const Real *x, Real r) {
  Real eps = std::ldexp(Real(1), 1 - type.precision);
  Real normal = std::ldexp(Real(1), type.minExponent);
  Real exponent = std::fabs(x[1] * std::log(std::fabs(x[0])));
  Real m = Real(5.5) * eps *
           std::max({exponent, Real(0.1) * std::fabs(x[1]), normal});
  return std::fabs(r) * std::expm1(m) + eps * std::max(std::fabs(r), normal) *
                                            (base(type) + 2 * (exponent + m));
}

} // namespace broadloom::scalar

#endif // BROADLOOM_TEST_LIB_SCALAR_FLOATREFERENCE_H
