//===- Compiler.cpp - from a program to something to call -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "driver/CompilerImpl.h"
#include "driver/ConvertModel.h"
#include "driver/Diagnostics.h"
#include "driver/ProbeBytecode.h"
#include "driver/Register.h"
#include "driver/Version.h"
#include "driver/inspect/NameArguments.h"
#include "driver/passes/ReduceProgram.h"
#include "driver/passes/RunPasses.h"
#include "driver/saved/LibraryFiles.h"
#include "infer/functions/Library.h"
#include "read/ReadProgram.h"
#include "read/flatbuffers/ReadFile.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace broadloom;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Compiler::Impl::Impl(CompileOptions options)
    : options(options), provoked(this->options.provokedBug),
      ownContext(std::make_unique<MLIRContext>(
          makeRegistry(), MLIRContext::Threading::DISABLED)),
      context(*ownContext), watch(options.verbose) {
  this->options.shapeLibraries = infer::withoutRepeats(options.shapeLibraries);
  setLibraries(this->options.shapeLibraries);
  // Errors have locations; they need not print the operation, which may be the
  // whole program.
  context.printOpOnDiagnostic(false);
  // After a cancellation the remaining passes are skipped, which leaves a valid
  // program.
  context.registerActionHandler(
      [this](llvm::function_ref<void()> run, const tracing::Action &action) {
        if (!isa<PassExecutionAction>(action) || !cancelled->load())
          run();
      });
}

Compiler::Impl::~Impl() {
  if (!options.leavesContext)
    return;
  // The list is never destroyed, so that a leak checker finds the contexts.
  static auto *left = new std::vector<MLIRContext *>;
  left->push_back(ownContext.release());
}

void Compiler::Impl::setLibraries(const std::vector<std::string> &files) {
  libraryFiles = files;
  libraryTexts.reset();
  libraries = std::make_shared<infer::ShapeLibraries>(files);
}

void Compiler::Impl::open(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  text.clear();
  diagnostics.clear();
  cancelled->store(false);
  watch.start();
  sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(unwrap(std::move(buffer)), llvm::SMLoc());
}

OwningOpRef<ModuleOp> Compiler::Impl::parse() {
  OwningOpRef<ModuleOp> module = parseProgram();
  if (module)
    nameArguments(*module, *sources->getMemoryBuffer(1));
  watch.stage("parse");
  return module;
}

OwningOpRef<ModuleOp> Compiler::Impl::parseUnprobed() {
  CurrentWork work("reading the program");
  return read::readProgram(sources, &context,
                           {options.fillElided, options.verbose});
}

OwningOpRef<ModuleOp> Compiler::Impl::parseProgram() {
  if (failed(libraries->getUsers(&context)))
    return nullptr;
  const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
  if (llvm::StringRef mistake = findMistake(buffer.getBuffer());
      !mistake.empty()) {
    text += (buffer.getBufferIdentifier() + ": error: " + mistake + "\n").str();
    return nullptr;
  }
  if (isBytecode(buffer) && !options.trustBytecode)
    return parseBytecode(buffer);
  OwningOpRef<ModuleOp> module = parseUnprobed();
  llvm::StringRef form = findFormOfName(buffer.getBufferIdentifier());
  // A file that begins as its ending says has an error of another kind.
  if (!module && !form.empty() && !isBytecode(buffer) &&
      !read::isTosaFile(buffer.getBuffer()))
    text += (buffer.getBufferIdentifier() +
             ": note: it is read as MLIR text, since it does not begin as " +
             form + " does\n")
                .str();
  return module;
}

OwningOpRef<ModuleOp>
Compiler::Impl::parseBytecode(const llvm::MemoryBuffer &buffer) {
  std::string report;
  bool good =
      probeBytecode(buffer, libraryFiles, report, [&](std::string &reported) {
        size_t before = text.size();
        OwningOpRef<ModuleOp> module = parseUnprobed();
        reported = text.substr(before);
        return bool(module);
      });
  if (good)
    return parseUnprobed();
  text += report;
  return nullptr;
}

Pipeline Compiler::Impl::getPipeline(Goal goal) const {
  PipelineOptions given;
  given.strategy = options.strategy;
  given.dynamicToStatic = options.dynamicToStatic;
  given.libraries = libraries;
  given.marksSites = options.profile;
  // What these give is for other pipelines.
  given.leavesOthers = goal == Goal::Loom || goal == Goal::Linalg;
  given.verbose = options.verbose;
  return makePipeline(goal, given);
}

bool Compiler::Impl::runStages(ModuleOp module, const Pipeline &pipeline,
                               llvm::function_ref<bool(Stage)> after) {
  auto run = [&](ArrayRef<Stage> stages) {
    PassManager pm(&context);
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

bool Compiler::Impl::reportBug(llvm::Error error) {
  isBroken = true;
  text += "error: " + describeBug(llvm::toString(std::move(error))) + "\n";
  return false;
}

Compiler::Compiler(CompileOptions options)
    : impl(std::make_unique<Impl>(options)) {}
Compiler::~Compiler() = default;

const std::string &Compiler::diagnostics() const { return impl->text; }
const std::vector<ProgramDiagnostic> &Compiler::diagnosticList() const {
  // Errors from before the program is parsed have no location and exist only as
  // text.
  if (impl->diagnostics.empty() && !impl->text.empty())
    impl->diagnostics = readDiagnostics(impl->text);
  return impl->diagnostics;
}
void Compiler::cancel() { impl->cancelled->store(true); }
const char *broadloom::version() { return BROADLOOM_VERSION; }
int32_t Compiler::status() const { return impl->status; }

std::unique_ptr<llvm::MemoryBuffer>
Compiler::Impl::convert(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  diagnostics.clear();
  const ModelKind *kind = findModelKind(buffer->getBuffer());
  if (!kind)
    return buffer;
  auto converted = convertModel(*kind, *buffer);
  if (converted)
    return std::move(*converted);
  text = buffer->getBufferIdentifier().str() +
         ": error: " + llvm::toString(converted.takeError()) + "\n";
  return nullptr;
}

std::unique_ptr<llvm::MemoryBuffer>
Compiler::Impl::openFile(const std::string &path) {
  auto fail = [&](const std::string &why) {
    diagnostics.clear();
    text = path + ": error: cannot be read: " + why + "\n";
    return nullptr;
  };
  if (path != "-" && infer::isNoFile(path))
    return fail("it is not a regular file");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(buffer.getError().message());
  return convert(std::move(*buffer));
}

std::unique_ptr<llvm::MemoryBuffer>
Compiler::Impl::openText(std::string_view contents, std::string_view name) {
  return convert(llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(contents),
                                                      llvm::StringRef(name)));
}

std::unique_ptr<CompiledModule> Compiler::compileFile(const std::string &path) {
  auto buffer = impl->openFile(path);
  return impl->settle(buffer ? impl->compile(std::move(buffer)) : nullptr);
}

std::unique_ptr<CompiledModule> Compiler::compileText(std::string_view text,
                                                      std::string_view name) {
  auto buffer = impl->openText(text, name);
  return impl->settle(buffer ? impl->compile(std::move(buffer)) : nullptr);
}

bool Compiler::emitFile(const std::string &path, Emit form,
                        std::string &output) {
  auto buffer = impl->openFile(path);
  return impl->settle(buffer && impl->emit(std::move(buffer), form, output));
}

bool Compiler::emitText(std::string_view text, std::string_view name, Emit form,
                        std::string &output) {
  auto buffer = impl->openText(text, name);
  return impl->settle(buffer && impl->emit(std::move(buffer), form, output));
}

std::string
Compiler::reduceFile(const std::string &path,
                     const std::function<bool(const std::string &)> &fails) {
  auto buffer = impl->openFile(path);
  return buffer ? impl->reduce(std::move(buffer), fails) : "";
}

std::string
Compiler::Impl::reduce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                       const std::function<bool(const std::string &)> &fails) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  return module ? reduceProgram(*module, fails) : "";
}

bool Compiler::checkFile(const std::string &path, CheckedProgram &program,
                         const std::string &function) {
  auto buffer = impl->openFile(path);
  bool isProgram = buffer && impl->check(std::move(buffer), program, function);
  impl->settle(isProgram && program.isAccepted);
  return isProgram;
}

bool Compiler::checkText(std::string_view text, std::string_view name,
                         CheckedProgram &program, const std::string &function) {
  auto buffer = impl->openText(text, name);
  bool isProgram = buffer && impl->check(std::move(buffer), program, function);
  impl->settle(isProgram && program.isAccepted);
  return isProgram;
}

bool Compiler::checkLibraryText(std::string_view text, std::string_view name) {
  auto buffer = impl->openText(text, name);
  return impl->settle(buffer && impl->checkLibrary(std::move(buffer)));
}

std::optional<WorkCount>
Compiler::countWorkOfFile(const std::string &path, const std::string &function,
                          const std::vector<const BroadloomTensor *> &inputs) {
  auto buffer = impl->openFile(path);
  return impl->settle(buffer ? impl->count(std::move(buffer), function, inputs)
                             : std::nullopt);
}

bool Compiler::inspectFile(const std::string &path, InspectedFile &file) {
  auto buffer = impl->openFile(path);
  return impl->settle(buffer && impl->inspect(std::move(buffer), file));
}

std::optional<ShapeQueryResult>
Compiler::queryShapesOfFile(const std::string &path,
                            const ShapeQueryArguments &question,
                            std::vector<FunctionSignature> *functions) {
  std::vector<FunctionSignature> none;
  auto buffer = impl->openFile(path);
  return impl->settle(buffer ? impl->queryShapes(std::move(buffer), question,
                                                 functions ? *functions : none)
                             : std::nullopt);
}

std::optional<ShapeQueryResult>
Compiler::queryShapesOfText(std::string_view text, std::string_view name,
                            const ShapeQueryArguments &question,
                            std::vector<FunctionSignature> *functions) {
  std::vector<FunctionSignature> none;
  auto buffer = impl->openText(text, name);
  return impl->settle(buffer ? impl->queryShapes(std::move(buffer), question,
                                                 functions ? *functions : none)
                             : std::nullopt);
}
