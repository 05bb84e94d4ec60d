//===- SharedPlaces.h - memory that is read alone ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory whose layout puts several elements at one place is read, and written
// by accumulation alone (mem-17).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_SHAREDPLACES_H
#define BROADLOOM_LEGALIZE_MEMORY_SHAREDPLACES_H

#include "dialect/MemoryLayouts.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::legalize {

/// Finds what writes such memory. Meets operations behind those that define
/// their operands.
class SharedPlaces {
public:
  /// Fails with an error if `op` writes such memory, or a view of it, or hands
  /// it on as memory that may be written.
  mlir::LogicalResult check(mlir::Operation *op);

private:
  const std::optional<loom::SharedPlace> &find(mlir::Type type);
  mlir::Value getShared(mlir::Value memory);

  llvm::DenseMap<mlir::Type, std::optional<loom::SharedPlace>> types;
  /// Views whose types do not tell it, and what they view.
  llvm::DenseMap<mlir::Value, mlir::Value> views;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_SHAREDPLACES_H
