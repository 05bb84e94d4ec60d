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
  // What it is in the program that rows are about.
  OwningOpRef<ModuleOp> written = module->clone();
  Pipeline pipeline = getPipeline(Goal::Check);
  pipeline.options.report = &program.report;
  program.isAccepted = runStages(*module, pipeline);
  program.isComplete = program.report.isComplete;
  if (program.isAccepted) {
    (void)legalize::reportUnimplemented(*module, DiagnosticSeverity::Warning);
    (void)codegen::checkCalls(*module, DiagnosticSeverity::Warning);
  }
  makeListing(*written, *sources->getMemoryBuffer(1), program);
  program.report.finish();
  return true;
}
