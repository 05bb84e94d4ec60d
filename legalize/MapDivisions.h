//===- MapDivisions.h - divisions of integers in maps -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MAPDIVISIONS_H
#define BROADLOOM_LEGALIZE_MAPDIVISIONS_H

#include "dialect/LoomDialect.h"

namespace broadloom::legalize {

/// Constrains the integer divisions in a map of an input program or a user's
/// reference to valid divisors (rt-11). Returns the map, which may have been
/// replaced.
loom::MapOp constrainDivisions(loom::MapOp map);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MAPDIVISIONS_H
