//===- Equalities.h - integers that equalities give -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_EQUALITIES_H
#define BROADLOOM_POLY_EQUALITIES_H

#include "poly/Elimination.h"

namespace broadloom::poly {

/// Whether `form` == 0 can be solved for an unknown.
bool canSolve(const Space &space, const Form &form);

/// Eliminates an unknown by a row that is an equality, if there is one. The
/// rows then hold for as many integers as before. Where the coefficients are
/// large, each step of Euclid's algorithm reduces `limits.work`; where that is
/// used up, unknowns are left.
bool solveEquality(Space &space, Rows &rows, Limits &limits);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_EQUALITIES_H
