//===- NumberRules.h - rules of TOSA about numbers --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA's rules for zero points, for the flags of a rescale and for the numbers
// of a resize. Shape functions have its rules for extents.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_NUMBERRULES_H
#define BROADLOOM_READ_STRUCTURE_NUMBERRULES_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Reports the first of these rules that `op`, whose structure is valid,
/// breaks.
llvm::LogicalResult checkNumberRules(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_NUMBERRULES_H
