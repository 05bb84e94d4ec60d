//===- Dependence.h - iterations that meet at one element -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two accesses of a loop nest to one memory touch one element, in
// iterations of the loops around both that are in a given order. Values of
// symbols are any that the domains and the premises do not exclude.
//
// Invariant: `Proved` has a pair of iterations, and `Refuted` is a proof. The
// work is limited.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_DEPENDENCE_H
#define BROADLOOM_POLY_DEPENDENCE_H

#include "poly/Condition.h"
#include "poly/Domain.h"
#include "poly/Elimination.h"
#include "shape/Answer.h"

namespace broadloom::poly {

/// An access at the end of a domain. The loops of two domains are the same as
/// far as a question is about them.
struct PlacedAccess {
  const Domain &domain;
  /// Each index is inside its extent.
  const Access &subscripts;
  /// The symbols of the domain, with the numbers that they have in all domains
  /// of the nest.
  std::vector<std::pair<Variable, size_t>> symbols;
};

/// A condition on symbols that holds wherever the nest runs.
struct Premise {
  /// Of whose symbols the condition is.
  const Domain &domain;
  const Condition &condition;
  /// As those of an access.
  std::vector<std::pair<Variable, size_t>> symbols;
};
using Premises = std::vector<Premise>;

/// Two iterations and the element that both touch.
struct Meeting {
  /// The variables of the loops around each access.
  std::vector<int64_t> first, second;
  std::vector<int64_t> element;
  /// By their numbers; 0 for those that neither access has.
  std::vector<int64_t> symbols;
};

struct Dependence {
  Truth exists = Truth::Unknown;
  /// If there is one.
  std::optional<Meeting> meeting = std::nullopt;
  /// Why it is unknown.
  Limit limit = Limit::None;
};

inline Limits dependenceLimits() {
  Limits limits;
  limits.work = 40000;
  return limits;
}

/// How the iteration of a loop in which the first access is lies to that of the
/// second: a component of a direction vector.
enum class Direction { Any, Equal, Before, After };
using Directions = std::vector<Direction>;

/// Whether iterations of `first` and of `second` touch one element, of which
/// the loops around both have these directions, from the outermost on. Loops
/// behind those are in any iteration. All of `premises` hold.
Dependence findDependence(const PlacedAccess &first, const PlacedAccess &second,
                          const Directions &directions,
                          const Premises &premises = {},
                          Limits limits = dependenceLimits());

/// Those for an iteration that is earlier in the loop number `level`, and the
/// same in the loops around it.
inline Directions earlierAt(size_t level) {
  Directions directions(level, Direction::Equal);
  directions.push_back(Direction::Before);
  return directions;
}

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_DEPENDENCE_H
