//===- CallEffects.h - what called functions do to memory -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each function, the accesses to its arguments and the guards in it, if it
// does nothing else: no calls, no memory of its own. Each function is looked at
// once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H
#define BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {

class CallEffects {
public:
  explicit CallEffects(mlir::ModuleOp module);

  struct Effects {
    mlir::func::FuncOp function;
    /// Loads and stores, of arguments of the function.
    llvm::SmallVector<mlir::Operation *> accesses;
    /// The conditions of its guards.
    llvm::SmallVector<mlir::Value> guards;
  };

  /// Null if the function does something else, or has no body.
  const Effects *find(mlir::func::CallOp call) const;
  bool contains(mlir::func::FuncOp func) const {
    return functions.contains(func.getName());
  }

private:
  static bool read(Effects &effects);

  llvm::StringMap<Effects> functions;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H
