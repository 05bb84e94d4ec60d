//===- SetReader.h - sets of accesses and calls in a function ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to EffectSets.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_SETREADER_H
#define BROADLOOM_LEGALIZE_MEMORY_SETREADER_H

#include "legalize/memory/EffectSets.h"
#include "legalize/memory/NestReader.h"

namespace broadloom::legalize {

/// The memory of which `memory` is a cast that has the same subscripts.
mlir::Value stripCasts(mlir::Value memory);

/// Why what a called function may access is not sure.
inline constexpr llvm::StringLiteral kMayAccess =
    "the called function may access it and need not";

/// Reads what stands in the body of one function.
class SetReader {
public:
  SetReader(mlir::func::FuncOp func, const ScalarNames &names)
      : func(func), names(names), roots(func) {}

  /// The elements of an argument that an operation accesses by `accessed`: a
  /// load or a store, an atomic one, a copy, or an operation of `linalg`.
  /// Nothing if nothing is known of them.
  std::optional<EffectSet> readAccess(mlir::OpOperand &accessed,
                                      unsigned argument, bool isWrite);

  /// The elements of `argument` that a call has by `called`, a set of the
  /// called function.
  std::optional<EffectSet> readCall(mlir::func::CallOp call,
                                    const EffectSet &called, unsigned argument);

  /// What EffectSets::getAssumptions() gives, which `find` gives of what a
  /// call calls, or null.
  EffectSet readAssumptions(
      llvm::function_ref<const EffectSet *(mlir::func::CallOp)> find);

private:
  using Alternatives = std::vector<poly::Rows>;
  /// Gives conjunctions about the outputs of a relation, one of which holds.
  using GetAlternatives =
      llvm::function_ref<Alternatives(poly::Relation &, poly::Import &)>;

  NestReader makeReader() {
    return NestReader(func, NestNumbers::kAllSizes.front(), roots);
  }
  std::optional<EffectSet> make(EffectSet set, const NestReader &reader,
                                mlir::ArrayRef<poly::Form> extents,
                                GetAlternatives getAlternatives);
  std::optional<llvm::SmallVector<poly::Form>> getExtents(NestReader &reader,
                                                          unsigned argument);
  /// What a set of a called function is about, at the call.
  struct Scalars {
    llvm::SmallVector<std::optional<poly::Form>> numbers;
    /// How many times as large the caller's scalars may be.
    double room = NestNumbers::kAnyRoom;
    /// Whether one may be so large that the set says nothing.
    bool isTooLarge = false;
  };
  static Scalars getScalars(NestReader &reader, mlir::func::CallOp call,
                            const EffectSet &called);
  static Alternatives
  getOfCalls(llvm::ArrayRef<std::pair<const EffectSet *, Scalars>> calls,
             poly::Relation &relation, poly::Import &import);
  void requireOfOperation(NestReader &reader, mlir::Operation &op);
  bool isInEntry(mlir::Operation *op) {
    return op->getBlock() == &func.getBody().front();
  }
  static std::vector<poly::Form> getBase(const Scalars &scalars,
                                         poly::Relation &relation,
                                         poly::Import &import);

  mlir::func::FuncOp func;
  const ScalarNames &names;
  ExtentRoots roots;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_SETREADER_H
