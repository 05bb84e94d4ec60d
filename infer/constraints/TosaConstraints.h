//===- TosaConstraints.h - constraints of other TOSA ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints on the data of TOSA operations that are not element-wise, so that
// the code of upstream's patterns reads and writes nothing outside its operands
// (rt-3). Shape functions have the constraints on extents.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H

#include "infer/constraints/ShapeValues.h"

namespace broadloom::infer {

/// If `op` is a `tosa.gather` or a `tosa.scatter`, records before it that its
/// indices are in the range of the indexed axis (rt-9).
void constrainTosaIndices(mlir::Operation *op, ShapeValues &shapes);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
