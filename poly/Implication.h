//===- Implication.h - what follows from rows -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs that no integers satisfy some rows, by Fourier-Motzkin elimination
// with rounding. Products of variables count as variables of their own, with
// what the ranges of their factors say of them.
//
// Invariant: true is a proof, false says nothing. The work is limited.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_IMPLICATION_H
#define BROADLOOM_POLY_IMPLICATION_H

#include "poly/Space.h"

namespace broadloom::poly {

/// Whether `rows` surely cannot hold together.
bool provesEmpty(const Space &space, Rows rows);

/// Whether `row` surely holds where `rows` hold.
bool proves(const Space &space, const Rows &rows, const Row &row);

/// Leaves out rows that follow from the others and `facts`. False if the rows
/// surely cannot hold together with the facts.
bool simplify(const Space &space, const Rows &facts, Rows &rows);

/// The same, if the rows fit 64 bits and can hold together; else they stay.
void leaveOutImplied(const Space &space, const Rows &facts, Rows &rows);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_IMPLICATION_H
