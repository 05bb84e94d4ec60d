//===- LoopDependences.h - loops whose order does not matter ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the iterations of a loop over memory may run in any order (eff-1): no
// two of them touch one element that one of them writes, but for sums and the
// like of integers, whose order changes nothing. The answer holds where
// different memrefs of the loop share no memory, different indices of a memref
// that is written are different elements, and symbols are within their limits:
// all this is for the caller to check.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H
#define BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H

#include "legalize/memory/CallEffects.h"
#include "legalize/memory/NestReader.h"
#include "poly/Dependence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {

class LoopDependences {
public:
  /// `loop` is one that NestReader reads.
  LoopDependences(mlir::Operation *loop, const ExtentRoots &roots,
                  const CallEffects &effects);

  struct Access {
    mlir::Operation *op;
    mlir::Value memory;
    /// The call that runs it, if it is in another function.
    mlir::func::CallOp call;
    /// Equal accesses of one block share a reader.
    std::shared_ptr<NestReader> reader;
  };

  /// A number that the iterations combine: one that the loop carries, or one in
  /// memory.
  struct Reduction {
    mlir::arith::AtomicRMWKind kind;
    mlir::Type type;
    /// The number of the loop's result, or else what loads and stores the
    /// number. These stand in each iteration, or cannot be outside.
    std::optional<unsigned> result;
    mlir::Operation *load = nullptr, *store = nullptr;
  };
  llvm::SmallVector<Reduction> reductions;

  bool hasCalls() const { return !calls.empty(); }
  bool areIndependent() const { return because.empty(); }
  /// Why the order may matter; empty where it does not.
  std::string because;
  /// Two accesses that meet, if some surely do for some values of symbols.
  struct Conflict {
    Access first, second;
    poly::Meeting meeting;
  };
  std::optional<Conflict> conflict;

  /// The memrefs of the loop, and whether it writes them.
  llvm::MapVector<mlir::Value, bool> memory;
  /// Those that the answer is about.
  llvm::SmallVector<NestSymbol> symbols;
  /// Those that must be less than 2 to the power of `bits`, of either sign.
  llvm::SmallVector<NestSymbol> limited;
  int bits = 0;
  /// How many loops are around the loop in iterations of a meeting.
  unsigned level = 0;
  /// Guards of functions that are called: all must hold, since a loop that
  /// fails tells of the first failure in its order.
  std::vector<CheckedAccess> guards;
  size_t numOperations = 0;

private:
  bool ask(mlir::Operation *front, unsigned depth);
  bool collect();
  bool findCarried();
  void findInMemory();
  bool isReduced(mlir::Value memory) const;
  bool addCall(mlir::func::CallOp call);
  bool read(NestNumbers::Sizes sizes);
  bool read(Access &access, NestNumbers::Sizes sizes);
  bool readGuards(NestNumbers::Sizes sizes);
  void addSymbols(const NestReader &reader);
  size_t getNumber(const NestSymbol &symbol);
  bool compareAll();
  bool compare(const Access &a, const Access &b);
  poly::PlacedAccess place(const Access &access);

  /// The loop, and the one in front of which symbols are known.
  mlir::Operation *loop, *nest = nullptr;
  const ExtentRoots *roots;
  const CallEffects *effects;
  std::vector<Access> accesses;
  llvm::SmallVector<mlir::func::CallOp> calls;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H
