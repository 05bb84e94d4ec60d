//===- LoomTraits.h - what operations of loom have in common ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traits that passes ask for instead of naming operations.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMTRAITS_H
#define BROADLOOM_DIALECT_LOOMTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace broadloom::loom {

/// The operation computes new tensors by a body on scalars, so that it becomes
/// a launch.
template <typename Op>
class ScalarBody : public mlir::OpTrait::TraitBase<Op, ScalarBody> {};

/// The operation reads its tensors with any strides, through their descriptors,
/// and keeps no reference to them.
template <typename Op>
class ReadsAnyStrides : public mlir::OpTrait::TraitBase<Op, ReadsAnyStrides> {};

/// The operation is a step of broadloomLaunchAll (runtime/abi/Abi.h): steps
/// that follow each other are one call of the runtime.
template <typename Op>
class LaunchStep : public mlir::OpTrait::TraitBase<Op, LaunchStep> {};

/// The caller owns a reference to each result, which is memory that the
/// operation made or shares (loom.release).
template <typename Op>
class OwnsResults : public mlir::OpTrait::TraitBase<Op, OwnsResults> {};

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMTRAITS_H
