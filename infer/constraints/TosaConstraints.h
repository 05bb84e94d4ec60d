//===- TosaConstraints.h - constraints of other TOSA ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold of the data of operations of TOSA that are not element-wise,
// so that the code which upstream's patterns make of them reads and writes
// nothing outside its operands (rt-3). Of extents, their shape functions say
// it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H

#include "infer/constraints/ShapeValues.h"

namespace broadloom::infer {

/// Records before `op`, where it is a `tosa.gather` or a `tosa.scatter`, that
/// its indices are those of the axis that they are about (rt-9).
void constrainTosaIndices(mlir::Operation *op, ShapeValues &shapes);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
