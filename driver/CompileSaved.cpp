//===- CompileSaved.cpp - code that was made before -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"
#include "driver/saved/LibraryFiles.h"
#include "driver/saved/ProgramCache.h"

#include <cstdlib>

#include "llvm/Support/FileSystem.h"

#include <utility>

using namespace broadloom;

std::string CompiledModule::save(std::string_view name) const {
  if (!impl->saved)
    return "";
  if (name.empty())
    return writeSavedProgram(*impl->saved);
  const FunctionSignature *only = function(name);
  if (!only)
    return "";
  SavedProgram program = *impl->saved;
  program.only = only->name;
  program.functions = {*only};
  return writeSavedProgram(program);
}

/// The texts of shape libraries; nothing if one of them cannot be read twice,
/// for example a pipe. A program with such a library is neither saved nor
/// looked up.
static std::optional<std::vector<std::string>>
readLibraries(const std::vector<std::string> &files) {
  std::vector<std::string> texts;
  for (const std::string &file : files) {
    if (!llvm::sys::fs::is_regular_file(file))
      return std::nullopt;
    auto library = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!library)
      return std::nullopt;
    texts.push_back((*library)->getBuffer().str());
  }
  return texts;
}

/// Sets the options on which the code of a saved program depends.
static void useOptionsOf(const SavedProgram &program, CompileOptions &options) {
  options.strategy = program.strategy;
  options.dynamicToStatic = program.dynamicToStatic;
  options.optimiseCode = program.optimiseCode;
  options.fillElided = program.fillElided;
}

std::optional<SavedProgram>
Compiler::Impl::describeSaved(const llvm::MemoryBuffer &buffer) {
  SavedProgram program;
  program.identity = getCodeIdentity();
  program.name = buffer.getBufferIdentifier().str();
  program.source = buffer.getBuffer().str();
  program.strategy = options.strategy;
  program.dynamicToStatic = options.dynamicToStatic;
  program.optimiseCode = options.optimiseCode;
  program.only = options.only;
  program.fillElided = options.fillElided;
  if (!libraryTexts)
    libraryTexts = readLibraries(options.shapeLibraries);
  if (!libraryTexts)
    return std::nullopt;
  program.shapeLibraries = *libraryTexts;
  return program;
}

std::unique_ptr<CompiledModule::Impl>
Compiler::Impl::loadCode(const SavedProgram &program, bool &isRefused) {
  if (program.identity != getCodeIdentity())
    return nullptr;
  text = program.diagnostics;
  auto result = std::make_unique<CompiledModule::Impl>();
  result->functions = program.functions;
  const FunctionSignature *only =
      options.only ? findFunction(result->functions, *options.only) : nullptr;
  if (only)
    result->functions = {FunctionSignature(*only)};
  isRefused = options.accept && !options.accept(result->functions);
  if (isRefused)
    return nullptr;
  if (llvm::Error error = result->load(program.objects)) {
    // The program is compiled, as if there were no code.
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  result->queries = std::make_unique<ShapeQueries>(
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

std::unique_ptr<CompiledModule::Impl>
Compiler::Impl::compileCached(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  std::unique_ptr<ProgramCache> cache;
  if (options.useCache && !isWatched(options))
    cache = ProgramCache::open();
  std::optional<SavedProgram> program;
  if (cache || options.keepCode)
    program = describeSaved(*buffer);
  if (cache && program) {
    diagnostics.clear();
    bool isRefused = false;
    if (std::optional<SavedProgram> found = cache->get(*program)) {
      found->identity = program->identity;
      auto result = loadCode(*found, isRefused);
      if (result || isRefused)
        return result;
    }
  }
  auto result = compileAnew(std::move(buffer), program ? &*program : nullptr);
  if (!result || !program)
    return result;
  program->diagnostics = text;
  if (cache)
    cache->put(*program);
  if (options.keepCode)
    result->saved = std::make_unique<SavedProgram>(std::move(*program));
  return result;
}

std::unique_ptr<CompiledModule::Impl>
Compiler::Impl::loadSaved(const llvm::MemoryBuffer &file) {
  text.clear();
  diagnostics.clear();
  cancelled->store(false);
  auto program = readSavedProgram(file);
  if (!program) {
    text = file.getBufferIdentifier().str() +
           ": error: " + llvm::toString(program.takeError()) + "\n";
    return nullptr;
  }
  bool isRefused = false;
  auto result = loadCode(*program, isRefused);
  if (result || isRefused)
    return result;
  // The code is for another processor, or of another version.
  CompileOptions again = options;
  useOptionsOf(*program, again);
  if (program->only)
    again.only = program->only;
  LibraryFiles files;
  if (!files.addAll(program->shapeLibraries)) {
    text = "error: no temporary file can be made for a shape library\n";
    return nullptr;
  }
  again.shapeLibraries = files.getPaths();
  Compiler inner(again);
  inner.impl->cancelled = cancelled;
  std::unique_ptr<CompiledModule> module =
      inner.compileText(program->source, program->name);
  text = inner.impl->text;
  diagnostics = inner.impl->diagnostics;
  isBroken = inner.status() == BROADLOOM_INTERNAL_ERROR;
  return module ? std::move(module->impl) : nullptr;
}

std::unique_ptr<llvm::MemoryBuffer>
Compiler::Impl::unwrap(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (givenOptions) {
    options = *std::exchange(givenOptions, std::nullopt);
    savedLibraries = nullptr;
    setLibraries(options.shapeLibraries);
  }
  if (!isSavedProgram(buffer->getBuffer()))
    return buffer;
  auto program = readSavedProgram(*buffer);
  if (!program) {
    // The parser reports the error.
    llvm::consumeError(program.takeError());
    return buffer;
  }
  givenOptions = options;
  useOptionsOf(*program, options);
  savedLibraries = std::make_unique<LibraryFiles>();
  if (!savedLibraries->addAll(program->shapeLibraries))
    text = "error: no temporary file can be made for a shape library\n";
  setLibraries(savedLibraries->getPaths());
  return llvm::MemoryBuffer::getMemBufferCopy(program->source, program->name);
}
