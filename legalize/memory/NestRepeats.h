//===- NestRepeats.h - accesses that repeat earlier ones --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses of a function are alike if they have the same memory, the same
// subscripts and the same loops and branches around them, up to the names of
// values: in the same order, they go to the same elements, whatever the numbers
// are. So where the guard of one has run, the other needs none.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTREPEATS_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTREPEATS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace broadloom::legalize {

class NestRepeats {
public:
  /// Numbers the values of `func` that subscripts and bounds may be computed
  /// of: those with one number are equal wherever both are known.
  explicit NestRepeats(mlir::func::FuncOp func);

  /// Whether a guard that has run before `access` covers one that is like it.
  bool isCovered(mlir::Operation *access);

  /// Notes a guard of `access` for all that is behind `access` in the text, or
  /// for that part of it which is in `block` or in operations of `block`.
  void cover(mlir::Operation *access, mlir::Block *block = nullptr);

private:
  using Number = uintptr_t;
  using Key = std::vector<Number>;

  Number getNumber(Key key);
  Number getNumber(mlir::Value value) const;
  Number getNumber(const void *pointer) const {
    return reinterpret_cast<Number>(pointer);
  }
  /// That of the loops around `block` and the branches in them, with their
  /// bounds and conditions; 0 where no loop is around it.
  Number getPath(mlir::Block *block);
  void addOperands(mlir::ValueRange operands, Key &key) const;
  void define(mlir::Operation *op);
  Key getKey(mlir::Operation *access);

  std::map<Key, Number> numbers;
  llvm::DenseMap<mlir::Value, Number> values;
  llvm::DenseMap<mlir::Block *, Number> paths;
  /// The latest blocks for which accesses of a key are covered, or null, which
  /// is the only one then.
  std::map<Key, llvm::SmallVector<mlir::Block *, 1>> covered;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTREPEATS_H
