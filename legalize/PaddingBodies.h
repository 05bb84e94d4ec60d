//===- PaddingBodies.h - where padding is computed --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_PADDINGBODIES_H
#define BROADLOOM_LEGALIZE_PADDINGBODIES_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Puts what the body of a `tensor.pad` computes, if it may have a guard, on a
/// branch that only padding takes. Upstream runs the body for all elements of
/// the result, and writes the source over some of them; a guard in the body may
/// fail for these (rt-1).
void computePaddingAlone(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_PADDINGBODIES_H
