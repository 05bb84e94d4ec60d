//===- SetUnion.h - a union as one conjunction ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_SETUNION_H
#define BROADLOOM_POLY_SETUNION_H

#include "poly/Relation.h"

namespace broadloom::poly {

/// Whether `rows` of `set` have quotients, or variables that exist.
bool hasOthers(const Relation &set, const Rows &rows);

/// A set as comparisons, without quotients that an equality tells, and of one
/// part where the comparisons that hold in all parts make the same set for all
/// symbols that are not negative. A set that has other quotients, or unknowns,
/// and one of which that is not proved, keep their parts; the limit is what the
/// proof met. There always is a relation.
RelationResult joinParts(const Relation &set);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_SETUNION_H
