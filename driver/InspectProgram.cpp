//===- InspectProgram.cpp - what a program takes, and its work -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/CheckCalls.h"
#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/inspect/CodeDescription.h"
#include "driver/inspect/CountWork.h"
#include "driver/inspect/Inspect.h"
#include "driver/inspect/Signatures.h"
#include "legalize/user/Unimplemented.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;

bool Compiler::Impl::inspect(std::unique_ptr<llvm::MemoryBuffer> buffer,
                             InspectedFile &file) {
  if (isCode(*buffer)) {
    llvm::Error error = inspectCode(*buffer, file);
    text = error ? buffer->getBufferIdentifier().str() +
                       ": error: " + llvm::toString(std::move(error)) + "\n"
                 : "";
    return text.empty();
  }
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return false;
  inspectModule(*module, *sources->getMemoryBuffer(1), file);

  // `inspect` reports only whether the program is accepted; `check` reports the
  // errors.
  llvm::SaveAndRestore keep(isBroken);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  std::vector<FunctionSignature> signatures;
  file.isAccepted = runStages(*module, getPipeline(Goal::Check),
                              [&](Stage stage) {
                                return stage != Stage::Legalize ||
                                       readSignatures(*module, signatures);
                              }) &&
                    succeeded(legalize::reportUnimplemented(*module)) &&
                    succeeded(codegen::checkCalls(*module));
  return true;
}

std::optional<WorkCount>
Compiler::Impl::count(std::unique_ptr<llvm::MemoryBuffer> buffer,
                      const std::string &function,
                      const std::vector<const BroadloomTensor *> &inputs) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return std::nullopt;
  keepReachable(*module, function);
  func::FuncOp func;
  // The extents of the arguments determine those of all values.
  auto fixExtents = [&](Stage stage) {
    if (stage != Stage::Legalize)
      return true;
    func = SymbolTable(*module).lookup<func::FuncOp>(function);
    return func && !func.isExternal() && fixArguments(func, inputs);
  };
  if (!runStages(*module, getPipeline(Goal::Check), fixExtents))
    return std::nullopt;
  return countWork(func);
}
