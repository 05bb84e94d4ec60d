//===- PlaceSets.h - accesses to memory whose shape is a set ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such memory becomes memory of one axis (set-1). Where the extents of its type
// are open, and memory does not come from an allocation, the number of elements
// tells them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_PLACESETS_H
#define BROADLOOM_CODEGEN_MEMORY_PLACESETS_H

#include "dialect/MemoryLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::codegen {

/// Places the memory of one function.
class SetPlacer {
public:
  explicit SetPlacer(mlir::func::FuncOp func) : func(func) {}

  /// Rewrites what uses `memory`, whose indices have been checked, and gives it
  /// the type of its places.
  void place(mlir::Value memory);

private:
  llvm::SmallVector<mlir::Value> getSymbols(mlir::Value memory);
  mlir::Value replaceAllocation(mlir::Value memory,
                                llvm::ArrayRef<mlir::Value> symbols);
  mlir::Value findSymbol(mlir::Value memory, loom::SetShapeAttr set);
  bool isOfCaller(mlir::Value memory);
  void requireCount(mlir::OpBuilder &b, mlir::BlockArgument argument,
                    loom::SetShapeAttr set, mlir::Value given,
                    mlir::Value symbol);
  static void placeUser(mlir::Operation *user, mlir::MemRefType type,
                        llvm::ArrayRef<mlir::Value> symbols);

  mlir::func::FuncOp func;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_PLACESETS_H
