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

/// The policy for a static result extent whose inferred extent is not static
/// (verify-4): `allow` makes it a constraint, `forbid` an error.
enum class DynamicToStatic : uint8_t { Allow, Forbid };

/// How a result is compared if an operand is unranked (verify-2, verify-3).
enum class UnrankedOperands : uint8_t {
  /// As the trait does: compare with the ranked operands, if there are any.
  Ignore,
  /// As `loom.map` does: an unranked operand may have any shape, so that a
  /// higher rank, or another extent than the ranked operands' 1, is unknown.
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
  /// The open constraints, first on the operands and then on the result; empty
  /// unless the answer is unknown.
  std::vector<ShapeConstraint> constraints;
  /// Set if and only if the answer is refuted.
  std::optional<ShapeConstraint> error;
};

/// verify-1 to verify-4.
Verification verifyBroadcast(ShapeList operands, ShapeView result,
                             const Prover &prover = staticProver(),
                             const VerifyOptions &options = {});

/// `AllRanksMatchIfKnown`: an error if two ranked shapes among operands and
/// results differ in rank. verify-5
std::optional<ShapeConstraint> verifyRanksMatch(ShapeList operands,
                                                ShapeList results);

/// The kind of a value's type.
enum class Container : uint8_t { Tensor, Vector, Other };

/// At least one operand, exactly one result, all tensors or all vectors; an
/// error otherwise. verify-6
std::optional<ShapeConstraint>
verifyStructure(const std::vector<Container> &operands,
                const std::vector<Container> &results);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_VERIFY_H
