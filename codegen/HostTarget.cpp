//===- HostTarget.cpp - this machine as a target of LLVM ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/HostTarget.h"
#include "runtime/Processor.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>
#include <string>

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

/// Features that make LLVM choose instructions with other results than IEEE's:
/// the bf16 conversions of AVX-512 and AVX-NE flush subnormals (el-11).
static constexpr StringRef kUnsoundFeatures[] = {"avx512bf16", "avxneconvert"};

namespace {

/// What looking at this machine has found: a target, or why there is none.
struct Host {
  std::optional<orc::JITTargetMachineBuilder> target;
  std::string error;
  uint64_t instructionSets = 0;
};

} // namespace

static void configure(orc::JITTargetMachineBuilder &target) {
  for (StringRef feature : kUnsoundFeatures)
    target.getFeatures().AddFeature(feature, false);
  // No contraction to fused multiply-add (el-11).
  target.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  target.setCodeGenOptLevel(CodeGenOptLevel::Default);
  target.setRelocationModel(Reloc::PIC_);
  // Constants of kernels are near their code, which then needs no register to
  // find them; a model's weights may be anywhere.
  // Other targets have no model between the small and the large one.
  if (target.getTargetTriple().getArch() == Triple::x86_64)
    target.setCodeModel(CodeModel::Medium);
}

static Host detectHost() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Host host;
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target) {
    host.error = toString(target.takeError());
    return host;
  }
  configure(*target);
  for (StringRef feature : target->getFeatures().getFeatures())
    if (feature.consume_front("+"))
      host.instructionSets |= instructionSetBit(feature);
  host.target = std::move(*target);
  return host;
}

static const Host &getHost() {
  static const Host host = detectHost();
  return host;
}

Expected<orc::JITTargetMachineBuilder> broadloom::codegen::getHostTarget() {
  const Host &host = getHost();
  if (!host.target)
    return createStringError(host.error);
  return *host.target;
}

Expected<std::unique_ptr<TargetMachine>>
broadloom::codegen::makeTargetMachine() {
  auto target = getHostTarget();
  if (!target)
    return target.takeError();
  return target->createTargetMachine();
}

uint64_t broadloom::codegen::getInstructionSets() {
  return getHost().instructionSets;
}
