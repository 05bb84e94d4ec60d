//===- Normal.h - a normal form of conjunctions -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the rows of a conjunction to a form in which each sum of products
// occurs in one row or in two opposite ones: rounded, without duplicates,
// sorted.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_NORMAL_H
#define BROADLOOM_POLY_NORMAL_H

#include "poly/Space.h"

namespace broadloom::poly {

enum class Normal { Fine, Contradiction, Overflow };

/// Changes `rows` to an equivalent conjunction.
Normal normalise(Rows &rows);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_NORMAL_H
