//===- ExtentRoots.h - which extents are equal ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the extents of memory come from: an extent of an argument, or a number
// that memory was made with. Extents with one root are equal.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_EXTENTROOTS_H
#define BROADLOOM_LEGALIZE_MEMORY_EXTENTROOTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::legalize {

/// A number in front of a nest: a value, or an extent of a memref.
struct NestSymbol {
  mlir::Value value;
  /// The axis, if `value` is a memref; else -1.
  int64_t axis = -1;

  bool operator==(const NestSymbol &other) const {
    return value == other.value && axis == other.axis;
  }
  bool isExtent() const { return axis >= 0; }
};

class ExtentRoots {
public:
  explicit ExtentRoots(mlir::func::FuncOp func);

  /// The root of an open extent, which is known wherever `memory` is.
  NestSymbol find(mlir::Value memory, int64_t axis) const;
  NestSymbol find(mlir::Value number) const;
  /// Whether memory that is made in front of `op`, in a block around it, has
  /// the root `number` as an extent, so that it is one that memory can have.
  bool isExtent(mlir::Value number, mlir::Operation *op) const;

private:
  void read(mlir::Operation *op);
  void readReshape(mlir::Operation *op);
  void readBranch(mlir::scf::IfOp branch);
  void readNumber(mlir::Operation *op);
  void set(mlir::Value memory, int64_t axis, NestSymbol root);
  void set(mlir::Value memory, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  llvm::DenseMap<std::pair<mlir::Value, int64_t>, NestSymbol> extents;
  llvm::DenseMap<mlir::Value, NestSymbol> numbers;
  /// The first memory that has each number as an extent.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>> makers;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_EXTENTROOTS_H
