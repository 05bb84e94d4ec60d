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

/// A variable is at least each of `lowers` and at most each of `uppers`, which
/// are about the symbols and the outputs before.
struct Interval {
  std::vector<Form> lowers, uppers;
};

struct PackedSet {
  /// Those of the outputs: the points are all whose outputs are in them. Where
  /// the first one is not empty, no other one has less than no numbers.
  std::vector<Interval> axes;
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

/// The points of which output `i` is output `order[i]` of a point of `set`,
/// whose forms have no quotients.
Relation permute(const Relation &set, const std::vector<size_t> &order);

/// Whether each (i, j) for which some k has (i, k) in `first` and (k, j) in
/// `second` is in `product`; sets of as many symbols, which are the same.
Truth hasProduct(const Relation &product, const Relation &first,
                 const Relation &second);

/// Whether a set of two outputs has points (i, j) and (j, i) that differ.
Truth hasMirrored(const Relation &set);

/// The row with `values` in place of its variables, of which there are as many.
Form substitute(const Form &affine, const std::vector<Form> &values);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_PACKEDSET_H
