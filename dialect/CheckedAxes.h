//===- CheckedAxes.h - accesses with some axes checked ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an access to memory, the axes that have no check of their own, where
// guards in front of its loops cover these and not all.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_CHECKEDAXES_H
#define BROADLOOM_DIALECT_CHECKEDAXES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace broadloom::loom {

inline constexpr llvm::StringLiteral kCheckedAxes = "loom.checked_axes";

inline llvm::ArrayRef<int64_t> getCheckedAxes(mlir::Operation *op) {
  auto axes = op->getAttrOfType<mlir::DenseI64ArrayAttr>(kCheckedAxes);
  return axes ? axes.asArrayRef() : llvm::ArrayRef<int64_t>();
}

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_CHECKEDAXES_H
