//===- MachineCode.h - from the LLVM dialect to machine code ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation to LLVM IR, optimisation for the target, and the output: code in
// this process, an object file, or text.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_MACHINECODE_H
#define BROADLOOM_CODEGEN_MACHINE_MACHINECODE_H

#include "codegen/machine/OutsideConstants.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace mlir {
class DialectRegistry;
}

namespace broadloom::codegen {

/// Registers the translations of the LLVM dialect and builtin operations to
/// LLVM IR.
void registerLLVMTranslations(mlir::DialectRegistry &registry);

class CodeTarget;

enum class CodeFormat { Assembly, Object };

/// The section of an object file that describes its program.
inline constexpr llvm::StringLiteral kDescriptionSection = ".broadloom.program";

/// Translates `module`, all in the LLVM dialect, to code for `target`, and
/// returns the text or bytes of one file. Its table of functions
/// (BroadloomFunctions) is the symbol `table`; no other symbol is visible, so
/// that several programs can be linked together. The section
/// kDescriptionSection gets `description`. An object file is compiled in parts
/// on the threads of the context; its bytes do not depend on their number.
llvm::Expected<std::string> emitCode(mlir::ModuleOp module, CodeFormat format,
                                     llvm::StringRef table,
                                     llvm::StringRef description,
                                     const CodeTarget &target);

/// The symbols that an object file uses and does not define.
llvm::Expected<std::vector<std::string>>
findUndefinedSymbols(llvm::StringRef code);

/// The effort of LLVM: all optimisations, or the least time, without
/// optimisations and with fast instruction selection. Results have the same
/// bits.
enum class CodeEffort { Full, Least };

/// Code for this machine.
struct MachineCode {
  std::vector<std::string> objects;
  /// To which the objects refer.
  std::vector<OutsideConstant> constants;
};

/// Compiles `module` for this machine, on the threads of its context, to one or
/// more object files. Functions and large constants are moved out of `module`.
/// Fails as soon as `cancelled`, which may be null, is true.
llvm::Expected<MachineCode>
compileObjects(mlir::ModuleOp module, CodeEffort effort = CodeEffort::Full,
               const std::atomic<bool> *cancelled = nullptr);

/// Machine code in this process.
class LoadedCode {
public:
  ~LoadedCode();
  /// Links objects with each other, with the runtime, with `libraries`, which
  /// openLibraries has opened, and with the C library. Keeps the memory of the
  /// constants.
  static llvm::Expected<std::unique_ptr<LoadedCode>>
  load(llvm::ArrayRef<std::string> objects,
       llvm::ArrayRef<OutsideConstant> constants = {},
       llvm::ArrayRef<std::string> libraries = {});
  /// Address of a function or global, e.g. "broadloom_functions".
  llvm::Expected<void *> lookup(llvm::StringRef name);

private:
  LoadedCode();
  std::vector<OutsideConstant> constants;
  /// What the linker has told beside the errors that it gives.
  std::unique_ptr<std::string> told = std::make_unique<std::string>();
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_MACHINECODE_H
