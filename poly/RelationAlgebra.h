//===- RelationAlgebra.h - relations computed from relations ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each answer is exact, or there is none. Symbols of two relations are the same
// where their names are. A variable of the answer whose name is in use already
// gets another one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_RELATIONALGEBRA_H
#define BROADLOOM_POLY_RELATIONALGEBRA_H

#include "poly/Relation.h"

namespace broadloom::poly {

/// The pairs (x, z) with (x, y) in `first` and (y, z) in `second`.
RelationResult compose(const Relation &first, const Relation &second,
                       Limits limits = relationLimits());
/// The outputs of `relation` for the elements of `set`.
RelationResult apply(const Relation &set, const Relation &relation,
                     Limits limits = relationLimits());
RelationResult inverse(const Relation &relation);
/// The inputs that have an output, and the outputs that have an input.
RelationResult domain(const Relation &relation,
                      Limits limits = relationLimits());
RelationResult range(const Relation &relation,
                     Limits limits = relationLimits());
/// What is left of the points without the variables of these names.
RelationResult projectOut(const Relation &relation,
                          const std::vector<std::string> &names,
                          Limits limits = relationLimits());

/// Of relations with as many inputs and outputs, which have the names of `a`.
RelationResult unite(const Relation &a, const Relation &b,
                     Limits limits = relationLimits());
RelationResult intersect(const Relation &a, const Relation &b,
                         Limits limits = relationLimits());
RelationResult subtract(const Relation &a, const Relation &b,
                        Limits limits = relationLimits());

/// The pairs of an input and the least, or greatest, of its outputs in
/// lexicographic order. An input without one is in no pair.
RelationResult lexicographicMinimum(const Relation &relation,
                                    Limits limits = relationLimits());
RelationResult lexicographicMaximum(const Relation &relation,
                                    Limits limits = relationLimits());

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_RELATIONALGEBRA_H
