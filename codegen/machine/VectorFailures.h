//===- VectorFailures.h - loops that are no vectors -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_VECTORFAILURES_H
#define BROADLOOM_CODEGEN_MACHINE_VECTORFAILURES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace broadloom::codegen {

/// Notes in LLVM's metadata what errors call the loops of `module` that a
/// schedule has as vectors; `translated` was made of it.
void nameVectorLoops(mlir::ModuleOp module, llvm::Module &translated);

/// What errors call such a loop of the module; empty if it has none.
std::string findVectorLoop(const llvm::Module &module);

/// Keeps what LLVM says of loops that a schedule has as vectors (sch-16) and
/// that its optimiser leaves as they are, or as vectors of other lengths, while
/// this object lives.
class VectorFailures {
public:
  explicit VectorFailures(llvm::LLVMContext &context);
  ~VectorFailures();
  VectorFailures(const VectorFailures &) = delete;
  VectorFailures &operator=(const VectorFailures &) = delete;

  /// An UnsupportedError of the first such loop, or success.
  llvm::Error take();

private:
  llvm::LLVMContext &context;
  std::string text;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_VECTORFAILURES_H
