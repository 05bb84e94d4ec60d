//===- MachineCode.cpp - from the LLVM dialect to machine code ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/MachineCode.h"

#include "codegen/SymbolNames.h"
#include "codegen/abi/FunctionTable.h"
#include "codegen/machine/ConstantBytes.h"
#include "codegen/machine/ExternalCalls.h"
#include "codegen/machine/JitSymbols.h"
#include "codegen/machine/MergeObjects.h"
#include "codegen/machine/Optimise.h"
#include "codegen/machine/Polls.h"
#include "codegen/machine/SplitModule.h"
#include "codegen/machine/UnsupportedError.h"
#include "codegen/machine/VectorFailures.h"
#include "codegen/machine/VectorInstructions.h"
#include "codegen/machine/WideIntegers.h"
#include "codegen/math/VectorMath.h"
#include "codegen/target/CodeTarget.h"
#include "runtime/abi/Description.h"
#include "scalar/LookupFunctions.h"
#include "scalar/RareCases.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <utility>

using namespace llvm;
using namespace broadloom::codegen;

void broadloom::codegen::registerLLVMTranslations(
    mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

namespace {

/// A module with its own context and target machine, so that any thread can
/// compile it.
struct Part {
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module;
  std::unique_ptr<TargetMachine> machine;
  bool usesVectorMath = false;
};

Expected<Part> translate(mlir::ModuleOp module, const CodeTarget &target) {
  Part part;
  auto machine = target.makeMachine();
  if (!machine)
    return machine.takeError();
  part.machine = std::move(*machine);
  ConstantBytes constants(module, target.getTriple().isLittleEndian());
  part.module = mlir::translateModuleToLLVMIR(module, *part.context);
  if (!part.module)
    return createStringError("translation to LLVM IR failed");
  constants.defineIn(*part.module);
  nameVectorLoops(module, *part.module);
  part.usesVectorMath = hasVectorMath(target);
  return std::move(part);
}

/// Optimises a part and writes its code.
Expected<std::string> compile(Part &part, CodeFormat format,
                              CodeEffort effort) {
  TargetMachine &target = *part.machine;
  part.module->setDataLayout(target.createDataLayout());
  part.module->setTargetTriple(target.getTargetTriple());
  if (part.usesVectorMath)
    useVectorMath(*part.module, target);
  bool hasWide = hasWideVectors(target);
  broadloom::scalar::defineLookups(*part.module, hasWide);
  broadloom::scalar::defineRareCases(*part.module, hasWide);
  std::string vectors = findVectorLoop(*part.module);
  if (effort == CodeEffort::Least && !vectors.empty())
    return make_error<UnsupportedError>(
        vectors + ", which the schedule has as vectors, stays as it is in code "
                  "that is not optimised; leave out optimise=False, or "
                  "loom.vectorize");
  bool isOptimised = effort != CodeEffort::Least &&
                     (!vectors.empty() || !isLongGlue(*part.module));
  if (!isOptimised) {
    target.setOptLevel(CodeGenOptLevel::None);
    target.setO0WantsFastISel(true);
  } else {
    VectorFailures failures(*part.context);
    optimise(*part.module, target);
    if (Error error = failures.take())
      return error;
  }
  insertPolls(*part.module, isOptimised);
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr,
                                 format == CodeFormat::Assembly
                                     ? CodeGenFileType::AssemblyFile
                                     : CodeGenFileType::ObjectFile,
                                 /*DisableVerify=*/true))
    return createStringError("this target cannot emit such a file");
  passes.run(*part.module);
  return std::string(buffer.begin(), buffer.end());
}

/// The functions of the runtime that compiled code calls.
const std::pair<const char *, void *> kRuntimeSymbols[] = {
    {broadloom::abi::kVersionSymbol, (void *)&BROADLOOM_ABI_SYMBOL},
#define BROADLOOM_CALL(SYMBOL, ...) {#SYMBOL, (void *)&::SYMBOL},
#include "runtime/abi/Abi.def"
};

} // namespace

/// What is done to a part between its translation and its optimisation.
using Prepare = function_ref<void(Part &part, size_t index)>;

/// Compiles the modules, each to code of its own, on the threads of their
/// context. Which thread compiles which part makes no difference to the code.
static Expected<std::vector<std::string>>
compileAll(ArrayRef<mlir::ModuleOp> modules, const CodeTarget &target,
           CodeFormat format, CodeEffort effort, Prepare prepare = nullptr,
           const std::atomic<bool> *cancelled = nullptr) {
  struct Failure {
    std::string text;
    bool isUnsupported = false;
  };
  std::vector<std::string> codes(modules.size());
  std::vector<Failure> failures(modules.size());
  auto compileAt = [&](size_t index) {
    if (cancelled && cancelled->load())
      return createStringError("it was cancelled");
    auto part = translate(modules[index], target);
    if (!part)
      return part.takeError();
    if (prepare)
      prepare(*part, index);
    return compile(*part, format,
                   isGluePart(modules[index]) ? CodeEffort::Least : effort)
        .moveInto(codes[index]);
  };
  mlir::ModuleOp first = modules.front();
  mlir::parallelFor(first.getContext(), 0, modules.size(), [&](size_t index) {
    if (Error error = compileAt(index)) {
      failures[index].isUnsupported = error.isA<UnsupportedError>();
      failures[index].text = toString(std::move(error));
    }
  });
  for (const Failure &failure : failures)
    if (!failure.text.empty())
      return failure.isUnsupported ? make_error<UnsupportedError>(failure.text)
                                   : createStringError(failure.text);
  return codes;
}

/// Hides what is visible, except for the table of functions, which gets the
/// name `table`. What other parts use stays known to them.
static void hideAllBut(Module &module, StringRef table,
                       const StringSet<> &ofSeveral) {
  for (GlobalValue &value : module.global_values()) {
    if (ofSeveral.contains(value.getName()) && !value.hasLocalLinkage())
      value.setVisibility(GlobalValue::HiddenVisibility);
    else if (!value.isDeclaration() && !value.hasLocalLinkage() &&
             value.getName() != kFunctionTable)
      value.setLinkage(GlobalValue::InternalLinkage);
  }
  if (GlobalValue *value = module.getNamedValue(kFunctionTable))
    value->setName(table);
}

static bool isDeclared(mlir::LLVM::GlobalOp global) {
  return !global.getValueOrNull() && global.getInitializer().empty() &&
         global.getLinkage() == mlir::LLVM::Linkage::External;
}

/// The symbols that one of the modules defines and another one declares.
static StringSet<> findSymbolsOfSeveral(ArrayRef<mlir::ModuleOp> modules) {
  StringSet<> defined, declared, result;
  for (mlir::ModuleOp module : modules)
    for (mlir::Operation &op : *module.getBody()) {
      if (auto func = dyn_cast<mlir::LLVM::LLVMFuncOp>(op))
        (func.isExternal() ? declared : defined).insert(func.getName());
      else if (auto global = dyn_cast<mlir::LLVM::GlobalOp>(op))
        (isDeclared(global) ? declared : defined).insert(global.getSymName());
    }
  for (const auto &name : declared)
    if (defined.contains(name.getKey()))
      result.insert(name.getKey());
  return result;
}

/// Adds the section; neither the optimiser nor the linker drops it.
static void addDescription(Module &module, StringRef description) {
  Constant *text =
      ConstantDataArray::getString(module.getContext(), description);
  auto *global =
      new GlobalVariable(module, text->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, text, kDescription);
  global->setSection(kDescriptionSection);
  global->setAlignment(Align(1));
  appendToUsed(module, {global});
}

/// The rest of `module`, which may be the longest part, so that it is compiled
/// first, and the parts that were moved out of it.
static std::vector<mlir::ModuleOp>
listAll(ArrayRef<mlir::OwningOpRef<mlir::ModuleOp>> parts,
        mlir::ModuleOp module) {
  std::vector<mlir::ModuleOp> all = {module};
  for (const mlir::OwningOpRef<mlir::ModuleOp> &part : parts)
    all.push_back(part.get());
  return all;
}

Expected<std::string> broadloom::codegen::emitCode(mlir::ModuleOp module,
                                                   CodeFormat format,
                                                   StringRef table,
                                                   StringRef description,
                                                   const CodeTarget &target) {
  // Texts cannot be merged, because parts have labels of the same names.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> parts;
  if (format == CodeFormat::Object)
    parts = splitModule(module);
  std::vector<mlir::ModuleOp> modules = listAll(parts, module);
  StringSet<> ofSeveral = findSymbolsOfSeveral(modules);
  auto codes = compileAll(modules, target, format, CodeEffort::Full,
                          [&](Part &part, size_t index) {
                            hideAllBut(*part.module, table, ofSeveral);
                            if (index == 0)
                              addDescription(*part.module, description);
                          });
  if (!codes)
    return codes.takeError();
  return codes->size() == 1 ? std::move(codes->front())
                            : mergeObjects(*codes, table);
}

Expected<std::vector<std::string>>
broadloom::codegen::findUndefinedSymbols(StringRef code) {
  auto object = object::ObjectFile::createObjectFile(
      MemoryBufferRef(code, "compiled program"));
  if (!object)
    return object.takeError();
  std::vector<std::string> names;
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty())
      names.push_back(name->str());
  }
  return names;
}

Expected<MachineCode>
broadloom::codegen::compileObjects(mlir::ModuleOp module, CodeEffort effort,
                                   const std::atomic<bool> *cancelled) {
  auto target = CodeTarget::getHost();
  if (!target)
    return target.takeError();
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> parts = splitModule(module);
  MachineCode code;
  code.constants = takeConstants(module);
  auto objects = compileAll(listAll(parts, module), *target, CodeFormat::Object,
                            effort, nullptr, cancelled);
  if (!objects)
    return objects.takeError();
  code.objects = std::move(*objects);
  return std::move(code);
}

namespace {

/// A compiler for ORC that is never called, because all code is compiled
/// before; it needs no target machine.
class NoCompiler : public orc::IRCompileLayer::IRCompiler {
public:
  NoCompiler() : IRCompiler(orc::IRSymbolMapper::ManglingOptions()) {}
  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module &) override {
    return createStringError("code is loaded as object files");
  }
};

using MadeCompiler = Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>>;

} // namespace

LoadedCode::LoadedCode() = default;
LoadedCode::~LoadedCode() = default;

Expected<std::unique_ptr<LoadedCode>>
LoadedCode::load(ArrayRef<std::string> objects,
                 ArrayRef<OutsideConstant> constants,
                 ArrayRef<std::string> libraries) {
  std::unique_ptr<LoadedCode> code(new LoadedCode);
  code->constants = constants.vec();
  auto target = CodeTarget::getHost();
  if (!target)
    return target.takeError();
  DataLayout layout(target->getTriple().computeDataLayout());
  // Compiled code has no initialisers.
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(target->getBuilder())
                 .setDataLayout(std::move(layout))
                 .setCompileFunctionCreator([](auto) -> MadeCompiler {
                   return std::make_unique<NoCompiler>();
                 })
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();
  code->jit = std::move(*jit);
  code->jit->getExecutionSession().setErrorReporter(
      [told = code->told.get()](Error error) {
        *told += ": " + toString(std::move(error));
      });
  if (Error error = tellSymbols(*code->jit))
    return std::move(error);
  if (Error error = registerUnwindTables(*code->jit, objects))
    return std::move(error);

  orc::SymbolMap symbols;
  auto define = [&](StringRef name, auto *address) {
    symbols[code->jit->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address), JITSymbolFlags::Exported};
  };
  for (auto [name, address] : kRuntimeSymbols)
    define(name, address);
  for (const NamedFunction &function : getWideIntegerFunctions())
    define(function.name, function.address);
  for (const OutsideConstant &constant : constants)
    define(constant.symbol, constant.bytes.data());
  orc::JITDylib &library = code->jit->getMainJITDylib();
  if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  // Loads libmvec, because another process may have compiled the code.
  (void)hasVectorMath(*target);
  char prefix = code->jit->getDataLayout().getGlobalPrefix();
  for (const std::string &path : libraries) {
    auto opened = openLibrary(path);
    if (!opened)
      return opened.takeError();
    library.addGenerator(
        std::make_unique<orc::DynamicLibrarySearchGenerator>(*opened, prefix));
  }
  auto process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  for (const std::string &object : objects)
    if (Error error = code->jit->addObjectFile(
            MemoryBuffer::getMemBufferCopy(object, "broadloom")))
      return std::move(error);
  return std::move(code);
}

Expected<void *> LoadedCode::lookup(StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return createStringError(toString(address.takeError()) + *told);
  return address->toPtr<void *>();
}
