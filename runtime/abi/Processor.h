//===- Processor.h - instruction sets of code and of processors -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction sets that compiled code needs and those of this processor, so
// that code for another processor is an error when it is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_PROCESSOR_H
#define BROADLOOM_RUNTIME_ABI_PROCESSOR_H

#include <cstdint>
#include <string>
#include <string_view>

namespace broadloom {

/// The bit of the instruction set that LLVM calls `name`; 0 if compiled code
/// does not depend on it.
uint64_t instructionSetBit(std::string_view name) noexcept;

/// Names of the instruction sets whose bits are in `sets`, separated by commas.
std::string describeInstructionSets(uint64_t sets);

/// Names of the instruction sets of `needed` that this processor or its
/// operating system does not support, separated by commas.
std::string missingInstructionSets(uint64_t needed);

/// Whether all of `needed` are supported.
bool hasInstructionSets(uint64_t needed) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_PROCESSOR_H
