//===- SetComparison.h - elements of calls that return ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether elements that a function accesses are among others, for the calls of
// it that return (ffi-6).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_SETCOMPARISON_H
#define BROADLOOM_LEGALIZE_MEMORY_SETCOMPARISON_H

#include "legalize/memory/EffectSets.h"
#include "poly/RelationQuestions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

class SetComparison {
public:
  using Sets = llvm::SmallVector<const EffectSet *>;

  /// Of calls of `func` for which what `bodies` check holds: of it, and of
  /// others with the same arguments.
  SetComparison(mlir::func::FuncOp func,
                llvm::ArrayRef<mlir::func::FuncOp> bodies, EffectSets &effects)
      : func(func), bodies(bodies), effects(effects), names(func) {}

  struct Answer {
    poly::RelationAnswer is;
    /// A relation in the variables of a point that refutes.
    poly::Relation possible;
  };
  /// Whether each element of `set` is in one of `sets`.
  Answer compare(const EffectSet &set, const Sets &sets);
  /// Whether a point that shows a difference may be of a call that fails.
  bool mayFail(const EffectSet &set);

  mlir::MemRefType getMemory(const EffectSet &set) {
    return llvm::cast<mlir::MemRefType>(func.getArgumentTypes()[set.argument]);
  }
  /// Sets of the same argument as `like`.
  poly::Relation uniteAll(const EffectSet &like, const Sets &sets) {
    return unite(names, getMemory(like).getRank(), sets);
  }
  const ScalarNames &getNames() const { return names; }
  /// "element [3] of argument 'a', where argument 'n' is 4".
  std::string describePoint(const EffectSet &set, const poly::Relation &of,
                            const poly::Point &point);

private:
  Answer compare(const EffectSet &set, const Sets &sets, const Sets &more);
  poly::Relation getPossible(const EffectSet &set, const Sets &others);
  void addRange(loom::ScalarReference scalar, const poly::Form &value,
                poly::Rows &rows);
  bool isInNone(const EffectSet &like, const Sets &sets, Answer &answer);
  llvm::SmallVector<loom::ScalarReference> getScalars(const poly::Relation &of);
  llvm::SmallVector<loom::ScalarReference> getAllScalars();

  mlir::func::FuncOp func;
  llvm::SmallVector<mlir::func::FuncOp> bodies;
  EffectSets &effects;
  const ScalarNames names;
  /// How often a set may still be compared with a single other one, which is
  /// for each access and each declared set: a program may have many of both.
  size_t numSingleLeft = 512;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_SETCOMPARISON_H
