//===- EffectSets.h - what functions read and write, as sets ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of its arguments that each function accesses, as relations of
// its scalar arguments and of the extents of its memory (ffi-5). Calls are
// composed from the called function on. What is not affine may be all elements.
//
// Invariant: an access is in one of the sets, and a set that is sure has no
// other element. That is about calls whose arguments of type index and i64 are
// less than 2^40, of either sign, so that no arithmetic on them wraps.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_EFFECTSETS_H
#define BROADLOOM_LEGALIZE_MEMORY_EFFECTSETS_H

#include "dialect/DeclaredEffects.h"
#include "legalize/memory/NestNumbers.h"
#include "legalize/memory/ScalarNames.h"
#include "poly/Relation.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <list>

namespace broadloom::legalize {

/// Elements of one argument.
struct EffectSet {
  unsigned argument;
  loom::EffectKind kind;
  poly::Relation set;
  /// The inputs and symbols of the relation.
  llvm::SmallVector<loom::ScalarReference> scalars;
  /// What accesses them: an operation of the body, or null.
  mlir::Operation *op;
  /// Why it is not sure; for messages.
  std::string because;
  /// Whether these are all elements, of which some may be accessed.
  bool isAll = false;
  /// It holds also where the scalars that it is about are this many times as
  /// large as the invariant says.
  double room = NestNumbers::kAnyRoom;
  /// Whether the operation, or one of a called function, compares extents
  /// first, and whether it is not known which calls fail by that.
  bool comparesExtents = false, comparesUnknown = false;

  void makeUnsure(std::string why) {
    kind.isSure = kind.isFirst = false;
    because = std::move(why);
  }
};

/// An operation because of which a function does not keep a promise, and what
/// it does.
struct BrokenPromise {
  mlir::Operation *op;
  std::string because;
};

EffectSet getEffectSet(const loom::DeclaredSet &declared);

/// Calls of a function that surely fail, by what its loops and branches check
/// and the functions that it calls.
struct FailingCalls {
  /// Relations without outputs and without unknowns.
  std::vector<EffectSet> sets;
  size_t numParts = 0;
  /// Whether more calls fail where extents are compared.
  bool areMore = false;
};

/// The sets of one function.
class FunctionEffects {
public:
  FunctionEffects() = default;
  FunctionEffects(FunctionEffects &&) = default;
  FunctionEffects &operator=(FunctionEffects &&) = default;

  /// In the order in which they were added.
  const std::list<EffectSet> &getSets() const { return sets; }
  /// Those of one argument, in the same order. The time is linear in their
  /// number.
  llvm::SmallVector<const EffectSet *> getSets(unsigned argument,
                                               bool isWrite) const;
  /// Adds a set, unless it is there or all elements are in one already.
  void add(EffectSet set);
  /// Adds all elements of an argument as what may be accessed.
  void addAll(mlir::func::FuncOp func, const ScalarNames &names,
              unsigned argument, bool isWrite, mlir::Operation *op,
              llvm::StringRef because);

  bool hasAll(unsigned argument, bool isWrite) const {
    return all.contains({argument, isWrite});
  }

  /// Nothing where the function is deterministic, or reentrant (ffi-7).
  std::optional<BrokenPromise> notDeterministic, notReentrant;
  /// The arguments of whose allocation it may access other elements as well.
  llvm::DenseSet<unsigned> leaving;

private:
  /// An argument, and whether it is written.
  using Key = std::pair<unsigned, unsigned>;
  struct OfKey {
    llvm::SmallVector<std::list<EffectSet>::iterator, 2> sets;
    /// What tells them from each other, once there are several.
    llvm::StringSet<> texts;
  };
  std::list<EffectSet> sets;
  llvm::DenseMap<Key, OfKey> ofKeys;
  /// Those all of whose elements may be accessed.
  llvm::DenseSet<Key> all;
};

class EffectSets {
public:
  /// Reads each function once. Declared sets have been verified.
  explicit EffectSets(mlir::ModuleOp module);

  /// Of a function with a body what that does, of another one what it declares.
  const FunctionEffects *find(mlir::func::FuncOp func) const;

  /// The function with a body that tells the effects of `func`, if there is
  /// one.
  mlir::func::FuncOp getSummary(mlir::func::FuncOp func) const;

  /// Reads what holds in each call of a function that returns, once for all.
  void readAssumptions();
  /// This, behind readAssumptions(), as a relation without outputs: its
  /// assertions that stand in no loop or branch, that accesses which do are
  /// inside, that extents which are compared there are equal, and the same of
  /// functions that it calls so, as far as there are not too many rows.
  const EffectSet &getAssumptions(mlir::func::FuncOp func) const {
    return assumptions.find(func)->second;
  }
  /// Calls that fail elsewhere, behind readAssumptions(). They are read when
  /// they are first asked for, those of called functions too.
  const FailingCalls &getFailing(mlir::func::FuncOp func);

private:
  mlir::func::FuncOp getCalled(mlir::func::CallOp call) const;
  void visit(mlir::func::FuncOp func, llvm::DenseSet<mlir::Operation *> &begun,
             llvm::function_ref<void(mlir::func::FuncOp)> read) const;
  bool isKnown(mlir::func::FuncOp func) const;
  FunctionEffects readBody(mlir::func::FuncOp func);
  FunctionEffects readDeclared(mlir::func::FuncOp func) const;

  /// How many sets calls may have read beyond the first few of each, so that
  /// the time is linear in the program.
  size_t moreSets = 4096;
  llvm::DenseSet<mlir::Operation *> begun, begunFailing;
  llvm::DenseMap<mlir::Operation *, FunctionEffects> functions;
  /// Those with bodies, callees first.
  std::vector<mlir::func::FuncOp> bodies;
  llvm::DenseMap<mlir::Operation *, EffectSet> assumptions;
  llvm::DenseMap<mlir::Operation *, FailingCalls> failing;
  llvm::DenseMap<mlir::StringAttr, mlir::func::FuncOp> symbols;
};

/// Of sets with as many outputs, in the names of one function, and with the
/// symbols `more` as well.
poly::Relation unite(const ScalarNames &names, unsigned rank,
                     llvm::ArrayRef<const EffectSet *> sets,
                     llvm::ArrayRef<loom::ScalarReference> more = {});

/// Whether no element of `set`, which is surely written, is read as one of its
/// argument, so that the function is the first to have it.
bool isReadNowhere(const EffectSet &set, const FunctionEffects &in,
                   const ScalarNames &names, unsigned rank);

/// The set as an attribute.
loom::AccessSetAttr getAttribute(mlir::MLIRContext *context,
                                 const EffectSet &set);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_EFFECTSETS_H
