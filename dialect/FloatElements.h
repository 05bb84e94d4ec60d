//===- FloatElements.h - the floats that programs compute with --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_FLOATELEMENTS_H
#define BROADLOOM_DIALECT_FLOATELEMENTS_H

#include "mlir/IR/BuiltinTypes.h"

namespace broadloom {

/// Whether `type` is one of the floats that programs compute with (el-10). MLIR
/// has more.
inline bool isFloatElement(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type,
                   mlir::BFloat16Type, mlir::Float16Type, mlir::Float32Type,
                   mlir::Float64Type>(type);
}

} // namespace broadloom

#endif // BROADLOOM_DIALECT_FLOATELEMENTS_H
