//===- FirstFailure.h - the first iteration outside -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first iteration of a domain, in the order of the program, that has a
// subscript outside, for given values of the symbols: what an error says.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_FIRSTFAILURE_H
#define BROADLOOM_POLY_FIRSTFAILURE_H

#include "poly/Domain.h"

namespace broadloom::poly {

struct Failure {
  /// The variables of the domain's loops.
  std::vector<int64_t> iteration;
  /// The first axis that is outside, the subscript and the extent there.
  size_t axis;
  int64_t index, extent;
};

struct FirstFailure {
  std::optional<Failure> failure;
  /// Whether there is surely no earlier failure, or none at all.
  bool isFound = false;
};

/// `values` has those of the symbols, by their variables. `budget`: how many
/// values of loops are tried.
FirstFailure findFirstFailure(const Domain &domain, const Access &access,
                              const std::vector<int64_t> &values,
                              size_t budget = 100000);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_FIRSTFAILURE_H
