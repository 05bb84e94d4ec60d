//===- ScalarNames.h - names of a function's scalars ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_SCALARNAMES_H
#define BROADLOOM_LEGALIZE_MEMORY_SCALARNAMES_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// Identifiers for the scalars of a function: "n", and "a_0" for an extent.
class ScalarNames {
public:
  explicit ScalarNames(mlir::func::FuncOp func);

  std::string get(loom::ScalarReference scalar) const;
  static std::string getOutput(unsigned axis) {
    return "r" + std::to_string(axis);
  }

private:
  llvm::SmallVector<std::string> arguments;
};

/// "argument 'n'", or "axis 0 of argument 'a'". The function has a block.
std::string describeScalar(mlir::func::FuncOp func,
                           loom::ScalarReference scalar);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_SCALARNAMES_H
