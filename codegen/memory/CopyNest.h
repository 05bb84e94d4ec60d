//===- CopyNest.h - loop nests that copy memory -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest that copies between a scratchpad, memory of a function's own, and
// other memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_COPYNEST_H
#define BROADLOOM_CODEGEN_MEMORY_COPYNEST_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

/// A nest of loops around one load and the store of it, of which each goes
/// through an axis of the scratchpad. The loops have steps of 1 and bounds that
/// are known in front of the nest.
struct CopyNest {
  mlir::memref::LoadOp load;
  mlir::memref::StoreOp store;
  mlir::scf::ForOp root;
  /// The loop of each axis.
  llvm::SmallVector<mlir::scf::ForOp> axes;

  /// The nest that copies to the scratchpad by `store`; nothing if none does.
  static std::optional<CopyNest> into(mlir::memref::StoreOp store);
  /// The nest that copies from the scratchpad by `load`; nothing if none does.
  static std::optional<CopyNest> outOf(mlir::memref::LoadOp load);

  /// The axis along which an access by `indices` may reach elements of the
  /// scratchpad that are not copied; nothing if there is none.
  std::optional<size_t> findOpenAxis(mlir::ValueRange indices) const;
  /// The variables of the loops for the element with these indices of the
  /// scratchpad.
  mlir::IRMapping mapAxes(mlir::ValueRange indices) const;

private:
  bool read(mlir::ValueRange scratchpad);
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_COPYNEST_H
