//===- IntegerDivision.h - integer divisions of programs --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations divide integers, and for which operands they have no result.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_INTEGERDIVISION_H
#define BROADLOOM_SCALAR_INTEGERDIVISION_H

#include "mlir/IR/Builders.h"

namespace broadloom::scalar {

/// Whether an operation divides integers, and whether as signed or unsigned.
enum class DivisionKind { None, Signed, Unsigned };

/// The kind of `op`. A remainder is a division as well. The operations are
/// those of the dialects arith and index, on scalars and element by element.
DivisionKind getDivisionKind(mlir::Operation *op);

/// Whether the divisor of a division is a constant that divides every number:
/// not 0, and not -1 in a signed division.
bool hasSafeDivisor(mlir::Operation *division);

/// Whether a division of scalars has no result, as an i1 that is computed at
/// the builder's insertion point: the divisor is 0, or the quotient does not
/// fit.
mlir::Value makeTrapCondition(mlir::OpBuilder &builder,
                              mlir::Operation *division);

/// Makes a division of scalars safe for all operands: it divides by 1 if the
/// division would trap. Does nothing to other operations.
void makeDivisionSafe(mlir::Operation *op);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_INTEGERDIVISION_H
