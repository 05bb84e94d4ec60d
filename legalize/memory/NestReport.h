//===- NestReport.h - what becomes of accesses in loops ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a report about accesses that are checked once for a loop.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTREPORT_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTREPORT_H

#include "infer/report/GuardReport.h"
#include "legalize/memory/NestPlaces.h"

namespace broadloom::legalize {

/// One row for the accesses that bounds prove, one for those that have a
/// condition at `place`, or else in front of `nest`. Accesses that fail in each
/// iteration are left to the rows that they have themselves.
void reportNest(mlir::Operation *nest,
                const std::optional<NestPlaces::Place> &place,
                llvm::ArrayRef<CheckedAccess> accesses,
                infer::GuardReport &report);

/// "argument 'n'", "axis 0 of argument 'a'".
std::string describe(const NestSymbol &symbol);

/// The rows of `op`, an access in a loop, say why no loop has a check for it.
void reportAlone(mlir::Operation *op, const std::string &because,
                 infer::GuardReport &report);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTREPORT_H
