//===- CodeTarget.h - what machine code is made for -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine that code is made for: a triple, a processor, its features, and
// how floating point is computed there. Everything in codegen/ that depends on
// the machine queries a CodeTarget or the TargetMachine that it makes.
//
// The processor of this machine is looked at once per process. A target machine
// takes LLVM a quarter of a millisecond, and is made for each part that is
// compiled and for nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_TARGET_CODETARGET_H
#define BROADLOOM_CODEGEN_TARGET_CODETARGET_H

#include "scalar/MathExpansion.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace broadloom::codegen {

/// The vector registers that code may use.
struct VectorUnit {
  /// Of a register.
  unsigned bits;
  unsigned registers;
  /// Whether x y + z is one instruction.
  bool fma;
  /// Whether four products of bytes are added to 32 bits by one instruction.
  bool dotProduct = false;
  /// As the function prefetches.
  bool prefetches = false;
};

class CodeTarget {
public:
  /// This machine. Fails where LLVM does not know it.
  static llvm::Expected<CodeTarget> getHost();

  /// The machine of the triple `triple` with the processor `cpu`, as LLVM names
  /// them. Without a triple, this machine's; without a processor, that of the
  /// host for its own triple and the least one of the architecture for any
  /// other. Architectures are x86-64 and AArch64, with ELF files and pointers
  /// of 64 bits. Fails, with a message for users, for others and for processors
  /// that the architecture does not have.
  static llvm::Expected<CodeTarget> get(llvm::StringRef triple,
                                        llvm::StringRef cpu);

  /// The one that setTarget has named in `module`; else this machine.
  static llvm::Expected<CodeTarget> getOf(mlir::ModuleOp module);

  /// A target machine for one part of a program.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine() const;

  const llvm::orc::JITTargetMachineBuilder &getBuilder() const {
    return builder;
  }
  const llvm::Triple &getTriple() const { return builder.getTargetTriple(); }

  /// As `get` takes it; empty for this machine's.
  const std::string &getProcessor() const { return processor; }

  /// Whether code is made for this very machine.
  bool isHost() const { return processor.empty(); }

  /// The instruction sets that code may use, as BroadloomFunctions has them.
  uint64_t getInstructionSets() const { return instructionSets; }

  /// What it computes of mathematical functions in one instruction.
  scalar::MathUnit getMathUnit() const;

  VectorUnit getVectorUnit() const;

private:
  friend struct TargetMaker;
  explicit CodeTarget(llvm::orc::JITTargetMachineBuilder builder)
      : builder(std::move(builder)) {}

  llvm::orc::JITTargetMachineBuilder builder;
  std::string processor;
  uint64_t instructionSets = 0;
};

/// Says in the attributes of `module` which target its code will be made for.
void setTarget(mlir::ModuleOp module, const CodeTarget &target);

/// Whether a vector of the target has 512 bits.
bool hasWideVectors(const llvm::TargetMachine &target);

/// Whether a loop that stores past the caches should prefetch its operands:
/// beside such stores the prefetchers of Intel's processors fall behind
/// (docs/decisions/0035-streams-prefetch.md).
bool prefetches(const llvm::TargetMachine &target);

/// A width of vectors with functions of the vector ABI of the system's
/// mathematics library.
struct VectorAbi {
  /// As names have it: `b` for SSE, `d` for AVX2, `e` for AVX-512.
  char letter;
  /// Of a vector.
  unsigned bits;
};

/// Those of the target, least first; none where the library has no such
/// functions for it.
llvm::SmallVector<VectorAbi> getVectorAbis(const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_TARGET_CODETARGET_H
