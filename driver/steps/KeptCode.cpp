//===- KeptCode.cpp - code of earlier compilations ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/KeptCode.h"

#include "driver/saved/LibraryFiles.h"
#include "driver/saved/ProgramCache.h"
#include "driver/steps/Steps.h"

#include <cstdlib>

using namespace broadloom;

/// The bytes, in memory that they may be read from as long as the program
/// lives.
static SharedBytes keep(const SharedBytes &bytes, bool borrows) {
  return borrows || bytes.owner ? bytes : SharedBytes(std::string(bytes.bytes));
}

/// The saved program of the current one, without code; nothing if a shape
/// library cannot be read, so that it is neither saved nor looked up.
static std::optional<SavedProgram> describeSaved(Session &session) {
  const llvm::MemoryBuffer &buffer = session.getBuffer();
  const CompileOptions &options = session.options;
  SavedProgram program;
  program.identity = getCodeIdentity();
  program.name = buffer.getBufferIdentifier().str();
  // What is written to the cache at once needs no copy.
  bool borrows = options.borrows || !options.keepCode;
  program.source = keep({buffer.getBuffer(), nullptr}, borrows);
  for (const SharedBytes &constant : session.constants)
    program.given.push_back(keep(constant, borrows));
  program.files = session.files;
  program.strategy = options.strategy;
  program.dynamicToStatic = options.dynamicToStatic;
  program.optimiseCode = options.optimiseCode;
  program.only = options.only;
  program.fillElided = options.fillElided;
  const std::optional<std::vector<std::string>> &texts =
      session.getLibraryTexts();
  if (!texts)
    return std::nullopt;
  program.shapeLibraries = *texts;
  return program;
}

/// Loads code that was saved for this machine; null where it is not for this
/// machine, or is not accepted.
static std::unique_ptr<CompiledModule::Impl>
loadCode(Session &session, const SavedProgram &program, bool &isRefused) {
  const CompileOptions &options = session.options;
  if (program.identity != getCodeIdentity())
    return nullptr;
  session.diagnostics.text = program.diagnostics;
  auto result = std::make_unique<CompiledModule::Impl>();
  result->functions = program.functions;
  const FunctionSignature *only =
      options.only ? findFunction(result->functions, *options.only) : nullptr;
  if (only)
    result->functions = {FunctionSignature(*only)};
  isRefused = options.accept && !options.accept(result->functions);
  if (isRefused)
    return nullptr;
  if (llvm::Error error = result->load(program.code, options.libraries)) {
    // The program is compiled, as if there were no code.
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  result->queries = std::make_unique<CompiledQueries>(
      program.queries, program.optimiseCode ? codegen::CodeEffort::Full
                                            : codegen::CodeEffort::Least);
  if (options.keepCode)
    result->saved = std::make_unique<SavedProgram>(program);
  return result;
}

/// Whether the caller observes the compilation itself, so that cached code must
/// not replace it.
static bool isWatched(const CompileOptions &options) {
  const char *verifies = std::getenv("BROADLOOM_VERIFY_PASSES");
  return options.verbose || !options.provokedBug.empty() ||
         (verifies && llvm::StringRef(verifies) == "1");
}

std::unique_ptr<CompiledModule::Impl> steps::compileCached(Session &session) {
  const CompileOptions &options = session.options;
  std::unique_ptr<ProgramCache> cache;
  // The text of a cached program has no effects of other files, and that of a
  // saved one no schedule.
  if (options.useCache && options.effects.empty() && !options.checksEffects &&
      options.schedule.empty() && !isWatched(options))
    cache = ProgramCache::open();
  std::optional<SavedProgram> program;
  if (cache || (options.keepCode && options.schedule.empty()))
    program = describeSaved(session);
  if (cache && program) {
    bool isRefused = false;
    if (std::optional<SavedProgram> found = cache->get(*program)) {
      found->identity = program->identity;
      found->files = program->files;
      auto result = loadCode(session, *found, isRefused);
      if (result || isRefused)
        return result;
      session.restart();
    }
  }
  auto result = compileAnew(session, program ? &*program : nullptr);
  if (!result || !program)
    return result;
  if (!session.requireUnchanged())
    return nullptr;
  program->diagnostics = session.diagnostics.text;
  if (cache)
    cache->put(*program);
  if (options.keepCode)
    result->saved = std::make_unique<SavedProgram>(std::move(*program));
  return result;
}

std::unique_ptr<CompiledModule::Impl> steps::loadSaved(Session &session) {
  const llvm::MemoryBuffer &file = session.getBuffer();
  // Sources that are files keep these mapped. Others may belong to the caller.
  std::shared_ptr<const void> owner;
  if (session.options.borrows || session.isFile)
    owner = session.sources;
  auto program = readSavedProgram(
      file, owner, session.options.verifySaved ? Verify::All : Verify::Needed);
  if (!program) {
    session.diagnostics.text = file.getBufferIdentifier().str() + ": error: " +
                               llvm::toString(program.takeError()) + "\n";
    return nullptr;
  }
  bool isRefused = false;
  auto result = loadCode(session, *program, isRefused);
  if (result || isRefused)
    return result;
  // The code is for another processor, or of another version.
  if (!areGivenWhole(file)) {
    session.restart();
    session.diagnostics.text = file.getBufferIdentifier().str() +
                               ": error: the saved program is damaged; save "
                               "it again\n";
    return nullptr;
  }
  CompileOptions again = session.options;
  program->setOptions(again);
  if (program->only)
    again.only = program->only;
  LibraryFiles files;
  if (!files.addAll(program->shapeLibraries)) {
    session.diagnostics.clear();
    session.diagnostics.addError(
        "no temporary file can be made for a shape library");
    return nullptr;
  }
  again.shapeLibraries = files.getPaths();
  // The parts of a file have no zero behind them.
  again.borrows = false;
  Session inner(again);
  inner.cancelled = session.cancelled;
  inner.isInner = true;
  result = inner.run(Source::text(program->source.bytes, program->name),
                     [&] { return compile(inner); });
  session.diagnostics = std::move(inner.diagnostics);
  session.isBroken = inner.status == BROADLOOM_INTERNAL_ERROR;
  // The inner session has taken the cancellation back.
  if (inner.status == BROADLOOM_CANCELLED)
    session.cancelled->store(true);
  return result;
}
