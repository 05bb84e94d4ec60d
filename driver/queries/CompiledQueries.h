//===- CompiledQueries.h - shape queries, compiled on demand ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape queries of a program that is compiled into this process. Machine
// code of shape queries is made at the first query, because few callers query
// shapes alone.
//
// Invariant: any number of threads may query at once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_QUERIES_COMPILEDQUERIES_H
#define BROADLOOM_DRIVER_QUERIES_COMPILEDQUERIES_H

#include "codegen/machine/MachineCode.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <mutex>

namespace broadloom {

/// Takes the shape queries out of `module`.
mlir::OwningOpRef<mlir::ModuleOp> takeShapeQueries(mlir::ModuleOp module);

class CompiledQueries {
public:
  /// `module` is what takeShapeQueries gave.
  CompiledQueries(mlir::ModuleOp module, codegen::CodeEffort effort);
  /// `bytecode` is what getBytecode gave.
  CompiledQueries(std::string bytecode, codegen::CodeEffort effort)
      : effort(effort), bytecode(std::move(bytecode)) {}

  const std::string &getBytecode() const { return bytecode; }

  /// The shape query of a public function. Null, with the reason in `error`,
  /// where it cannot be compiled.
  BroadloomShapes get(llvm::StringRef function, std::string &error);

private:
  void compile();

  const codegen::CodeEffort effort;
  std::string bytecode;
  std::once_flag once;
  std::unique_ptr<codegen::LoadedCode> code;
  std::string failure;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_COMPILEDQUERIES_H
