//===- Variables.h - the variables of a program, and who uses them -*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_STATE_VARIABLES_H
#define BROADLOOM_LEGALIZE_STATE_VARIABLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {

struct Variable {
  mlir::tosa::VariableOp op;
  mlir::TensorType type;
  /// Null for zeros.
  mlir::ElementsAttr initial;
};

/// The variables that an operation or a function uses and writes, including its
/// regions and callees: their numbers, sorted.
struct VariableUse {
  llvm::SmallVector<unsigned> used, written;
};

class Variables {
public:
  /// Collects all variables and their uses; fails after an error.
  llvm::LogicalResult collect(mlir::ModuleOp module);

  llvm::ArrayRef<Variable> all() const { return variables; }
  /// The variables of `op`, which may be a function.
  const VariableUse &getUse(mlir::Operation *op) const;
  /// The function that `call` calls.
  mlir::func::FuncOp getCallee(mlir::func::CallOp call) const {
    return byName.lookup(call.getCallee());
  }
  /// The number of the variable that a read or write names.
  unsigned getNumber(llvm::StringRef name) const {
    return numbers.lookup(name);
  }

private:
  llvm::LogicalResult add(mlir::tosa::VariableOp op);
  llvm::LogicalResult check(mlir::Operation *op, llvm::StringRef name,
                            mlir::Type type, llvm::StringRef does);
  bool note(mlir::Operation *op, unsigned number, bool isWritten);
  void followCalls(mlir::ModuleOp module);

  llvm::SmallVector<Variable> variables;
  llvm::StringMap<unsigned> numbers;
  llvm::DenseMap<mlir::Operation *, VariableUse> uses;
  llvm::StringMap<mlir::func::FuncOp> byName;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_STATE_VARIABLES_H
