//===- PromisedExtents.h - formulas of arguments' extents -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_QUERIES_PROMISEDEXTENTS_H
#define BROADLOOM_DRIVER_QUERIES_PROMISEDEXTENTS_H

#include "infer/numbers/Numbers.h"
#include "shape/Shape.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom {

/// Replaces `?` in `shapes`, which are the shapes of a question about
/// `function`, by the extents that the function declares as formulas (abi-1). A
/// name in a formula is the extent in `shapes` of the first axis that has just
/// that name.
void usePromisedExtents(mlir::func::FuncOp function, std::vector<Shape> &shapes,
                        infer::Numbers &numbers);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_PROMISEDEXTENTS_H
