//===- Processor.cpp - instruction sets of code and of processors ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Processor.h"

using namespace broadloom;

namespace {

struct InstructionSet {
  unsigned bit;
  std::string_view name;
};

constexpr InstructionSet kInstructionSets[] = {
#define X86_INSTRUCTION_SET(BIT, NAME) {BIT, NAME},
#include "runtime/abi/Processor.def"
#undef X86_INSTRUCTION_SET
};

/// The instruction sets of this processor. Code for another architecture does
/// not link or load at all.
uint64_t detect() {
  uint64_t found = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
#define X86_INSTRUCTION_SET(BIT, NAME)                                         \
  found |= uint64_t(__builtin_cpu_supports(NAME) != 0) << BIT;
#include "runtime/abi/Processor.def"
#undef X86_INSTRUCTION_SET
#endif
  return found;
}

} // namespace

uint64_t broadloom::instructionSetBit(std::string_view name) noexcept {
  for (const InstructionSet &set : kInstructionSets)
    if (set.name == name)
      return uint64_t(1) << set.bit;
  return 0;
}

/// The bits of `needed` that this processor does not have.
static uint64_t findMissing(uint64_t needed) noexcept {
  static const uint64_t found = detect();
  return needed & ~found;
}

bool broadloom::hasInstructionSets(uint64_t needed) noexcept {
  return findMissing(needed) == 0;
}

std::string broadloom::describeInstructionSets(uint64_t sets) {
  std::string names;
  for (const InstructionSet &set : kInstructionSets)
    if (sets >> set.bit & 1)
      names += (names.empty() ? "" : ", ") + std::string(set.name);
  return names;
}

std::string broadloom::missingInstructionSets(uint64_t needed) {
  return describeInstructionSets(findMissing(needed));
}
