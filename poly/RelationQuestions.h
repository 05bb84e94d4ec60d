//===- RelationQuestions.h - questions about relations ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions with three answers (ext-2): sample points come first, a proof
// second. Refuted says at which point, where one is known.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_RELATIONQUESTIONS_H
#define BROADLOOM_POLY_RELATIONQUESTIONS_H

#include "poly/Relation.h"

namespace broadloom::poly {

/// Values of the inputs, the symbols, and the outputs of a relation.
using Point = std::vector<int64_t>;

struct RelationAnswer {
  Truth truth = Truth::Unknown;
  /// Why it is unknown.
  Limit limit = Limit::None;
  /// A point that refutes, in the variables of the first relation and then the
  /// symbols that only the second one has.
  std::optional<Point> point = std::nullopt;
};

/// Whether the relation has `point`.
Truth contains(const Relation &relation, const Point &point,
               Limits limits = relationLimits());

RelationAnswer isEmpty(const Relation &relation,
                       Limits limits = relationLimits());
RelationAnswer isSubset(const Relation &a, const Relation &b,
                        Limits limits = relationLimits());
RelationAnswer isEqual(const Relation &a, const Relation &b,
                       Limits limits = relationLimits());

/// How many outputs there are for some inputs and symbols. Nothing if that is
/// not finite, does not fit, or takes too long.
std::optional<int64_t> countOutputs(const Relation &relation,
                                    const std::vector<int64_t> &inputs,
                                    const std::vector<int64_t> &symbols,
                                    Limits limits = relationLimits());

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_RELATIONQUESTIONS_H
