//===- Reductions.h - TOSA's reductions as linalg ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reductions that are not part of a loom.fused_reduction: those of the
// strategy rfc and of --emit=linalg. Upstream's patterns reduce narrow floats
// in their own type and begin extrema with the largest finite number.
//
// Invariant: they compute by lower/Reduction.h, as loom.fused_reduction does.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_REDUCTIONS_H
#define BROADLOOM_LOWER_TOSA_REDUCTIONS_H

#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {

/// Patterns for every reduction that matchReduction supports.
void populateReductions(mlir::TypeConverter &converter,
                        mlir::RewritePatternSet &patterns);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_REDUCTIONS_H
