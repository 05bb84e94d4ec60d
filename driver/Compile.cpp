//===- Compile.cpp - from a program to something to call ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/JitSymbols.h"
#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/inspect/ReadSites.h"
#include "driver/inspect/Signatures.h"
#include "driver/passes/RunPasses.h"
#include "infer/report/OperationNumber.h"

using namespace mlir;
using namespace broadloom;

static codegen::CodeEffort getEffort(const CompileOptions &options) {
  return options.optimiseCode ? codegen::CodeEffort::Full
                              : codegen::CodeEffort::Least;
}

/// After a stage, moves the signatures and the shape queries from `module` to
/// the compiled program. False if compilation must end.
static bool takeOver(ModuleOp module, Stage stage,
                     const CompileOptions &options,
                     std::vector<FunctionSignature> &functions,
                     std::unique_ptr<ShapeQueries> &queries) {
  switch (stage) {
  case Stage::Legalize: {
    if (!readSignatures(module, functions))
      return false;
    const FunctionSignature *only =
        options.only ? findFunction(functions, *options.only) : nullptr;
    if (only) {
      functions = {FunctionSignature(*only)};
      keepReachable(module, functions.front().name);
    }
    return true;
  }
  case Stage::Guard:
    return !options.accept || options.accept(functions);
  case Stage::QueryShapes:
    noteObstacles(module, functions);
    queries = std::make_unique<ShapeQueries>(*takeShapeQueries(module),
                                             getEffort(options));
    return true;
  default:
    return true;
  }
}

std::unique_ptr<CompiledModule::Impl>
Compiler::Impl::compileAnew(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            SavedProgram *saved) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return nullptr;
  // A profile's sites refer to the operations of this copy by number.
  OwningOpRef<ModuleOp> written;
  if (options.profile) {
    written = module->clone();
    infer::numberOperations(*module);
  }

  auto result = std::make_unique<CompiledModule::Impl>();
  if (!runStages(*module, getPipeline(Goal::LLVM), [&](Stage stage) {
        return takeOver(*module, stage, options, result->functions,
                        result->queries);
      }))
    return nullptr;
  if (written)
    result->profiled = std::make_unique<ProfiledProgram>(
        takeSites(*module, *written, *sources->getMemoryBuffer(1)));
  CurrentWork work("making machine code");
  auto objects =
      codegen::compileObjects(*module, getEffort(options), cancelled.get());
  if (!objects) {
    reportBug(objects.takeError());
    return nullptr;
  }
  watch.stage("machine code");
  if (llvm::Error error = result->load(*objects)) {
    reportBug(std::move(error));
    return nullptr;
  }
  watch.stage("load");
  if (saved) {
    saved->functions = result->functions;
    saved->queries = result->queries->getBytecode();
    saved->objects = std::move(*objects);
  }
  return result;
}

std::unique_ptr<CompiledModule>
Compiler::Impl::compile(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (std::string error = codegen::checkSymbolRequest(); !error.empty()) {
    diagnostics.clear();
    text = "error: " + error + "\n";
    return nullptr;
  }
  // Code from a cache or a saved program has no sites for a profile.
  std::unique_ptr<CompiledModule::Impl> result =
      options.profile ? compileAnew(std::move(buffer), nullptr)
      : isSavedProgram(buffer->getBuffer()) ? loadSaved(*buffer)
                                            : compileCached(std::move(buffer));
  return std::unique_ptr<CompiledModule>(
      result ? new CompiledModule(std::move(result)) : nullptr);
}
