//===- Check.cpp - what is known of a program's shapes --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/CheckCalls.h"
#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/Listing.h"
#include "import/user/Unimplemented.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;

bool Compiler::Impl::check(std::unique_ptr<llvm::MemoryBuffer> buffer,
                           CheckedProgram &program,
                           const std::string &function) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return false;
  keepReachable(*module, function);
  OwningOpRef<ModuleOp> copy = module->clone();
  program.isAccepted = runStages(*module, getPipeline(Goal::Check));
  if (program.isAccepted) {
    (void)legalize::reportUnimplemented(*module, DiagnosticSeverity::Warning);
    (void)codegen::checkCalls(*module, DiagnosticSeverity::Warning);
  }

  // What is wrong has been told, as compiling tells it, and whose fault it is
  // is known: here, errors are rows.
  llvm::SaveAndRestore keep(isBroken);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  makeListing(*copy, *sources->getMemoryBuffer(1), program);
  Pipeline pipeline = getPipeline(Goal::Check);
  pipeline.options.report = &program.report;
  program.isComplete = runStages(*copy, pipeline);
  program.report.finish();
  return true;
}
