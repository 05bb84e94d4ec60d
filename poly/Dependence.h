//===- Dependence.h - iterations that meet at one element -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two accesses of a loop nest to one memory touch one element in
// different iterations of a loop. The loops around that loop are in the same
// iteration for both accesses. Values of symbols are any that the domains do
// not exclude.
//
// Invariant: `Proved` has a pair of iterations, and `Refuted` is a proof. The
// work is limited.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_DEPENDENCE_H
#define BROADLOOM_POLY_DEPENDENCE_H

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

/// Whether an iteration of `first` and a later iteration of `second` touch one
/// element: later in the loop number `level`, and equal in those around it.
Dependence findDependence(const PlacedAccess &first, const PlacedAccess &second,
                          size_t level, Limits limits = dependenceLimits());

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_DEPENDENCE_H
