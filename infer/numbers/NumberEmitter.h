//===- NumberEmitter.h - numbers as values of a program ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the arithmetic of numbers and conditions, each part once, in one of two
// notations. Code that runs computes in words of 64 bits: a condition is true
// only if it holds for the mathematical numbers and these fit words (rt-13).
// Constraints are read again by the analysis: their sums and products have the
// flag `nsw` and are mathematical.
//
// Invariant: emitted code can be executed for all extents: a divisor that could
// be 0 is replaced by 1, because a guard requires that it is not 0. A number
// outside a condition is computed modulo 2^64, because a guard requires that it
// is a word (isComputable).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBEREMITTER_H
#define BROADLOOM_INFER_NUMBERS_NUMBEREMITTER_H

#include "infer/numbers/CheckedArithmetic.h"
#include "infer/numbers/Numbers.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <optional>

namespace broadloom::infer {

class NumberEmitter {
public:
  enum class Notation : uint8_t { Words, ShapeConstraint };

  /// The value of a symbol, of type index.
  using GetSymbol = std::function<mlir::Value(SymbolId)>;
  /// Whether the program has the value of a symbol.
  using HasSymbol = std::function<bool(SymbolId)>;
  /// The value that an unknown number stands for, of type index or i64, or
  /// null.
  using GetUnknown = std::function<mlir::Value(AtomId)>;
  /// Whether there is such a value, for a GetUnknown that creates values.
  using HasUnknown = std::function<bool(AtomId)>;

  NumberEmitter(mlir::OpBuilder &builder, mlir::Location loc,
                const Numbers &numbers, GetSymbol getSymbol,
                HasSymbol hasSymbol, GetUnknown getUnknown = {},
                HasUnknown hasUnknown = {}, Notation notation = Notation::Words)
      : builder(builder), loc(loc), numbers(numbers), notation(notation),
        getSymbol(std::move(getSymbol)), hasSymbol(std::move(hasSymbol)),
        getUnknown(std::move(getUnknown)), hasUnknown(std::move(hasUnknown)) {}

  void setLocation(mlir::Location location) { loc = location; }

  /// Whether all parts are known at run time. Only such numbers can be emitted.
  bool canEmit(const Number &number);
  bool canEmitCondition(ConditionId condition);

  /// An index.
  mlir::Value emit(const Number &number);
  /// The same for a message: the largest word if the number does not fit.
  mlir::Value emitShown(const Number &number);
  /// An i1.
  mlir::Value emitCondition(ConditionId condition);

private:
  bool canEmitAtom(AtomId id);
  mlir::Value emitTerms(const Number &number, bool wraps);
  Checked emitRead(const Number &number);
  Checked emitCheckedAtom(AtomId id);
  mlir::Value emitChecked(const Number &number, mlir::Value &fits);
  mlir::Value getFits(const Number &number);
  mlir::Value getAtomFits(AtomId id);
  Verdict makeVerdict(ConditionId id);
  Verdict compare(const Condition &condition);
  std::optional<Verdict> compareTerms(CheckedArithmetic &checked,
                                      mlir::arith::CmpIPredicate predicate,
                                      Number plus, Number minus);
  Verdict getVerdict(ConditionId id);
  mlir::Value emitAtom(AtomId id);
  mlir::Value makeAtom(AtomId id);
  mlir::Value emitQuotient(const Atom &atom, mlir::Value a, mlir::Value by);
  bool isPlain(const Atom &atom) const;
  mlir::Value makeConstant(int64_t value);
  mlir::Value makeSafe(const Atom &atom, mlir::Value a, mlir::Value by);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Numbers &numbers;
  Notation notation;
  GetSymbol getSymbol;
  HasSymbol hasSymbol;
  GetUnknown getUnknown;
  HasUnknown hasUnknown;
  // Parts are shared: each is visited and emitted once.
  llvm::DenseMap<AtomId, bool> knownAtoms;
  llvm::DenseMap<ConditionId, bool> knownConditions;
  llvm::DenseMap<AtomId, mlir::Value> atoms;
  llvm::DenseMap<ConditionId, Verdict> conditions;
  /// Whether all numbers that an atom reads are words; null if that is known.
  llvm::DenseMap<AtomId, mlir::Value> atomFits;
  std::map<Number, mlir::Value> sums;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBEREMITTER_H
