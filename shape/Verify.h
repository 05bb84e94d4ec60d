//===- Verify.h - results against what operands give ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether an operation's declared result fits the broadcast of its operands
// (verify-1 to verify-6).
//
// Invariant: refuted means that no run can succeed (or, under `forbid`, that
// the policy says so); unknown comes with every statement that must hold for
// the result's declared shape to be true.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_VERIFY_H
#define BROADLOOM_SHAPE_VERIFY_H

#include "shape/Broadcast.h"

namespace broadloom {

/// What to say of a static result extent where the inferred one is not static
/// (verify-4): `allow` makes it a constraint, `forbid` an error.
enum class DynamicToStatic : uint8_t { Allow, Forbid };

/// How a result is compared where an operand is unranked (verify-2, verify-3).
enum class UnrankedOperands : uint8_t {
  /// As the trait does: compare with the ranked operands, and not at all where
  /// there are none.
  Ignore,
  /// As `loom.map` does: an unranked operand may have any shape, so a higher
  /// rank, or another extent where the ranked ones give 1, is unknown.
  Unknown,
};

struct VerifyOptions {
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  UnrankedOperands unrankedOperands = UnrankedOperands::Ignore;
  BroadcastOptions broadcast;
};

struct Verification {
  Answer answer = Answer::proved("the result is what the operands give");
  /// The broadcast of the operands.
  Shape inferred = Shape::unranked();
  bool hasUnranked = false;
  /// Everything that must still hold, of the operands first and then of the
  /// result; empty unless the answer is unknown.
  std::vector<ShapeConstraint> constraints;
  /// Set if and only if the answer is refuted.
  std::optional<ShapeConstraint> error;
};

/// verify-1 to verify-4.
Verification verifyBroadcast(ShapeList operands, ShapeView result,
                             const Prover &prover = staticProver(),
                             const VerifyOptions &options = {});

/// `AllRanksMatchIfKnown`: the error where two ranked shapes among operands
/// and results differ in rank. verify-5
std::optional<ShapeConstraint> verifyRanksMatch(ShapeList operands,
                                                ShapeList results);

/// What a value's type is, as far as shapes go.
enum class Container : uint8_t { Tensor, Vector, Other };

/// At least one operand, exactly one result, all tensors or all vectors; the
/// error where that is not so. verify-6
std::optional<ShapeConstraint>
verifyStructure(const std::vector<Container> &operands,
                const std::vector<Container> &results);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_VERIFY_H
