//===- CallEffects.h - what called functions do to memory -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each function, the accesses to its arguments, also by views and by calls
// of other libraries, and the guards in it, if it does nothing else: no memory
// of its own, and no calls of other functions or of what is not reentrant. Each
// function is looked at once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H
#define BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {

class CallEffects {
public:
  explicit CallEffects(mlir::ModuleOp module);

  struct Effects {
    mlir::func::FuncOp function;
    struct Access {
      mlir::Operation *op;
      unsigned argument;
      bool isWrite;
      /// Whether it may be of all elements: by another library.
      bool isAll = false;
    };
    llvm::SmallVector<Access> accesses;
    /// Its guards pass where each of these booleans has its value.
    llvm::SetVector<std::pair<mlir::Value, unsigned>> guards;
  };

  /// Null if the function does something else, or has no body.
  const Effects *find(mlir::func::CallOp call) const;
  bool contains(mlir::func::FuncOp func) const {
    return functions.contains(func.getName());
  }
  /// The functions in an order in which a pass may edit them: those whose
  /// operations these effects have come last. They have no calls, so that
  /// nobody asks for what was edited before.
  llvm::SmallVector<mlir::func::FuncOp>
  sort(llvm::ArrayRef<mlir::func::FuncOp> all) const {
    llvm::SmallVector<mlir::func::FuncOp> sorted;
    for (bool isLast : {false, true})
      llvm::copy_if(
          all, std::back_inserter(sorted),
          [&](mlir::func::FuncOp func) { return contains(func) == isLast; });
    return sorted;
  }

private:
  static bool read(Effects &effects);
  static bool readExternal(loom::ExternalCallOp call, Effects &effects);
  static bool addGuard(mlir::Value condition, bool isTrue, Effects &effects);

  llvm::StringMap<Effects> functions;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_CALLEFFECTS_H
