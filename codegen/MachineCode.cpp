//===- MachineCode.cpp - from the LLVM dialect to machine code ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/MachineCode.h"
#include "codegen/VectorMath.h"
#include "runtime/Abi.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace broadloom::codegen;

void broadloom::codegen::registerLLVMTranslations(
    mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

namespace {

/// Features that make LLVM choose instructions with other results than IEEE's:
/// the bf16 conversions of AVX-512 and AVX-NE flush subnormals (el-11).
constexpr StringRef kUnsoundFeatures[] = {"avx512bf16", "avxneconvert"};

Expected<std::unique_ptr<TargetMachine>> makeTargetMachine() {
  static bool initialised = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  for (StringRef feature : kUnsoundFeatures)
    builder->getFeatures().AddFeature(feature, false);
  // No contraction to fused multiply-add (el-11).
  builder->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  builder->setCodeGenOptLevel(CodeGenOptLevel::Default);
  builder->setRelocationModel(Reloc::PIC_);
  return builder->createTargetMachine();
}

void optimise(Module &module, TargetMachine &target) {
  // LLVM prefers narrower vectors on machines whose clock drops with wide
  // ones; strip kernels are bound by memory or by few wide operations.
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("prefer-vector-width", "512");

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  PassBuilder builder(&target, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, modules);
}

Expected<std::string> emit(OptimisedModule &optimised, CodeGenFileType type) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  legacy::PassManager passes;
  if (optimised.target->addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("this target cannot emit such a file");
  passes.run(*optimised.module);
  return std::string(buffer.begin(), buffer.end());
}

/// The runtime's functions that compiled code calls.
const std::pair<const char *, void *> kRuntimeSymbols[] = {
    {"broadloomLaunch", (void *)&broadloomLaunch},
    {"broadloomCheckArgument", (void *)&broadloomCheckArgument},
    {"broadloomAllocate", (void *)&broadloomAllocate},
    {"broadloomContiguous", (void *)&broadloomContiguous},
    {"broadloomKeepView", (void *)&broadloomKeepView},
    {"broadloomCopy", (void *)&broadloomCopy},
    {"broadloomReturn", (void *)&broadloomReturn},
    {"broadloomFail", (void *)&broadloomFail},
    {"broadloomCheckBroadcast", (void *)&broadloomCheckBroadcast},
    {"broadloomBroadcastShape", (void *)&broadloomBroadcastShape},
    {"broadloomAbi1", (void *)&broadloomAbi1},
    {"broadloomStoreShape", (void *)&broadloomStoreShape},
};

} // namespace

OptimisedModule::OptimisedModule() = default;
OptimisedModule::OptimisedModule(OptimisedModule &&) = default;
OptimisedModule::~OptimisedModule() = default;

Expected<OptimisedModule>
broadloom::codegen::translateAndOptimise(mlir::ModuleOp module) {
  OptimisedModule result;
  auto target = makeTargetMachine();
  if (!target)
    return target.takeError();
  result.target = std::move(*target);
  result.context = std::make_unique<LLVMContext>();
  result.module = mlir::translateModuleToLLVMIR(module, *result.context);
  if (!result.module)
    return createStringError("translation to LLVM IR failed");
  result.module->setDataLayout(result.target->createDataLayout());
  result.module->setTargetTriple(result.target->getTargetTriple());
  useVectorMath(*result.module, *result.target);
  optimise(*result.module, *result.target);
  return std::move(result);
}

Expected<std::string> broadloom::codegen::emitAssembly(OptimisedModule &m) {
  return emit(m, CodeGenFileType::AssemblyFile);
}

Expected<std::string> broadloom::codegen::emitObject(OptimisedModule &m) {
  return emit(m, CodeGenFileType::ObjectFile);
}

LoadedCode::LoadedCode() = default;
LoadedCode::~LoadedCode() = default;

Expected<std::unique_ptr<LoadedCode>> LoadedCode::load(OptimisedModule m) {
  std::unique_ptr<LoadedCode> code(new LoadedCode);
  // The module is optimised already; only code is generated here, by the same
  // target machine, so that its features hold.
  auto object = emitObject(m);
  if (!object)
    return object.takeError();
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(
                     orc::JITTargetMachineBuilder(m.target->getTargetTriple()))
                 .create();
  if (!jit)
    return jit.takeError();
  code->jit = std::move(*jit);

  orc::SymbolMap symbols;
  for (auto [name, address] : kRuntimeSymbols)
    symbols[code->jit->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address), JITSymbolFlags::Exported};
  orc::JITDylib &library = code->jit->getMainJITDylib();
  if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      code->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (Error error = code->jit->addObjectFile(
          MemoryBuffer::getMemBufferCopy(*object, "broadloom")))
    return std::move(error);
  return std::move(code);
}

Expected<void *> LoadedCode::lookup(StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
