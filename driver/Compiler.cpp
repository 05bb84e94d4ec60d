//===- Compiler.cpp - from a program to something to call -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/machine/JitSymbols.h"
#include "driver/CodeDescription.h"
#include "driver/CompilerImpl.h"
#include "driver/CountWork.h"
#include "driver/DeriveShapes.h"
#include "driver/Diagnostics.h"
#include "driver/GivenValues.h"
#include "driver/Inspect.h"
#include "driver/Listing.h"
#include "driver/Pipeline.h"
#include "driver/ProbeBytecode.h"
#include "driver/QueryShapes.h"
#include "driver/ReduceProgram.h"
#include "driver/Register.h"
#include "driver/RunPasses.h"
#include "driver/ShapeLibraries.h"
#include "import/user/Unimplemented.h"
#include "infer/Passes.h"
#include "infer/functions/Library.h"
#include "infer/queries/ShapeQuery.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace broadloom;

namespace {

/// Says how long the stages of a compilation take.
class Stopwatch {
public:
  explicit Stopwatch(bool enabled) : enabled(enabled) {}
  void stage(llvm::StringRef name) {
    auto now = std::chrono::steady_clock::now();
    if (enabled)
      llvm::errs() << llvm::formatv(
          "{0,8:F2} ms  {1}\n",
          std::chrono::duration<double, std::milli>(now - last).count(), name);
    last = now;
  }

private:
  bool enabled;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

} // namespace

struct Compiler::Impl {
  explicit Impl(CompileOptions options)
      : options(options), provoked(this->options.provokedBug),
        context(makeRegistry(), MLIRContext::Threading::DISABLED),
        libraries(&context, this->options.shapeLibraries) {
    // An error names the place; the whole program after it helps nobody.
    context.printOpOnDiagnostic(false);
  }

  /// Makes `buffer` the program that diagnostics speak of.
  void open(std::unique_ptr<llvm::MemoryBuffer> buffer) {
    text.clear();
    sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  }

  /// Parses without verifying: legalization does that, with errors of its own
  /// (D8a). What comes back has sound structure, so that all who look at it
  /// before legalization can.
  OwningOpRef<ModuleOp> parse() {
    if (failed(libraries.getUsers()))
      return nullptr;
    const llvm::MemoryBuffer &buffer = *sources->getMemoryBuffer(1);
    if (isBytecode(buffer) && !options.trustBytecode)
      return parseBytecode(buffer);
    return parseUnprobed();
  }

  OwningOpRef<ModuleOp> parseBytecode(const llvm::MemoryBuffer &buffer) {
    std::string report;
    bool good = probeBytecode(buffer, options.shapeLibraries, report,
                              [&](std::string &reported) {
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

  OwningOpRef<ModuleOp> parseUnprobed() {
    CurrentWork work("reading the program");
    return infer::parseText(sources, &context);
  }

  bool run(ModuleOp module,
           llvm::function_ref<void(OpPassManager &)> addPasses) {
    PassManager pm(&context);
    pm.enableVerifier(false);
    addPasses(pm);
    int32_t result = runPasses(pm, module, provoked);
    if (result == BROADLOOM_INTERNAL_ERROR)
      isBroken = true;
    return result == BROADLOOM_OK;
  }

  /// Users' operations and legalization; and then fusion and guards.
  bool check(ModuleOp module, bool constraints = true,
             infer::GuardReport *report = nullptr, bool standIns = false) {
    FailureOr<SharedLibrary> users = libraries.getUsers();
    return succeeded(users) && run(module, [&](OpPassManager &pm) {
             if (*users)
               addUserOperations(pm, options, *users, report, standIns);
             addLegalization(pm, options, constraints, report);
           });
  }
  bool guard(ModuleOp module, bool nameExtents = false) {
    FailureOr<SharedLibrary> library = libraries.get(module);
    return succeeded(library) && run(module, [&](OpPassManager &pm) {
             addGuards(pm, options, *library, nameExtents);
           });
  }

  /// Constraints to guards, one after the other and not fused, so that each is
  /// found under the operation that it came from.
  bool guard(ModuleOp module, infer::GuardReport &report) {
    FailureOr<SharedLibrary> library = libraries.get(module);
    if (failed(library) || !run(module, [&](OpPassManager &pm) {
          addShapeFunctions(pm, *library, &report);
        }))
      return false;
    (void)infer::insertGuards(module, library->get(), &report);
    return true;
  }

  bool check(std::unique_ptr<llvm::MemoryBuffer> buffer,
             CheckedProgram &program, const std::string &function);

  /// Shape queries for the functions that can have one.
  bool accompany(ModuleOp module, std::vector<FunctionSignature> &functions) {
    if (!run(module, [&](OpPassManager &pm) {
          addShapeQueries(pm, libraries.getLoaded());
        }))
      return false;
    SymbolTable symbols(module);
    for (FunctionSignature &function : functions)
      if (auto why = symbols.lookup(function.name)
                         ->getAttrOfType<StringAttr>(infer::kNoShapeQuery))
        function.whyNoShapes = why.getValue();
    return true;
  }

  bool inspect(std::unique_ptr<llvm::MemoryBuffer> buffer, InspectedFile &file);
  std::optional<WorkCount>
  count(std::unique_ptr<llvm::MemoryBuffer> buffer, const std::string &function,
        const std::vector<const BroadloomTensor *> &inputs);

  std::unique_ptr<CompiledModule>
  compile(std::unique_ptr<llvm::MemoryBuffer> buffer);
  std::optional<ShapeQueryResult>
  ask(std::unique_ptr<llvm::MemoryBuffer> buffer,
      const ShapeQueryArguments &question,
      std::vector<FunctionSignature> &functions);
  bool emit(std::unique_ptr<llvm::MemoryBuffer> buffer, Emit form,
            std::string &output);
  bool derive(std::unique_ptr<llvm::MemoryBuffer> buffer, std::string &output);
  std::string reduce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                     const std::function<bool(const std::string &)> &fails);

  /// Sets the status by whether there is a result, which it returns.
  template <typename T> T settle(T result) {
    status = isBroken ? BROADLOOM_INTERNAL_ERROR
             : result ? BROADLOOM_OK
                      : BROADLOOM_INVALID_ARGUMENT;
    isBroken = false;
    return result;
  }

  /// LLVM has not taken what this project has made.
  bool reportBug(llvm::Error error) {
    isBroken = true;
    text += "error: " + describeBug(llvm::toString(std::move(error))) + "\n";
    return false;
  }

  CompileOptions options;
  ProvokedBug provoked;
  /// Whether the program at hand cannot be compiled for a reason that is not
  /// its own.
  bool isBroken = false;
  /// Of the last program (Compiler::status).
  int32_t status = BROADLOOM_OK;
  MLIRContext context;
  ShapeLibraries libraries;
  std::shared_ptr<llvm::SourceMgr> sources;
  std::string text;
};

Compiler::Compiler(CompileOptions options)
    : impl(std::make_unique<Impl>(options)) {}
Compiler::~Compiler() = default;

const std::string &Compiler::diagnostics() const { return impl->text; }
int32_t Compiler::status() const { return impl->status; }

/// The file's contents, or null and an error in `text`.
static std::unique_ptr<llvm::MemoryBuffer> openFile(const std::string &path,
                                                    std::string &text) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return std::move(*buffer);
  text =
      path + ": error: cannot be read: " + buffer.getError().message() + "\n";
  return nullptr;
}

std::unique_ptr<CompiledModule> Compiler::compileFile(const std::string &path) {
  auto buffer = openFile(path, impl->text);
  return impl->settle(buffer ? impl->compile(std::move(buffer)) : nullptr);
}

std::unique_ptr<CompiledModule> Compiler::compileText(std::string_view text,
                                                      std::string_view name) {
  return impl->settle(impl->compile(llvm::MemoryBuffer::getMemBufferCopy(
      llvm::StringRef(text), llvm::StringRef(name))));
}

bool Compiler::emitFile(const std::string &path, Emit form,
                        std::string &output) {
  auto buffer = openFile(path, impl->text);
  return impl->settle(buffer && impl->emit(std::move(buffer), form, output));
}

std::string
Compiler::reduceFile(const std::string &path,
                     const std::function<bool(const std::string &)> &fails) {
  auto buffer = openFile(path, impl->text);
  return buffer ? impl->reduce(std::move(buffer), fails) : "";
}

std::string
Compiler::Impl::reduce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                       const std::function<bool(const std::string &)> &fails) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  return module ? reduceProgram(*module, fails) : "";
}

bool Compiler::checkFile(const std::string &path, CheckedProgram &program,
                         const std::string &function) {
  auto buffer = openFile(path, impl->text);
  bool isProgram = buffer && impl->check(std::move(buffer), program, function);
  impl->settle(isProgram && program.isAccepted);
  return isProgram;
}

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
  program.isAccepted = check(*module) && guard(*module);
  if (program.isAccepted) {
    (void)legalize::reportUnimplemented(*module, DiagnosticSeverity::Warning);
    (void)codegen::checkCalls(*module, DiagnosticSeverity::Warning);
  }

  // What is wrong has been told, as compiling tells it, and whose fault it is
  // is known: here, errors are rows.
  llvm::SaveAndRestore keep(isBroken);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  makeListing(*copy, *sources->getMemoryBuffer(1), program);
  program.isComplete = check(*copy, /*constraints=*/true, &program.report) &&
                       guard(*copy, program.report);
  program.report.finish();
  return true;
}

std::optional<WorkCount>
Compiler::countWorkOfFile(const std::string &path, const std::string &function,
                          const std::vector<const BroadloomTensor *> &inputs) {
  auto buffer = openFile(path, impl->text);
  return impl->settle(buffer ? impl->count(std::move(buffer), function, inputs)
                             : std::nullopt);
}

std::optional<WorkCount>
Compiler::Impl::count(std::unique_ptr<llvm::MemoryBuffer> buffer,
                      const std::string &function,
                      const std::vector<const BroadloomTensor *> &inputs) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return std::nullopt;
  keepReachable(*module, function);
  if (!check(*module))
    return std::nullopt;
  auto func = SymbolTable(*module).lookup<func::FuncOp>(function);
  if (!func || func.isExternal() || !fixArguments(func, inputs))
    return std::nullopt;
  FailureOr<SharedLibrary> library = libraries.get(*module);
  if (failed(library) || !run(*module, [&](OpPassManager &pm) {
        addShapeFunctions(pm, *library);
      }))
    return std::nullopt;
  return countWork(func);
}

bool Compiler::inspectFile(const std::string &path, InspectedFile &file) {
  auto buffer = openFile(path, impl->text);
  return impl->settle(buffer && impl->inspect(std::move(buffer), file));
}

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
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return false;
  inspectModule(*module, *sources->getMemoryBuffer(1), file);

  // `check` tells what is wrong; here it is enough that something is.
  llvm::SaveAndRestore keep(isBroken);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  std::vector<FunctionSignature> signatures;
  file.isAccepted = check(*module) && readSignatures(*module, signatures) &&
                    guard(*module) &&
                    succeeded(legalize::reportUnimplemented(*module)) &&
                    succeeded(codegen::checkCalls(*module));
  return true;
}

std::unique_ptr<CompiledModule>
Compiler::Impl::compile(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  Stopwatch watch(options.verbose);
  open(std::move(buffer));
  if (std::string error = codegen::checkSymbolRequest(); !error.empty()) {
    text = "error: " + error + "\n";
    return nullptr;
  }
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  watch.stage("parse");
  if (!module)
    return nullptr;

  auto result = std::make_unique<CompiledModule::Impl>();
  if (!check(*module))
    return nullptr;
  watch.stage("gate");
  if (!readSignatures(*module, result->functions))
    return nullptr;
  if (options.only) {
    if (const FunctionSignature *only =
            findFunction(result->functions, *options.only)) {
      result->functions = {FunctionSignature(*only)};
      keepReachable(*module, result->functions.front().name);
    }
  }
  if (!guard(*module))
    return nullptr;
  watch.stage("fuse and guard");
  if (options.accept && !options.accept(result->functions))
    return nullptr;
  if (!run(*module,
           [&](OpPassManager &pm) { addFusedReductions(pm, options); }) ||
      !accompany(*module, result->functions))
    return nullptr;
  result->queries = std::make_unique<ShapeQueries>(*takeShapeQueries(*module));
  if (!run(*module, [&](OpPassManager &pm) { addToLLVM(pm); }))
    return nullptr;
  watch.stage("lower");
  CurrentWork work("making machine code");
  auto objects = codegen::compileObjects(*module);
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
  return std::unique_ptr<CompiledModule>(new CompiledModule(std::move(result)));
}

std::optional<ShapeQueryResult>
Compiler::queryShapesOfFile(const std::string &path,
                            const ShapeQueryArguments &question,
                            std::vector<FunctionSignature> *functions) {
  std::vector<FunctionSignature> none;
  auto buffer = openFile(path, impl->text);
  return impl->settle(buffer ? impl->ask(std::move(buffer), question,
                                         functions ? *functions : none)
                             : std::nullopt);
}

std::optional<ShapeQueryResult>
Compiler::queryShapesOfText(std::string_view text, std::string_view name,
                            const ShapeQueryArguments &question,
                            std::vector<FunctionSignature> *functions) {
  std::vector<FunctionSignature> none;
  return impl->settle(
      impl->ask(llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text),
                                                     llvm::StringRef(name)),
                question, functions ? *functions : none));
}

std::optional<ShapeQueryResult>
Compiler::Impl::ask(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    const ShapeQueryArguments &question,
                    std::vector<FunctionSignature> &functions) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return std::nullopt;
  keepQueried(*module, question.function);
  if (!check(*module, /*constraints=*/true, /*report=*/nullptr,
             /*standIns=*/true) ||
      !readSignatures(*module, functions))
    return std::nullopt;
  const FunctionSignature *function =
      findFunction(functions, question.function);
  if (!function)
    return std::nullopt;
  std::vector<std::string> arguments = question.arguments;
  if (auto func = SymbolTable(*module).lookup<func::FuncOp>(function->name);
      func && arguments.size() == func.getNumArguments())
    if (std::string error = useGivenValues(func, arguments); !error.empty()) {
      ShapeQueryResult answer;
      answer.function = function->name;
      answer.status = BROADLOOM_INVALID_ARGUMENT;
      answer.message = error;
      return answer;
    }
  if (!guard(*module) || !accompany(*module, functions))
    return std::nullopt;
  return queryShapes(*module, *findFunction(functions, question.function),
                     arguments);
}

bool Compiler::Impl::derive(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            std::string &output) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  const llvm::MemoryBuffer &source = *sources->getMemoryBuffer(1);
  auto library = std::make_shared<infer::ShapeLibrary>(&context);
  auto load = [&](const std::string &file) {
    return succeeded(library->loadFile(file));
  };
  if (failed(library->loadTosa()) ||
      !llvm::all_of(options.shapeLibraries, load) ||
      failed(library->load(source.getBuffer(), source.getBufferIdentifier())))
    return false;
  OwningOpRef<ModuleOp> module = takeReferences(*library);
  if (!run(*module, [&](OpPassManager &pm) {
        addUserOperations(pm, options, library);
        addLegalization(pm, options);
        addGuards(pm, options, library);
        addShapeQueries(pm, library);
      }))
    return false;
  OwningOpRef<ModuleOp> made = writeShapeLibrary(*module);
  if (!made)
    return false;
  llvm::raw_string_ostream(output) << *made << '\n';
  // What is printed can be loaded.
  infer::ShapeLibrary check(&context);
  return succeeded(check.loadTosa()) &&
         succeeded(check.load(output, "derived shape functions"));
}

bool Compiler::Impl::emit(std::unique_ptr<llvm::MemoryBuffer> buffer, Emit form,
                          std::string &output) {
  if (form == Emit::ShapeLibrary)
    return derive(std::move(buffer), output);
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return false;
  // The RFC's IR for other pipelines is that and nothing besides.
  bool guards = form != Emit::Linalg || options.strategy != Strategy::Rfc;
  if (!check(*module, guards) ||
      (guards && !guard(*module, /*nameExtents=*/form == Emit::Loom)))
    return false;
  std::string description = form == Emit::Assembly || form == Emit::Object
                                ? describeCode(*module, options.tableSymbol)
                                : "";
  // Who goes on with upstream's tools does not know the attribute.
  if (form == Emit::Linalg)
    eraseExtents(*module);
  bool good = run(*module, [&](OpPassManager &pm) {
    if (form == Emit::Linalg)
      return addToLinalg(pm, libraries.getLoaded());
    addFusedReductions(pm, options);
    if (form == Emit::Loom)
      return;
    addShapeQueries(pm, libraries.getLoaded());
    addToLLVM(pm);
  });
  if (!good)
    return false;
  if (form == Emit::Loom || form == Emit::Linalg || form == Emit::LLVM) {
    llvm::raw_string_ostream stream(output);
    module->print(stream);
    stream << '\n';
    return true;
  }
  CurrentWork work("making machine code");
  auto bytes =
      codegen::emitCode(*module,
                        form == Emit::Assembly ? codegen::CodeFormat::Assembly
                                               : codegen::CodeFormat::Object,
                        options.tableSymbol, description);
  if (!bytes)
    return reportBug(bytes.takeError());
  output = std::move(*bytes);
  return true;
}
