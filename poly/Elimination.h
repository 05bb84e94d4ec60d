//===- Elimination.h - exact projection over integers -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds for which values of the symbols there are integers for the unknowns.
// The answer is a union of conjunctions, with quotients of symbols where
// divisibility counts.
//
// Invariant: an answer is exact; where a limit is met there is none. The limits
// bound the time of a question.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_ELIMINATION_H
#define BROADLOOM_POLY_ELIMINATION_H

#include "poly/Space.h"

namespace broadloom::poly {

/// Why there is no answer.
enum class Limit {
  None,
  /// A coefficient does not fit 64 bits.
  Overflow,
  /// There are too many unknowns, rows, or parts of a union.
  Unknowns,
  Rows,
  Parts,
  /// The question takes too long.
  Work,
  /// A product of unknowns, or one with a symbol that no rule is for.
  Product,
  /// Relations do not have as many inputs or outputs as the question needs.
  Arity,
};

/// "a coefficient does not fit 64 bits"; what follows "because".
const char *describe(Limit limit);

struct Limits {
  size_t unknowns = 24;
  size_t rows = 96;
  size_t parts = 64;
  /// Forms of a condition.
  size_t forms = 256;
  /// Rows that are looked at and pairs of rows that are combined.
  size_t work = 20000;
};

/// For what values of symbols some integers exist: where one of `parts` holds,
/// if there is no limit.
struct Projection {
  std::vector<Rows> parts;
  Limit limit = Limit::None;
};

/// Eliminates all unknowns from `rows`; `facts` hold. `space` gets quotients.
/// `limits.work` is reduced by the work that was done.
Projection eliminate(Space &space, Rows rows, const Rows &facts,
                     Limits &limits);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_ELIMINATION_H
