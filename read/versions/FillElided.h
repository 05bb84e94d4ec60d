//===- FillElided.h - made-up values for constants left out -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_VERSIONS_FILLELIDED_H
#define BROADLOOM_READ_VERSIONS_FILLELIDED_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// Generates values for the constants of `module` that were elided when it was
/// printed, `dense_resource<__elided__>`. They depend only on `seed`, the
/// number of the constant in the text, and the number of the element. With u
/// evenly from 0 to 1,
///   - a tensor of floats of which at most one extent is greater than 1 has
///     0.5 + u: it is added or multiplied, or is a variance;
///   - any other tensor of floats has (2u - 1) sqrt(6 max / elements), where
///     max is the greatest extent: the weights of sums, which keep their size;
///   - integers are from -127 to 127, or as far as their type has them, and
///     unsigned ones from 0.
/// More than 16 GiB for all of them are an error, which is reported.
llvm::LogicalResult fillElided(mlir::ModuleOp module, uint64_t seed);

} // namespace broadloom::read

#endif // BROADLOOM_READ_VERSIONS_FILLELIDED_H
