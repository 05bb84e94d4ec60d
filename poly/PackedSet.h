//===- PackedSet.h - places of the points of a set --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points of a set in lexicographic order have the places 0, 1, 2, and so
// on. How many there are, and the place of each, are polynomials, or sums of
// polynomials of which each counts where an affine form is positive.
//
// Invariant: a formula that is given is exact for all symbols that are not
// negative; where none can be found, the reason is given.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_PACKEDSET_H
#define BROADLOOM_POLY_PACKEDSET_H

#include "poly/CountFormula.h"
#include "poly/Relation.h"

namespace broadloom::poly {

struct PackedSet {
  /// The number of points, by the symbols.
  CountFormula count;
  /// The place of a point, by the symbols and the outputs.
  CountFormula place;
  /// No number of the formulas needs more than 62 bits for symbols and outputs
  /// less than 2 to this power, and no product of the outputs more than 53.
  int bits = 0;
  /// Whether there is one symbol, and each of its values, from 0 on, has more
  /// points than the one before.
  bool tellsSymbol = false;
};

struct PackedSetResult {
  std::optional<PackedSet> packed;
  /// Why there are no formulas.
  std::string because;
};

/// `set` is a relation without inputs.
PackedSetResult packSet(const Relation &set);

/// A point of `set` of which an output is negative or at least its extent, a
/// form in the symbols, with the values of all variables; nothing if there is
/// none. Where that is not known, `isKnown` becomes false.
std::optional<std::vector<int64_t>>
findOutside(const Relation &set, const std::vector<Form> &extents,
            bool &isKnown);

/// The row with `values` in place of its variables, of which there are as many.
Form substitute(const Form &affine, const std::vector<Form> &values);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_PACKEDSET_H
