//===- FunctionTables.h - coefficients of approximations --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Minimax fits of the relative error with f32 coefficients, the constant term
// first. scripts/fit-functions derives them and prints the errors given here,
// which are those of exact arithmetic; bench/README.md has those of f32.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_FUNCTIONTABLES_H
#define BROADLOOM_SCALAR_FUNCTIONTABLES_H

namespace broadloom::scalar::tables {

/// exp(r) for |r| up to 1.01 ln 2: error 1.6e-8. Exact at 0.
inline constexpr double exp[] = {
    1,
    1,
    0x1.00000cp-1,
    0x1.55550ap-3,
    0x1.5549b2p-5,
    0x1.112988p-7,
    0x1.71d3b6p-10,
    0x1.9b1096p-13,
};

/// (exp(r) - 1 - r) / r^2 for |r| up to 1.01 ln 2 / 2: error of exp 3.4e-9.
inline constexpr double expTail[] = {
    0x1.fffffcp-2, 0x1.55548cp-3, 0x1.5558b8p-5, 0x1.123e58p-7, 0x1.6a4d6ep-10,
};

/// log(1 + r) / r for |r| up to 1/3: error 2.6e-8. Exact at 0.
inline constexpr double logOnePlus[] = {
    1,
    -0x1.ffffd6p-2,
    0x1.5554fcp-2,
    -0x1.00145p-2,
    0x1.99d3a6p-3,
    -0x1.503884p-3,
    0x1.1ea97ap-3,
    -0x1.3b0e5cp-3,
    0x1.1f233cp-3,
};

/// tanh(x) / x as P(x^2) / Q(x^2) for |x| up to 8.7: error 1.8e-8. Exact at 0.
/// At the limit tanh rounds to 1, and the quotient is above it.
inline constexpr double tanhLimit = 9.05;
inline constexpr double tanhNumerator[] = {
    1, 0x1.127f44p-3, 0x1.cd9e3p-9, 0x1.6102ccp-16, 0x1.df7fb2p-27,
};
inline constexpr double tanhDenominator[] = {
    1, 0x1.de94f2p-2, 0x1.a99b9p-6, 0x1.5d06cap-12, 0x1.aeaa8p-21,
};

/// erf(x) / x as P(x^2) / Q(x^2) for |x| up to 3.93: error 2.1e-8. Among
/// several scales, this Q(0) gives the smallest rounding error in f32. At the
/// limit erf rounds to 1, and the quotient is above it.
inline constexpr double erfLimit = 4.02;
inline constexpr double erfNumerator[] = {
    0x1.1ddb26p+1, 0x1.81d7fap-2, 0x1.ab892cp-4,
    0x1.e80ddap-8, 0x1.272fdp-11, 0x1.0fb47p-18,
};
inline constexpr double erfDenominator[] = {
    0x1.faaaaap+0, 0x1.fcbff4p-1, 0x1.ce7534p-3,
    0x1.e539e6p-6, 0x1.2d3b4ep-9, 0x1.3ba752p-14,
};

/// (sin(r) / r - 1) / r^2 in r^2 for |r| up to 1.005 pi / 2: sin(r) has an
/// error of 6.7e-9.
inline constexpr double sineRest[] = {
    -0x1.55554cp-3,
    0x1.110ed4p-7,
    -0x1.9f6f28p-13,
    0x1.5da8fap-19,
};

/// (log2(1 + r) - r log2(e)) / r^2 for |r| up to 0.0153: log2(1 + r) has an
/// error of 2.5e-11.
inline constexpr double log2Curve[] = {
    -0x1.715476p-1,
    0x1.ec709ep-2,
    -0x1.7170acp-2,
    0x1.277ffep-2,
};

/// (2^f - 1) / f for |f| up to 0.0158: 2^f has an error of 1.1e-10.
inline constexpr double exp2Rest[] = {
    0x1.62e43p-1,
    0x1.ebfce6p-3,
    0x1.c6a09p-5,
};

} // namespace broadloom::scalar::tables

#endif // BROADLOOM_SCALAR_FUNCTIONTABLES_H
