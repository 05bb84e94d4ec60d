//===- IntegerPoint.h - an integer point of a conjunction -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds integers that satisfy rows, or proves that there are none, by the
// simplex method with bounds and by branching.
//
// Invariant: a point satisfies the rows, and `Refuted` is a proof. The work is
// limited.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_INTEGERPOINT_H
#define BROADLOOM_POLY_INTEGERPOINT_H

#include "poly/Space.h"
#include "shape/Answer.h"

namespace broadloom::poly {

struct PointSearch {
  /// Whether there is a point.
  Truth exists = Truth::Unknown;
  /// If there is: the value of each variable of the space.
  std::vector<int64_t> point;
};

/// Looks for values of all variables, symbols included, that satisfy affine
/// `rows` and the definitions of their quotients. `work` is reduced by the rows
/// that were looked at.
PointSearch findPoint(const Space &space, Rows rows, size_t &work);

/// Whether findPoint() proves that there is no point.
bool hasNoPoint(const Space &space, const Rows &rows, size_t &work);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_INTEGERPOINT_H
