//===- Session.cpp - what the steps on one program share ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/Session.h"

#include "codegen/machine/UnsupportedError.h"
#include "driver/Register.h"
#include "driver/saved/LibraryFiles.h"
#include "driver/saved/SavedProgram.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <utility>

using namespace mlir;
using namespace broadloom;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Session::Session(const CompileOptions &options)
    : context(std::make_unique<MLIRContext>(makeRegistry(),
                                            MLIRContext::Threading::DISABLED)),
      options(options), watch(options.verbose),
      provoked(this->options.provokedBug) {
  setLibraries(infer::withoutRepeats(options.shapeLibraries));
  // Errors have locations; they need not print the operation, which may be the
  // whole program.
  context->printOpOnDiagnostic(false);
  // After a cancellation the remaining passes are skipped, which leaves a valid
  // program.
  context->registerActionHandler(
      [this](llvm::function_ref<void()> run, const tracing::Action &action) {
        if (!isa<PassExecutionAction>(action) || !cancelled->load())
          run();
      });
}

Session::~Session() {
  if (!options.leavesContext)
    return;
  // The list is never destroyed, so that a leak checker finds the contexts.
  static auto *left = new std::vector<MLIRContext *>;
  left->push_back(context.release());
}

//===----------------------------------------------------------------------===//
// The current program
//===----------------------------------------------------------------------===//

void Session::setLibraries(std::vector<std::string> files) {
  libraries = std::make_shared<infer::ShapeLibraries>(files);
  options.shapeLibraries = std::move(files);
  hasLibraryTexts = false;
}

bool Session::open(const Source &source, Saved saved) {
  if (!isInner)
    cancelled->store(false);
  diagnostics.clear();
  if (givenOptions) {
    options = *std::exchange(givenOptions, std::nullopt);
    savedLibraries = nullptr;
    setLibraries(options.shapeLibraries);
  }
  llvm::Expected<OpenedSource> opened = openSource(source, options.borrows);
  if (!opened) {
    diagnostics.text = llvm::toString(opened.takeError()) + "\n";
    return false;
  }
  isFile = source.isFile;
  kind = opened->kind;
  form = opened->program;
  mistake = opened->mistake;
  files = opened->constants.empty() ? options.constantFiles
                                    : std::move(opened->files);
  constants = opened->constants.empty() ? options.constants
                                        : std::move(opened->constants);
  bool opensSaved =
      kind == SourceForm::Kind::SavedProgram && saved == Saved::Opened;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      opensSaved ? openSaved(std::move(opened->buffer))
                 : std::move(opened->buffer);
  // restart() clears what openSaved said.
  std::string errors = std::move(diagnostics.text);
  sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  restart();
  diagnostics.text = std::move(errors);
  return true;
}

void Session::restart() {
  collector.reset();
  diagnostics.clear();
  watch.start();
  collector = std::make_unique<DiagnosticCollector>(
      *sources, context.get(), diagnostics, options.errorLimit);
}

std::unique_ptr<llvm::MemoryBuffer>
Session::openSaved(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  // Here all is verified: the program is compiled again, or told about.
  auto program = readSavedProgram(*buffer, nullptr, Verify::All);
  if (!program) {
    llvm::consumeError(program.takeError());
    mistake = "the saved program is damaged or has another format; save it "
              "again with this version";
    return buffer;
  }
  givenOptions = options;
  program->setOptions(options);
  constants = program->given;
  savedLibraries = std::make_unique<LibraryFiles>();
  if (!savedLibraries->addAll(program->shapeLibraries))
    diagnostics.addError("no temporary file can be made for a shape library");
  setLibraries(savedLibraries->getPaths());
  const SourceForm &inner = findSourceForm(program->source.bytes);
  kind = inner.kind;
  form = inner.program;
  mistake = inner.mistake;
  return llvm::MemoryBuffer::getMemBufferCopy(program->source.bytes,
                                              program->name);
}

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

const std::optional<std::vector<std::string>> &Session::getLibraryTexts() {
  if (!std::exchange(hasLibraryTexts, true))
    libraryTexts = readLibraries(options.shapeLibraries);
  return libraryTexts;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

Pipeline Session::getPipeline(Goal goal) const {
  PipelineOptions given;
  given.strategy = options.strategy;
  given.dynamicToStatic = options.dynamicToStatic;
  given.libraries = libraries;
  given.marksSites = options.profile;
  given.watchesEffects = options.checksEffects;
  given.schedule = options.schedule;
  // What these give is for other pipelines.
  given.leavesOthers = goal == Goal::Loom || goal == Goal::Linalg;
  given.checksMemory = true;
  given.verbose = true;
  return makePipeline(goal, given);
}

bool Session::runStages(ModuleOp module, const Pipeline &pipeline,
                        llvm::function_ref<bool(Stage)> after) {
  auto run = [&](ArrayRef<Stage> stages) {
    PassManager pm(context.get());
    pm.enableVerifier(false);
    for (Stage stage : stages)
      addStage(pm, stage, pipeline.options);
    int32_t result = runPasses(pm, module, provoked);
    if (result == BROADLOOM_INTERNAL_ERROR)
      isBroken = true;
    auto names =
        llvm::map_range(stages, [](Stage stage) { return getName(stage); });
    watch.stage(llvm::join(names, ", "));
    return result == BROADLOOM_OK && !cancelled->load();
  };
  // One pass manager runs all stages where possible: analyses live no longer
  // than it.
  if (!after)
    return run(pipeline.stages);
  return llvm::all_of(pipeline.stages,
                      [&](Stage stage) { return run(stage) && after(stage); });
}

//===----------------------------------------------------------------------===//
// The outcome
//===----------------------------------------------------------------------===//

bool Session::reportFailure(llvm::Error error) {
  bool isOfProgram = error.isA<codegen::UnsupportedError>();
  std::string text = llvm::toString(std::move(error));
  isBroken |= !isOfProgram;
  diagnostics.addError(isOfProgram ? text : describeBug(text));
  return false;
}

bool Session::requireUnchanged() {
  auto changed = llvm::find_if(
      files, [](const StampedFile &file) { return !file.isUnchanged(); });
  if (changed == files.end())
    return true;
  diagnostics.clear();
  diagnostics.text = changed->path +
                     ": error: the file has changed while weights were read "
                     "from it; try again once it is written\n";
  isBroken = false;
  return false;
}

void Session::settle(bool isDone) {
  if (cancelled->exchange(false) && !isDone) {
    status = BROADLOOM_CANCELLED;
    diagnostics.clear();
    diagnostics.addError("the compilation was cancelled");
  } else {
    status = isBroken ? BROADLOOM_INTERNAL_ERROR
             : isDone ? BROADLOOM_OK
                      : BROADLOOM_INVALID_ARGUMENT;
  }
  isBroken = false;
}
