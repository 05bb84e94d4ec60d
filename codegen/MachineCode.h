//===- MachineCode.h - from the LLVM dialect to machine code ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation to LLVM IR, optimisation for the host, and what comes of it:
// code in this process, an object file, or text.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINECODE_H
#define BROADLOOM_CODEGEN_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT;
}
} // namespace llvm

namespace mlir {
class DialectRegistry;
}

namespace broadloom::codegen {

/// How LLVM dialect and builtin operations become LLVM IR.
void registerLLVMTranslations(mlir::DialectRegistry &registry);

/// An optimised module for the host.
struct OptimisedModule {
  OptimisedModule();
  OptimisedModule(OptimisedModule &&);
  ~OptimisedModule();
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> target;
};

/// Translates `module`, all in the LLVM dialect, and optimises it.
llvm::Expected<OptimisedModule> translateAndOptimise(mlir::ModuleOp module);

/// Assembly text or object code of the module.
llvm::Expected<std::string> emitAssembly(OptimisedModule &module);
llvm::Expected<std::string> emitObject(OptimisedModule &module);

/// Machine code in this process.
class LoadedCode {
public:
  ~LoadedCode();
  static llvm::Expected<std::unique_ptr<LoadedCode>>
  load(OptimisedModule module);
  /// Address of a function, e.g. "broadloom_entry_main".
  llvm::Expected<void *> lookup(llvm::StringRef name);

private:
  LoadedCode();
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINECODE_H
