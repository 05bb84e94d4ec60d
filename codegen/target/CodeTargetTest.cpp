//===- CodeTargetTest.cpp - what machine code is made for -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/target/CodeTarget.h"
#include "runtime/abi/Processor.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

std::string getError(StringRef triple, StringRef cpu) {
  auto target = CodeTarget::get(triple, cpu);
  return target ? "" : toString(target.takeError());
}

} // namespace

// What is compiled for this machine runs on it.
TEST(CodeTarget, TheHostHasItsOwnInstructionSets) {
  auto host = CodeTarget::getHost();
  ASSERT_TRUE(bool(host)) << toString(host.takeError());
  EXPECT_EQ(missingInstructionSets(host->getInstructionSets()), "");
  auto same = CodeTarget::get("", "");
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(host->getInstructionSets(), same->getInstructionSets());
  EXPECT_EQ(host->getTriple().str(), same->getTriple().str());
}

// The list that LLVM reads for each module is short, and says the same.
TEST(CodeTarget, TheHostsFeaturesAreThoseThatLLVMFinds) {
  auto host = CodeTarget::getHost();
  ASSERT_TRUE(bool(host)) << toString(host.takeError());
  auto found = orc::JITTargetMachineBuilder::detectHost();
  ASSERT_TRUE(bool(found)) << toString(found.takeError());
  size_t all = found->getFeatures().getFeatures().size();
  // el-11
  for (StringRef feature : {"avx512bf16", "avxneconvert"})
    if (found->getTargetTriple().getArch() == Triple::x86_64)
      found->getFeatures().AddFeature(feature, false);
  auto machine = host->makeMachine();
  auto expected = found->createTargetMachine();
  ASSERT_TRUE(bool(machine) && bool(expected));
  EXPECT_EQ((*machine)->getMCSubtargetInfo()->getFeatureBits(),
            (*expected)->getMCSubtargetInfo()->getFeatureBits());
  orc::JITTargetMachineBuilder builder = host->getBuilder();
  EXPECT_LE(builder.getFeatures().getFeatures().size(), all);
}

// Threads change the level of optimisation of theirs.
TEST(CodeTarget, EachPartHasATargetMachineOfItsOwn) {
  auto host = CodeTarget::getHost();
  ASSERT_TRUE(bool(host));
  auto one = host->makeMachine(), other = host->makeMachine();
  ASSERT_TRUE(bool(one) && bool(other));
  EXPECT_NE(one->get(), other->get());
}

TEST(CodeTarget, AProcessorHasItsLevelsInstructionSets) {
  auto two = CodeTarget::get("x86_64-linux-gnu", "x86-64-v2"),
       three = CodeTarget::get("x86_64-linux-gnu", "x86-64-v3"),
       four = CodeTarget::get("x86_64-linux-gnu", "x86-64-v4");
  ASSERT_TRUE(bool(two) && bool(three) && bool(four));
  uint64_t avx2 = instructionSetBit("avx2"),
           wide = instructionSetBit("avx512f");
  EXPECT_EQ(two->getInstructionSets() & (avx2 | wide), 0u);
  EXPECT_EQ(three->getInstructionSets() & (avx2 | wide), avx2);
  EXPECT_EQ(four->getInstructionSets() & (avx2 | wide), avx2 | wide);
  auto machine = three->makeMachine();
  ASSERT_TRUE(bool(machine));
  EXPECT_FALSE(hasWideVectors(**machine));
  EXPECT_EQ(getVectorAbis(**machine).back().bits, 256u);
}

// el-11: bf16 is not converted by instructions that flush subnormals.
TEST(CodeTarget, NoProcessorHasFeaturesWithOtherResults) {
  auto target = CodeTarget::get("x86_64-linux-gnu", "sapphirerapids");
  ASSERT_TRUE(bool(target));
  auto machine = target->makeMachine();
  ASSERT_TRUE(bool(machine));
  EXPECT_TRUE(hasWideVectors(**machine));
  EXPECT_FALSE((*machine)->getMCSubtargetInfo()->checkFeatures("+avx512bf16"));
}

// A virtual machine may report the model of a client on a server.
TEST(CodeTarget, IntelsProcessorsWithWideVectorsPrefetch) {
  auto prefetching = [](StringRef cpu) {
    auto target = CodeTarget::get("x86_64-linux-gnu", cpu);
    EXPECT_TRUE(bool(target)) << cpu.str();
    auto machine = target->makeMachine();
    EXPECT_TRUE(bool(machine)) << cpu.str();
    EXPECT_EQ(target->getVectorUnit().prefetches, prefetches(**machine));
    return prefetches(**machine);
  };
  for (StringRef cpu :
       {"skylake-avx512", "rocketlake", "sapphirerapids", "diamondrapids"})
    EXPECT_TRUE(prefetching(cpu)) << cpu.str();
  for (StringRef cpu : {"x86-64-v3", "x86-64-v4", "alderlake", "znver5"})
    EXPECT_FALSE(prefetching(cpu)) << cpu.str();
}

TEST(CodeTarget, AnotherArchitectureHasNoBitsOfThisOne) {
  auto target = CodeTarget::get("aarch64-linux-gnu", "");
  ASSERT_TRUE(bool(target)) << toString(target.takeError());
  EXPECT_EQ(target->getInstructionSets(), 0u);
  auto machine = target->makeMachine();
  ASSERT_TRUE(bool(machine));
  EXPECT_FALSE(hasWideVectors(**machine));
  EXPECT_TRUE(getVectorAbis(**machine).empty());
}

// Vector functions are those of the GNU C library.
TEST(CodeTarget, OtherCLibrariesHaveNoVectorFunctions) {
  for (const char *triple : {"x86_64-linux-musl", "x86_64-linux-android"}) {
    auto target = CodeTarget::get(triple, "x86-64-v4");
    ASSERT_TRUE(bool(target)) << triple << toString(target.takeError());
    auto machine = target->makeMachine();
    ASSERT_TRUE(bool(machine));
    EXPECT_TRUE(getVectorAbis(**machine).empty()) << triple;
  }
}

TEST(CodeTarget, AMachineWithANamedProcessorIsNotThisOne) {
  auto host = CodeTarget::getHost(), unnamed = CodeTarget::get("", ""),
       named = CodeTarget::get("x86_64-linux-gnu", "x86-64");
  ASSERT_TRUE(bool(host) && bool(unnamed) && bool(named));
  EXPECT_TRUE(host->isHost());
  EXPECT_TRUE(unnamed->isHost());
  EXPECT_FALSE(named->isHost());
}

TEST(CodeTarget, WhatIsNotThereIsAnError) {
  EXPECT_EQ(getError("riscv64-linux-gnu", ""),
            "code can be made for x86_64 and aarch64, and 'riscv64-linux-gnu' "
            "is neither; an example is aarch64-linux-gnu");
  EXPECT_EQ(getError("nonsense", "").substr(0, 24), "code can be made for x86");
  EXPECT_EQ(getError("arm64ec-pc-windows", ""),
            "code is made as ELF files, and those of 'arm64ec-pc-windows' are "
            "coff; an example is aarch64-linux-gnu");
  for (const char *triple : {"x86_64-pc-windows-msvc", "x86_64-pc-cygwin",
                             "x86_64-unknown-uefi", "x86_64-apple-macosx"})
    EXPECT_EQ(getError(triple, "").substr(0, 25), "code is made as ELF files")
        << triple;
  for (const char *triple : {"x86_64-linux-gnux32", "x86_64-linux-muslx32",
                             "aarch64-linux-gnu_ilp32"})
    EXPECT_EQ(getError(triple, ""),
              std::string("code is made for ABIs with pointers of 64 bits, and "
                          "those of '") +
                  triple + "' have 32; an example is aarch64-linux-gnu");
  for (const char *triple : {"x86_64", "aarch64-none-elf", "arm64",
                             "x86_64-unknown-freebsd", "aarch64-linux-android"})
    EXPECT_EQ(getError(triple, ""), "") << triple;
  EXPECT_EQ(getError("aarch64-linux-gnu", "skylake"),
            "there is no processor skylake for aarch64; clang "
            "--target=aarch64-unknown-linux-gnu --print-supported-cpus lists "
            "them");
  EXPECT_EQ(getError("x86_64-linux-gnu", "i386"),
            "the processor i386 has no registers of 64 bits, which x86_64 "
            "needs");
  EXPECT_EQ(getError("x86_64-linux-gnu", "x86-64"), "");
}
