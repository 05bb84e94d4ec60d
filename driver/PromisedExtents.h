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

#ifndef BROADLOOM_DRIVER_PROMISEDEXTENTS_H
#define BROADLOOM_DRIVER_PROMISEDEXTENTS_H

#include "infer/numbers/Numbers.h"
#include "shape/Shape.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom {

/// Puts into `shapes`, which are those of a question about `function`, the
/// extents that it promises as formulas (abi-1) for `?`. A name in them is the
/// extent in `shapes` of the first axis that it stands on by itself.
void usePromisedExtents(mlir::func::FuncOp function, std::vector<Shape> &shapes,
                        infer::Numbers &numbers);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PROMISEDEXTENTS_H
