//===- Compile.cpp - machine code of a program in this process ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ExternalCalls.h"
#include "codegen/machine/JitSymbols.h"
#include "dialect/LoomDialect.h"
#include "driver/inspect/ReadSites.h"
#include "driver/inspect/Signatures.h"
#include "driver/steps/KeptCode.h"
#include "driver/steps/Reachable.h"
#include "driver/steps/Steps.h"
#include "infer/report/OperationNumber.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;

static codegen::CodeEffort getEffort(const CompileOptions &options) {
  return options.optimiseCode ? codegen::CodeEffort::Full
                              : codegen::CodeEffort::Least;
}

/// Whether each function of another library is in one that is given.
static bool findExternals(ModuleOp module, const CompileOptions &options) {
  return !module
              .walk([&](loom::ExternalCallOp op) {
                if (codegen::hasExternal(op.getSymbol(), options.libraries))
                  return WalkResult::advance();
                auto error = op.emitError("function '")
                             << op.getSymbol() << "' is in ";
                if (options.libraries.empty())
                  error << "no library; name the one that has it with "
                           "--library=FILE";
                else
                  error << "none of the libraries '"
                        << llvm::join(options.libraries, "', '")
                        << "', nor in the C library; name the one that has it "
                           "with --library=FILE, and declare a function of C++ "
                           "'extern \"C\"'";
                return WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// After a stage, moves the signatures and the shape queries from `module` to
/// the compiled program. False if compilation must end.
static bool takeOver(ModuleOp module, Stage stage,
                     const CompileOptions &options,
                     std::vector<FunctionSignature> &functions,
                     std::unique_ptr<CompiledQueries> &queries) {
  switch (stage) {
  case Stage::Legalize: {
    if (!readSignatures(module, functions))
      return false;
    const FunctionSignature *only =
        options.only ? findFunction(functions, *options.only) : nullptr;
    if (only) {
      functions = {FunctionSignature(*only)};
      // A schedule may edit others, too.
      if (options.schedule.empty())
        keepReachable(module, functions.front().name);
    }
    return findExternals(module, options);
  }
  case Stage::Guard:
    return !options.accept || options.accept(functions);
  case Stage::QueryShapes:
    noteObstacles(module, functions);
    queries = std::make_unique<CompiledQueries>(*takeShapeQueries(module),
                                                getEffort(options));
    return true;
  default:
    return true;
  }
}

std::unique_ptr<CompiledModule::Impl> steps::compileAnew(Session &session,
                                                         SavedProgram *saved) {
  const CompileOptions &options = session.options;
  if (llvm::Error error = codegen::openLibraries(options.libraries)) {
    session.diagnostics.addError(llvm::toString(std::move(error)));
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = parse(session);
  if (!module)
    return nullptr;
  // A profile's sites refer to the operations of this copy by number.
  OwningOpRef<ModuleOp> written;
  if (options.profile) {
    written = module->clone();
    infer::numberOperations(*module);
  }

  auto result = std::make_unique<CompiledModule::Impl>();
  if (!session.runStages(*module, session.getPipeline(Goal::LLVM),
                         [&](Stage stage) {
                           return takeOver(*module, stage, options,
                                           result->functions, result->queries);
                         }))
    return nullptr;
  if (written)
    result->profiled = std::make_unique<ProfiledProgram>(
        takeSites(*module, *written, session.getBuffer(), session.form));
  CurrentWork work("making machine code");
  auto code = codegen::compileObjects(*module, getEffort(options),
                                      session.cancelled.get());
  if (!code) {
    session.reportFailure(code.takeError());
    return nullptr;
  }
  session.watch.stage("machine code");
  if (llvm::Error error = result->load(*code, options.libraries)) {
    session.reportFailure(std::move(error));
    return nullptr;
  }
  session.watch.stage("load");
  if (saved) {
    saved->functions = result->functions;
    saved->queries = result->queries->getBytecode();
    saved->code = std::move(*code);
  }
  return result;
}

std::unique_ptr<CompiledModule::Impl> steps::compile(Session &session) {
  if (std::string error = codegen::checkSymbolRequest(); !error.empty()) {
    session.diagnostics.addError(error);
    return nullptr;
  }
  if (session.options.profile)
    return compileAnew(session, nullptr);
  return session.kind == SourceForm::Kind::SavedProgram
             ? loadSaved(session)
             : compileCached(session);
}
