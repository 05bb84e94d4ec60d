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
// The processor of this machine is detected once per process. LLVM takes a
// quarter of a millisecond for a target machine, so that one is made only for
// each compiled part.
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
  /// The width of a register.
  unsigned bits;
  unsigned registers;
  /// Whether x * y + z is one instruction.
  bool fma;
  /// Whether four products of bytes are added to 32 bits by one instruction.
  bool dotProduct = false;
  /// The result of prefetches().
  bool prefetches = false;
  /// Whether one instruction loads or stores chosen lanes of a vector.
  bool masks = false;
};

class CodeTarget {
public:
  /// The target of this machine. Fails if LLVM does not know it.
  static llvm::Expected<CodeTarget> getHost();

  /// The machine of the triple `triple` with the processor `cpu`, as LLVM names
  /// them. The default triple is this machine's. The default processor is the
  /// host's for its own triple, else the baseline of the architecture.
  /// Architectures are x86-64 and AArch64, with ELF files and pointers of 64
  /// bits. Fails, with a message for users, for other architectures and for
  /// unknown processors.
  static llvm::Expected<CodeTarget> get(llvm::StringRef triple,
                                        llvm::StringRef cpu);

  /// The target that setTarget recorded in `module`; else this machine.
  static llvm::Expected<CodeTarget> getOf(mlir::ModuleOp module);

  /// A target machine for one part of a program.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine() const;

  const llvm::orc::JITTargetMachineBuilder &getBuilder() const {
    return builder;
  }
  const llvm::Triple &getTriple() const { return builder.getTargetTriple(); }

  /// The processor, as for `get`; empty for this machine's.
  const std::string &getProcessor() const { return processor; }

  /// Whether code is made for this very machine.
  bool isHost() const { return processor.empty(); }

  /// The instruction sets that code may use, as BroadloomFunctions has them.
  uint64_t getInstructionSets() const { return instructionSets; }

  /// The instructions of the target for mathematical functions.
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

/// Records the target in the attributes of `module`.
void setTarget(mlir::ModuleOp module, const CodeTarget &target);

/// Whether a vector of the target has 512 bits.
bool hasWideVectors(const llvm::TargetMachine &target);

/// Whether a loop that stores past the caches should prefetch its operands:
/// with such stores the prefetchers of Intel's processors fall behind
/// (docs/decisions/0035-streams-prefetch.md).
bool prefetches(const llvm::TargetMachine &target);

/// A vector width for which the system's mathematics library has functions in
/// its vector ABI.
struct VectorAbi {
  /// The letter in function names: `b` for SSE, `d` for AVX2, `e` for AVX-512.
  char letter;
  /// Of a vector.
  unsigned bits;
};

/// The widths of the target in ascending order; none if the library has no such
/// functions for it.
llvm::SmallVector<VectorAbi> getVectorAbis(const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_TARGET_CODETARGET_H
