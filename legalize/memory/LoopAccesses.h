//===- LoopAccesses.h - what loops over memory access -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of loops as domains and subscripts of poly/, of which questions
// about pairs of accesses are made (poly/Dependence.h). An answer holds where
// different memrefs of the loops share no memory, different indices of a memref
// that is written are different elements, and symbols are within their limits:
// all this is for the caller to check.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_LOOPACCESSES_H
#define BROADLOOM_LEGALIZE_MEMORY_LOOPACCESSES_H

#include "legalize/memory/CallEffects.h"
#include "legalize/memory/NestReader.h"
#include "poly/Dependence.h"

#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {

class LoopAccesses {
public:
  /// Without effects, what a call does is not known.
  LoopAccesses(const ExtentRoots &roots, const CallEffects *effects)
      : roots(&roots), effects(effects) {}

  struct Access {
    mlir::Operation *op;
    /// What stands in front of the loop.
    mlir::Value memory;
    bool isWrite;
    /// The call that runs it, if it is in another function, and what it is
    /// there.
    mlir::func::CallOp call = nullptr;
    const CallEffects::Effects::Access *called = nullptr;
    /// Equal accesses of one block share a reader.
    std::shared_ptr<NestReader> reader = nullptr;
  };
  /// In the order of the program. Of a copy, the source comes first.
  std::vector<Access> accesses;

  /// Two accesses that meet, if some surely do for some values of symbols.
  struct Conflict {
    Access first, second;
    poly::Meeting meeting;
  };

  /// Adds the accesses of `loop`, to memory that stands in front of `front`,
  /// which is the loop or one around it. False, with `because`, if it does more
  /// than accesses, or has too many.
  bool collect(mlir::Operation *loop, mlir::Operation *front);
  /// Reads each access from the loop on that `getFront` gives for it. False,
  /// with `because`, where that is not possible.
  bool read(llvm::function_ref<mlir::Operation *(mlir::Operation *)> getFront);
  /// Whether the accesses touch one element in iterations that lie so to each
  /// other, in calls for which all accesses of the loops are inside: in others
  /// these do not run.
  poly::Dependence compare(const Access &first, const Access &second,
                           const poly::Directions &directions);

  bool hasCalls() const { return !calls.empty(); }

  /// Why there is no answer.
  std::string because;
  /// The memrefs of the loops, and whether they are written.
  llvm::MapVector<mlir::Value, bool> memory;
  /// Those that the answer is about.
  llvm::SmallVector<NestSymbol> symbols;
  /// Those that must be less than 2 to the power of `bits`, of either sign.
  llvm::SmallVector<NestSymbol> limited;
  int bits = 0;
  /// Guards of functions that are called: all must hold, since a loop that
  /// fails tells of the first failure in its order.
  std::vector<CheckedAccess> guards;
  size_t numOperations = 0;

protected:
  /// Whether copies are known that loops over their elements can do.
  bool takesCopies = false;

private:
  using Front = llvm::function_ref<mlir::Operation *(mlir::Operation *)>;

  void add(Access access, mlir::Operation *front);
  mlir::Value getInFront(mlir::Value memory, mlir::Operation *front) const;
  bool addCall(mlir::func::CallOp call, mlir::Operation *front);
  bool areCompared(mlir::Value first, mlir::Value second) const;
  bool read(Front getFront, NestNumbers::Sizes sizes);
  bool read(Access &access, mlir::Operation *front, NestNumbers::Sizes sizes);
  bool readGuards(Front getFront, NestNumbers::Sizes sizes);
  void addSymbols(const NestReader &reader);
  poly::PlacedAccess place(const Access &access);
  std::vector<std::pair<poly::Variable, size_t>>
  getNumbers(const NestReader &reader);
  poly::Premises getPremises();
  size_t getNumber(const NestSymbol &symbol);

  const ExtentRoots *roots;
  const CallEffects *effects;
  /// A call, and for each operand that is memory what that is in front.
  struct Call {
    mlir::func::CallOp op;
    llvm::SmallVector<mlir::Value> memory;
  };
  std::vector<Call> calls;
  /// When accesses are inside, once a question has needed it.
  std::optional<std::vector<CheckedAccess>> inside;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_LOOPACCESSES_H
