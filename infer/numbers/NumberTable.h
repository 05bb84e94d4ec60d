//===- NumberTable.h - interned numbers and conditions ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interns the atoms and conditions that numbers are made of, with the bounds
// that follow from their definitions alone. The table only grows: an atom means
// the same wherever it is used. The facts that hold at one operation are kept
// apart (NumberFacts.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERTABLE_H
#define BROADLOOM_INFER_NUMBERS_NUMBERTABLE_H

#include "infer/numbers/Number.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace broadloom::infer {

/// The number of one atom.
Number makeSingle(AtomId atom);

/// The bounds of an atom that follow from the bounds of its parts.
WideBounds wideOfParts(const Atom &atom, WideBounds a, WideBounds b);

class NumberTable {
public:
  NumberTable();
  NumberTable(const NumberTable &) = delete;
  NumberTable &operator=(const NumberTable &) = delete;

  // Atoms.
  const Atom &getAtom(AtomId atom) const { return atoms[atom]; }
  /// A new number of which only bounds are known.
  Number unknown(Bounds bounds = {});
  /// The same for a word.
  Number unknownWord(Bounds bounds = {});
  /// Declares that an unknown number is a word.
  void setWord(AtomId atom);
  /// A word, including the ends of the range.
  Number word(int64_t value);
  /// The value, where it is known.
  std::optional<int64_t> getWord(const Number &number) const;
  /// A new atom for a symbol.
  AtomId addSymbol(SymbolId symbol, Bounds bounds, WideBounds wide);
  /// The atom of an operation on `a` and `b`, or the only value that its bounds
  /// allow. An atom that is nested too deep becomes an unknown number.
  Number makeAtom(Atom::Kind kind, const Number &a, const Number &b,
                  Bounds bounds, ConditionId condition = 0);
  /// The atom of an operation, if it exists.
  std::optional<AtomId> findAtom(Atom::Kind kind, const Number &a,
                                 const Number &b) const;
  /// How deep the atoms of a number are nested.
  unsigned depthOf(const Number &number) const;

  // Conditions.
  static constexpr ConditionId kFalse = 0;
  static constexpr ConditionId kTrue = 1;
  static constexpr ConditionId kUnknown = 2;
  static ConditionId constant(bool value) { return value ? kTrue : kFalse; }
  const Condition &getCondition(ConditionId id) const { return conditions[id]; }
  /// The interned condition; kUnknown if it is nested too deep.
  ConditionId makeCondition(Condition condition);
  ConditionId both(ConditionId a, ConditionId b);
  ConditionId either(ConditionId a, ConditionId b);
  ConditionId negate(ConditionId a);
  /// The conditions whose conjunction this one is.
  std::vector<ConditionId> getParts(ConditionId condition) const;

  /// The number of atoms and conditions.
  size_t size() const { return atoms.size() + conditions.size(); }

  // Bounds that follow from the definitions of a number's parts.
  Bounds naturalBoundsOf(const Number &number) const;
  WideBounds naturalWideOf(const Number &number) const;
  /// The bounds of a number whose atoms have the bounds `ofAtom`.
  WideBounds wideOfSum(const Number &number,
                       llvm::function_ref<WideBounds(AtomId)> ofAtom) const;
  /// Whether the number is outside the 64-bit range for all values of its
  /// leaves.
  bool isNoWord(const Number &number) const {
    WideBounds wide = naturalWideOf(number), word = WideBounds::ofWord();
    return wide.lo > word.hi || wide.hi < word.lo;
  }

  /// Declares that an extent of an existing tensor is at most `most`, and that
  /// the same holds for the product of all extents of one `owner` that are not
  /// 0. To be called before a number is made of the extent. ext-5
  void limitExtent(Extent extent, int64_t most, uint32_t owner);
  /// The greatest value of an extent, if that is limited.
  std::optional<int64_t> getLimit(SymbolId symbol) const;
  /// Declares bounds of a number that do not follow from those of its atoms.
  void limitForm(const Number &number, Bounds bounds);
  using FormLimits = std::map<Number, Bounds>;
  /// Whether any number has such bounds, and whether this one may.
  bool hasLimits() const { return !limitsOf.empty(); }
  bool mayHaveLimit(const Number &number) const;
  /// The declared bounds of a form; null if there are none.
  const Bounds *findLimit(const Number &form) const;
  /// The forms with declared bounds that contain an atom.
  llvm::ArrayRef<const FormLimits::value_type *> getLimits(AtomId atom) const;
  /// A number that changes when the bounds of an existing number do.
  size_t getVersion() const { return version; }

private:
  Number addAtom(Atom atom);

  std::vector<Atom> atoms;
  std::vector<Condition> conditions;
  std::map<std::tuple<Atom::Kind, ConditionId, Number, Number>, AtomId>
      interned;
  std::map<std::tuple<Condition::Kind, Number, ConditionId, ConditionId>,
           ConditionId>
      internedConditions;
  /// The limit of an extent, and its owner.
  struct Limit {
    int64_t most = 0;
    uint32_t owner = 0;
  };
  llvm::DenseMap<SymbolId, Limit> extentLimits;
  FormLimits formLimits;
  llvm::DenseMap<AtomId, std::vector<const FormLimits::value_type *>> limitsOf;
  size_t version = 0;
};

/// Calls `visit` once for each symbol and each unknown number in a number or
/// a condition, including the parts of atoms.
void forEachLeaf(const NumberTable &table, const Number &number,
                 llvm::function_ref<void(AtomId)> visit);
void forEachLeafOf(const NumberTable &table, ConditionId condition,
                   llvm::function_ref<void(AtomId)> visit);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERTABLE_H
