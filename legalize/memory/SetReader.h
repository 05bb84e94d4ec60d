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

#include "llvm/ADT/SetVector.h"

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

  /// Why nothing is known of the last access or call.
  std::string because;

  /// The elements of an argument that an operation accesses by `accessed`: a
  /// load or a store, an atomic one, a copy, or an operation of `linalg`.
  /// Nothing, with `because`, if nothing is known of them.
  std::optional<EffectSet> readAccess(mlir::OpOperand &accessed,
                                      unsigned argument, bool isWrite);

  /// The elements of `argument` that a call has by `called`, a set of the
  /// called function.
  std::optional<EffectSet> readCall(mlir::func::CallOp call,
                                    const EffectSet &called, unsigned argument);

  using FindAssumptions =
      llvm::function_ref<const EffectSet *(mlir::func::CallOp)>;
  using FindFailing =
      llvm::function_ref<const FailingCalls *(mlir::func::CallOp)>;

  /// What EffectSets::getAssumptions() gives, which `find` gives of what a
  /// call calls, or null.
  EffectSet readAssumptions(FindAssumptions find);

  /// What EffectSets::getFailing() gives, which `find` gives of what a call
  /// calls, or null.
  FailingCalls readFailing(FindAssumptions findAssumptions, FindFailing find);

private:
  std::nullopt_t refuse(std::string why) {
    because = std::move(why);
    return std::nullopt;
  }

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

    bool areKnown() const {
      return llvm::all_of(numbers, [](auto &number) { return bool(number); });
    }
  };
  static Scalars getScalars(NestReader &reader, mlir::func::CallOp call,
                            const EffectSet &called);
  static Alternatives
  getOfCalls(llvm::ArrayRef<std::pair<const EffectSet *, Scalars>> calls,
             poly::Relation &relation, poly::Import &import);
  /// What holds where an operation in a loop or a branch does not fail, at the
  /// end of the way that `reader` has read: an access to an argument is inside,
  /// extents that a copy or an operation of `linalg` compares are equal.
  struct Checks {
    poly::Rows rows;
    /// Whether `rows` has all of them.
    bool areKnown = true;
  };
  Checks readChecks(NestReader &reader, mlir::Operation *op);
  /// The operations of the entry block that readAssumptions() takes, of which
  /// there are fewer than a relation may have; readFailing() has the others.
  llvm::SetVector<mlir::Operation *> getAssumed(FindAssumptions find);
  void addFailing(EffectSet set, const NestReader &reader,
                  GetAlternatives getAlternatives, FailingCalls &failing);
  void addFailing(mlir::func::CallOp call, const EffectSet &called,
                  bool isNegated, FailingCalls &failing);
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
