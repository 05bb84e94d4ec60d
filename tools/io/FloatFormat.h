//===- FloatFormat.h - the bits of small floating-point types ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between double and the floating-point element types. Every value
// of every such type is a double, so one pair of functions serves all.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_FLOATFORMAT_H
#define BROADLOOM_TOOLS_IO_FLOATFORMAT_H

#include "runtime/calls/Tensor.h"

#include <cstdint>

namespace broadloom::io {

/// Whether `type` is one of f8E4M3FN, f8E5M2, f16, bf16, f32 and f64.
bool isFloatType(BroadloomElementType type);

/// Whether `type` has infinities; f8E4M3FN has none.
bool hasInfinity(BroadloomElementType type);

/// The largest finite value of `type`.
double largestFinite(BroadloomElementType type);

/// The value of the bits of a floating-point `type`, exactly.
double floatFromBits(BroadloomElementType type, uint64_t bits);

/// The bits of `value` in `type`, rounded once, half to even. Overflow gives
/// infinity, or NaN if the type has no infinity; NaN gives a quiet NaN.
uint64_t floatToBits(BroadloomElementType type, double value);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_FLOATFORMAT_H
