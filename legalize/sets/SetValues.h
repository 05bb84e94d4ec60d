//===- SetValues.h - values whose shape is a set ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensors of a module whose shape is a set: which they were, and the values
// of their symbols.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_SETS_SETVALUES_H
#define BROADLOOM_LEGALIZE_SETS_SETVALUES_H

#include "legalize/sets/SetLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::legalize {

class SetValues {
public:
  explicit SetValues(mlir::OpBuilder &b) : b(b) {}

  /// Notes all such values, and gives them and the signatures of functions the
  /// types of their elements. Arrays of callers are checked.
  void changeTypes(mlir::ModuleOp module);

  bool contains(mlir::Value value) const { return sets.contains(value); }
  /// The set of a value that is one.
  loom::SetShapeAttr getSet(mlir::Value value) const {
    return sets.find(value)->second.getSet();
  }
  /// Its type as it was, without the values of symbols.
  SetTensor getOpen(mlir::Value value) const {
    return sets.find(value)->second;
  }
  /// With the values of symbols, which are computed behind the value: the
  /// number of elements tells the one of an open type.
  SetTensor get(mlir::Value value);
  /// Notes that `value` has the elements of `tensor`.
  void add(mlir::Value value, SetTensor tensor);

private:
  void change(mlir::Value value);
  void changeSignature(mlir::func::FuncOp func);
  void requireCount(mlir::func::FuncOp func, mlir::BlockArgument argument);

  mlir::OpBuilder &b;
  llvm::DenseMap<mlir::Value, SetTensor> sets;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_SETVALUES_H
