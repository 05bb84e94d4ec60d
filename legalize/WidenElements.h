//===- WidenElements.h - computing in wider elements ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_WIDENELEMENTS_H
#define BROADLOOM_LEGALIZE_WIDENELEMENTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// The numbers of the operands of `op` that are zero points.
llvm::ArrayRef<unsigned> getZeroPoints(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_WIDENELEMENTS_H
