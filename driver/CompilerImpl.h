//===- CompilerImpl.h - what Compiler.cpp and its parts share ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILERIMPL_H
#define BROADLOOM_DRIVER_COMPILERIMPL_H

#include "codegen/machine/MachineCode.h"
#include "dialect/LoomDialect.h"
#include "driver/Compiler.h"
#include "driver/ShapeQueries.h"
#include "runtime/calls/Call.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

/// Leaves in `module`, which need not be verified, of all functions only
/// `name` and what it calls; all, where there is none of that name.
void keepReachable(mlir::ModuleOp module, llvm::StringRef name);

/// The same for the public function that findFunction finds.
void keepQueried(mlir::ModuleOp module, const std::string &name);

/// Removes what functions say of their extents (abi-1).
void eraseExtents(mlir::ModuleOp module);

struct CompiledModule::Impl {
  std::vector<FunctionSignature> functions;
  std::unique_ptr<codegen::LoadedCode> code;
  /// Lives as long as the code; null where there are no functions.
  const BroadloomFunctions *program = nullptr;
  std::unique_ptr<ShapeQueries> queries;

  /// Links `objects` and finds the table.
  llvm::Error load(llvm::ArrayRef<std::string> objects);
};

/// What a value of `type` is outside the program; nothing where it has no form
/// there. `extents` may be null, else it names extents.
std::optional<TensorSignature>
getTensorSignature(mlir::Type type, loom::ExtentsAttr extents = {});

/// The signatures of the public functions of `module`; false (with a
/// diagnostic) where a type cannot cross the C ABI.
bool readSignatures(mlir::ModuleOp module,
                    std::vector<FunctionSignature> &signatures);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILERIMPL_H
