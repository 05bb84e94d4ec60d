//===- Broadcast.h - broadcasting of shapes known in part -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The broadcast of shapes with unknown and named extents (bcast-1 to bcast-6).
// Formula.h has the formula and its evaluation on concrete extents.
//
// Invariant: each axis is decided for the set of all its extents, never from
// the left, so that neither the result nor whether it fails depends on the
// order of the operands (bcast-5).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_BROADCAST_H
#define BROADLOOM_SHAPE_BROADCAST_H

#include "shape/Answer.h"
#include "shape/Formula.h"
#include "shape/Prover.h"
#include "shape/Shape.h"
#include "shape/ShapeConstraint.h"
#include "shape/Symbols.h"

#include <optional>
#include <vector>

namespace broadloom {

struct BroadcastOptions {
  /// The table for fresh symbols for (s,t) and (s,?); without it these extents
  /// are `?`.
  Symbols *fresh = nullptr;
  /// Whether constraints are listed. If not, the answer is the same, without a
  /// list whose length may be the square of the number of operands.
  bool listConstraints = true;
};

/// The result of broadcasting some operands.
struct Broadcast {
  /// Whether the operands broadcast (ext-2).
  Answer answer = Answer::proved("there is nothing to broadcast");
  /// The broadcast of the ranked operands (bcast-4); unranked if there are
  /// none. It is also valid if the answer is refuted: a refuted axis has the
  /// first static extent that is not 1.
  Shape inferred = Shape::unranked();
  /// Whether an operand is unranked.
  bool hasUnranked = false;
  /// The open constraints, in the order of axes; empty unless the answer is
  /// unknown. With an unranked operand it is one constraint, Shapes.
  std::vector<ShapeConstraint> constraints;
  /// The refuted constraint: the first axis that fails and the first two
  /// operands that differ there (verify-1). Set if and only if the answer is
  /// refuted.
  std::optional<ShapeConstraint> error;

  /// The shape to which a result type may be refined (bcast-6): unranked if an
  /// operand is, because that one may have the larger rank.
  Shape refined() const { return hasUnranked ? Shape::unranked() : inferred; }
};

/// The broadcast of `operands`. bcast-4
Broadcast broadcast(ShapeList operands, const Prover &prover = staticProver(),
                    const BroadcastOptions &options = {});

/// Records in `symbols` the fact that a guard for `constraint` establishes
/// (rt-8). Returns the same answers as the functions for facts of Symbols.
Answer learn(Symbols &symbols, const ShapeConstraint &constraint,
             std::string_view origin = {});

} // namespace broadloom

#endif // BROADLOOM_SHAPE_BROADCAST_H
