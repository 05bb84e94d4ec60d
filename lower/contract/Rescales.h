//===- Rescales.h - sums of integers, rescaled ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rescale of sums becomes a map, which can be fused with them (FuseTails).
// Other rescales stay, and go to linalg.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_RESCALES_H
#define BROADLOOM_LOWER_CONTRACT_RESCALES_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {

/// Replaces a rescale of the result of a contraction by constants, from i32 to
/// a type with a sign, if the number of channels is in the types or there is
/// one multiplier for all.
void convertRescale(mlir::IRRewriter &rewriter, mlir::tosa::RescaleOp op);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_RESCALES_H
