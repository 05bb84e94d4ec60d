//===- Functions.h - what is checked, and against what ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The approximated functions of TOSA, each with a reference in twice the
// precision (double for f32, binary128 for f64) and with the error that el-9
// allows.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_BENCH_ACCURACY_FUNCTIONS_H
#define BROADLOOM_BENCH_ACCURACY_FUNCTIONS_H

#include <array>

namespace broadloom::bench {

using Quad = __float128;

struct Function {
  const char *name;
  /// 1, or 2 for pow.
  int operands;
  double (*wide)(double x, double y);
  Quad (*quad)(Quad x, Quad y);
  /// Results outside are wrong however close.
  double least, most;
  /// Whether a zero has a sign that counts (el-8).
  bool hasZeroSign;
  /// Arguments about which the function has something to say, for samples.
  double spread;
};

inline constexpr int kNumFunctions = 10;
extern const std::array<Function, kNumFunctions> kFunctions;

/// The allowed error (el-9) at x, in units of the last place of the exact
/// `value`; for pow and for sin and cos too. `eps` is 2^-(fraction bits).
double allowedUlps(const Function &function, double x, double y, double value,
                   double eps, double smallestNormal);

} // namespace broadloom::bench

#endif // BROADLOOM_BENCH_ACCURACY_FUNCTIONS_H
