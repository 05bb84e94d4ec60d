//===- CodeTarget.cpp - what machine code is made for ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/target/CodeTarget.h"
#include "runtime/abi/Processor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <optional>
#include <string>

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

/// Features that make LLVM choose instructions with other results than IEEE's:
/// the bf16 conversions of AVX-512 and AVX-NE flush subnormals (el-11).
static constexpr StringRef kUnsoundFeatures[] = {"avx512bf16", "avxneconvert"};

/// The attribute of a module with the triple and the processor of its target.
static constexpr StringRef kTarget = "loom.target";

static void initialiseTargets() {
  static const bool initialised = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    return true;
  }();
  (void)initialised;
}

/// Completes targets.
struct codegen::TargetMaker {
  static CodeTarget make(orc::JITTargetMachineBuilder builder,
                         const MCSubtargetInfo &features) {
    bool isX86 = builder.getTargetTriple().getArch() == Triple::x86_64;
    if (isX86)
      for (StringRef feature : kUnsoundFeatures)
        builder.getFeatures().AddFeature(feature, false);
    // No contraction to fused multiply-add (el-11).
    builder.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
    builder.setCodeGenOptLevel(CodeGenOptLevel::Default);
    builder.setRelocationModel(Reloc::PIC_);
    // In the medium code model, constants of kernels are near the code, which
    // needs no register for their address, and a model's weights may be
    // anywhere. Other architectures have only the small and the large model.
    if (isX86)
      builder.setCodeModel(CodeModel::Medium);
    CodeTarget target(std::move(builder));
    if (isX86)
      for (const SubtargetFeatureKV &feature :
           features.getEnabledProcessorFeatures())
        target.instructionSets |= instructionSetBit(feature.Key);
    return target;
  }
};

/// The features of a processor; null, with a message for users, where the
/// architecture has no such processor.
static Expected<std::unique_ptr<MCSubtargetInfo>>
makeFeatures(const Triple &triple, StringRef cpu, StringRef features) {
  std::string error;
  const Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return createStringError(error);
  // LLVM reports an unknown processor to standard error.
  std::unique_ptr<MCSubtargetInfo> generic(
      backend->createMCSubtargetInfo(triple, "", ""));
  if (!cpu.empty() && !generic->isCPUStringValid(cpu))
    return createStringError("there is no processor " + cpu + " for " +
                             triple.getArchName() +
                             "; clang --target=" + triple.str() +
                             " --print-supported-cpus lists " + "them");
  std::unique_ptr<MCSubtargetInfo> made(
      backend->createMCSubtargetInfo(triple, cpu, features));
  // LLVM ends the process if it makes 64-bit code for a 32-bit processor.
  if (!cpu.empty() && triple.getArch() == Triple::x86_64 &&
      !made->checkFeatures("+64bit"))
    return createStringError("the processor " + cpu +
                             " has no registers of 64 bits, which " +
                             triple.getArchName() + " needs");
  return made;
}

/// The host's target, or an error message if LLVM does not know the machine.
struct Host {
  std::optional<CodeTarget> target;
  std::string error;
};

/// Removes the features of `builder` that the processor's name implies. A
/// processor has 150 features, and LLVM parses the list for each module and
/// each kind of function.
static void shortenFeatures(orc::JITTargetMachineBuilder &builder,
                            const MCSubtargetInfo &features) {
  const Triple &triple = builder.getTargetTriple();
  auto named = makeFeatures(triple, builder.getCPU(), "");
  if (!named)
    return consumeError(named.takeError());
  SubtargetFeatures others;
  for (const std::string &feature : builder.getFeatures().getFeatures())
    if (!(*named)->checkFeatures(feature))
      others.AddFeature(feature);
  // Features imply others.
  auto same = makeFeatures(triple, builder.getCPU(), others.getString());
  if (!same)
    return consumeError(same.takeError());
  if ((*same)->getFeatureBits() == features.getFeatureBits())
    builder.getFeatures() = others;
}

static Host detectHost() {
  initialiseTargets();
  Host host;
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    host.error = toString(builder.takeError());
    return host;
  }
  auto features = makeFeatures(builder->getTargetTriple(), builder->getCPU(),
                               builder->getFeatures().getString());
  if (!features) {
    host.error = toString(features.takeError());
    return host;
  }
  shortenFeatures(*builder, **features);
  host.target = TargetMaker::make(std::move(*builder), **features);
  return host;
}

Expected<CodeTarget> CodeTarget::getHost() {
  static const Host host = detectHost();
  if (!host.target)
    return createStringError(host.error);
  return *host.target;
}

/// Why no code can be made for `triple`, which users call `name`; "" if it can.
static std::string describeUnsupported(const Triple &triple, StringRef name) {
  constexpr StringLiteral example = "; an example is aarch64-linux-gnu";
  if (triple.getArch() != Triple::x86_64 && triple.getArch() != Triple::aarch64)
    return ("code can be made for x86_64 and aarch64, and '" + name +
            "' is neither" + example)
        .str();
  if (!triple.isOSBinFormatELF())
    return ("code is made as ELF files, and those of '" + name + "' are " +
            Triple::getObjectFormatTypeName(triple.getObjectFormat()) + example)
        .str();
  // Rejects the other ABIs of these architectures.
  if (triple.isX32() || triple.getEnvironment() == Triple::GNUILP32)
    return ("code is made for ABIs with pointers of 64 bits, and those of '" +
            name + "' have 32" + example)
        .str();
  return "";
}

Expected<CodeTarget> CodeTarget::get(StringRef name, StringRef cpu) {
  if (name.empty() && cpu.empty())
    return getHost();
  initialiseTargets();
  Triple host(sys::getProcessTriple());
  Triple triple = name.empty() ? host : Triple(Triple::normalize(name));
  if (std::string error = describeUnsupported(triple, name); !error.empty())
    return createStringError(error);
  // The host's processor is the default only in its own environment: another
  // one, such as musl, has other libraries.
  if (cpu.empty() && triple.getArch() == host.getArch() &&
      triple.getOS() == host.getOS() &&
      (triple.getEnvironment() == Triple::UnknownEnvironment ||
       triple.getEnvironment() == host.getEnvironment()))
    return getHost();
  if (cpu.empty())
    cpu = triple.getArch() == Triple::x86_64 ? "x86-64" : "generic";
  auto features = makeFeatures(triple, cpu, "");
  if (!features)
    return features.takeError();
  orc::JITTargetMachineBuilder builder(triple);
  builder.setCPU(cpu.str());
  CodeTarget target = TargetMaker::make(std::move(builder), **features);
  target.processor = cpu.str();
  return target;
}

Expected<std::unique_ptr<TargetMachine>> CodeTarget::makeMachine() const {
  orc::JITTargetMachineBuilder copy = builder;
  return copy.createTargetMachine();
}

void codegen::setTarget(mlir::ModuleOp module, const CodeTarget &target) {
  mlir::Builder b(module.getContext());
  mlir::StringAttr triple = b.getStringAttr(target.getTriple().str());
  module->setAttr(mlir::LLVM::LLVMDialect::getTargetTripleAttrName(), triple);
  module->setAttr(
      kTarget,
      b.getDictionaryAttr(
          {b.getNamedAttr("triple", triple),
           b.getNamedAttr("cpu", b.getStringAttr(target.getProcessor()))}));
}

Expected<CodeTarget> CodeTarget::getOf(mlir::ModuleOp module) {
  auto named = module->getAttrOfType<mlir::DictionaryAttr>(kTarget);
  if (!named)
    return getHost();
  auto get = [&](StringRef key) {
    auto text = named.getAs<mlir::StringAttr>(key);
    return text ? text.getValue() : StringRef();
  };
  return CodeTarget::get(get("triple"), get("cpu"));
}

/// Whether the processor is one of Intel's with AVX-512. The names of client
/// processors are there too: a virtual machine may report such a model on a
/// server.
static bool isIntelWithWideVectors(StringRef cpu) {
  static constexpr StringLiteral kNames[] = {
      "skylake-avx512", "cascadelake",    "cooperlake",    "cannonlake",
      "icelake-client", "icelake-server", "tigerlake",     "rocketlake",
      "sapphirerapids", "emeraldrapids",  "graniterapids", "graniterapids-d",
      "diamondrapids",  "novalake"};
  return llvm::is_contained(kNames, cpu);
}

scalar::MathUnit CodeTarget::getMathUnit() const {
  if (getTriple().isAArch64())
    return {/*fma=*/true, /*lookup=*/false};
  auto has = [&](StringRef set) {
    return (instructionSets & instructionSetBit(set)) != 0;
  };
  bool fma = has("fma");
  return {fma, /*lookup=*/fma && has("avx512f")};
}

VectorUnit CodeTarget::getVectorUnit() const {
  if (getTriple().isAArch64())
    return {/*bits=*/128, /*registers=*/32, /*fma=*/true};
  auto has = [&](StringRef set) {
    return (instructionSets & instructionSetBit(set)) != 0;
  };
  if (has("avx512f"))
    return {512,
            32,
            has("fma"),
            has("avx512vnni"),
            isIntelWithWideVectors(builder.getCPU()),
            /*masks=*/has("avx512bw") && has("avx512vl")};
  return {has("avx2") ? 256u : 128u, 16, has("fma"), has("avxvnni")};
}

bool codegen::hasWideVectors(const TargetMachine &target) {
  return target.getTargetTriple().getArch() == Triple::x86_64 &&
         target.getMCSubtargetInfo()->checkFeatures("+avx512f");
}

bool codegen::prefetches(const TargetMachine &target) {
  return hasWideVectors(target) &&
         isIntelWithWideVectors(target.getTargetCPU());
}

SmallVector<VectorAbi> codegen::getVectorAbis(const TargetMachine &target) {
  // The vector library is part of the GNU C library.
  const Triple &triple = target.getTargetTriple();
  if (triple.getArch() != Triple::x86_64 || !triple.isOSLinux() ||
      triple.isMusl() || triple.isAndroid() || triple.isOHOSFamily())
    return {};
  const MCSubtargetInfo &features = *target.getMCSubtargetInfo();
  SmallVector<VectorAbi> abis = {{'b', 128}};
  if (features.checkFeatures("+avx2"))
    abis.push_back({'d', 256});
  if (features.checkFeatures("+avx512f"))
    abis.push_back({'e', 512});
  return abis;
}
