//===- HostTarget.h - this machine as a target of LLVM ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processor that code is made for is looked at once per process. A target
// machine takes LLVM a quarter of a millisecond, and is made for each part that
// is compiled and for nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_HOSTTARGET_H
#define BROADLOOM_CODEGEN_HOSTTARGET_H

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>

namespace llvm {
class TargetMachine;
}

namespace broadloom::codegen {

/// The target of all code that is made in this process: the processor, the
/// features that code may use, and how floating point is computed.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> getHostTarget();

/// A target machine for one part of a program.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine();

/// The instruction sets that code for this machine may use, as
/// BroadloomFunctions has them; 0 where the machine is not known.
uint64_t getInstructionSets();

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_HOSTTARGET_H
