//===- ShapeConstraint.h - what must hold of shapes -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One statement about the shapes of one operation that must hold. An unknown
// statement is a constraint, which becomes a guard unless it is proved; a
// refuted one is the structured form of an error (ext-2, sf-11). Message.h has
// the messages for both.
//
// Invariant: `axis` counts the axes of the result; each side has an operand,
// the operand's own axis and the original extent. The sides of two operands are
// in the order of the operands, except in OneOrEqual.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_SHAPECONSTRAINT_H
#define BROADLOOM_SHAPE_SHAPECONSTRAINT_H

#include "shape/Extent.h"

#include <cstdint>

namespace broadloom {

/// The owner of an extent: the operand with this number, or one of these.
enum Party : int32_t {
  /// Nothing.
  kNoParty = -1,
  /// The broadcast of the operands.
  kInferred = -2,
  /// The (only) result, or the first of several.
  kResult = -3,
};

/// The party number of result i.
constexpr int32_t resultParty(int32_t i) { return kResult - i; }

/// An extent and its position.
struct Side {
  int32_t party = kNoParty;
  /// Axis of the party's own shape.
  int32_t axis = -1;
  Extent extent;
};

struct ShapeConstraint {
  enum class Kind : uint8_t {
    /// `a` and `b` are equal or one of them is 1 (bcast-2).
    Compatible,
    /// `a` is 1 or equals `b`, which is known not to be 1 (bcast-2).
    OneOrEqual,
    /// `a` equals `b`; both are known not to be 1 (bcast-2).
    Equal,
    /// All operands broadcast, of which at least one is unranked (bcast-6).
    /// Includes every other statement about these operands.
    Shapes,
    /// The result's extent `b` is the inferred extent `a` (verify-4, rt-4).
    ResultExtent,
    /// A static result extent `b` whose inferred extent `a` is not static,
    /// under the policy `forbid`; always an error (verify-4).
    ResultStatic,
    /// The result's rank (`b.axis`) is the inferred one (`a.axis`, -1 if it is
    /// known only at run time) (verify-3).
    ResultRank,
    /// `a` and `b` have the same rank; their ranks are in `axis` (verify-5).
    RanksMatch,
    /// There is at least one operand (verify-6); always an error.
    HasOperands,
    /// There is exactly one result; `a.axis` counts them (verify-6); always an
    /// error.
    HasOneResult,
    /// `a` is a tensor or a vector (verify-6); always an error.
    IsShaped,
    /// `a` and `b` are both tensors or both vectors (verify-6); always an
    /// error.
    SameContainer,
  };

  Kind kind = Kind::Compatible;
  int32_t axis = -1;
  Side a;
  Side b;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_SHAPECONSTRAINT_H
