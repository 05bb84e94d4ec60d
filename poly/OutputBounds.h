//===- OutputBounds.h - loops over a relation's outputs ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of loops that meet all outputs of a part of a relation, and perhaps
// others: what is met must be compared with the rows of the part.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_OUTPUTBOUNDS_H
#define BROADLOOM_POLY_OUTPUTBOUNDS_H

#include "poly/Relation.h"

namespace broadloom::poly {

/// `form` by a positive `divisor`: rounded up if it is a lower bound, and down
/// if it is an upper one.
struct Bound {
  Form form;
  int64_t divisor;
};

/// That `variable` is within the bound.
inline Row getRow(const Form &variable, const Bound &bound, bool isUpper) {
  int64_t sign = isUpper ? -1 : 1;
  return isNotNegative(
      Form::combine(sign * bound.divisor, variable, -sign, bound.form));
}

struct BoundedVariable {
  Variable variable;
  /// The value is at least each of `lowers` and at most each of `uppers`, which
  /// are about inputs, symbols, quotients of these, and the variables before.
  std::vector<Bound> lowers, uppers;
};

struct OutputBounds {
  /// The outputs in their order, then what exists.
  std::vector<BoundedVariable> variables;
  /// The rows of the part that the bounds do not imply.
  Rows conditions;
  /// Why the bounds are not known.
  Limit limit = Limit::None;
};

OutputBounds boundOutputs(const Relation &relation, const Rows &part);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_OUTPUTBOUNDS_H
