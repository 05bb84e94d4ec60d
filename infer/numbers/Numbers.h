//===- Numbers.h - integers that are known in part --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers and truth values of shape functions (sf-6): sums of products of
// symbols, quotients, remainders, minima, and choices by a condition. A number
// that cannot be written as a sum of products is an atom of its own, equal to
// every number that is computed in the same way.
//
// Invariant: atoms and conditions have a meaning only in the table that made
// them. The bounds of an atom hold wherever it is computed. Facts about numbers
// are kept separately, and a Scope takes them back (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERS_H
#define BROADLOOM_INFER_NUMBERS_NUMBERS_H

#include "infer/numbers/Number.h"
#include "shape/Prover.h"
#include "shape/Symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace broadloom::infer {

class Numbers {
public:
  /// Unknown extents get symbols in `symbols`, which must outlive this table.
  explicit Numbers(Symbols &symbols);
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;

  /// A new symbol for `?`; for a symbol of extentOf, the number that it was
  /// made of.
  Number numberOf(Extent extent);
  Number unknown(Bounds bounds = {});
  /// The same for a word.
  Number unknownWord(Bounds bounds = {});
  /// Declares that an unknown number is a word.
  void setWord(AtomId atom);
  /// A word, including the ends of the range.
  Number word(int64_t value);
  /// The value, where it is known.
  std::optional<int64_t> getWord(const Number &number) const;
  /// A static extent, a symbol, or a new symbol for this number and all equal
  /// ones. A number that is proved negative gives `?`.
  Extent extentOf(const Number &number);
  /// The number; if it is long, in terms of a symbol of extentOf.
  Number shorten(const Number &number);
  /// The number of which extentOf, or a broadcast, made the symbol.
  const Number *getDefinition(SymbolId symbol) const;
  /// Whether the table of symbols may know less of an extent than this one.
  bool mayKnowMore(Extent extent) const;
  /// Defines the new symbol `joined` as the broadcast of `parts`: those that
  /// are not 1 are equal. bcast-2
  void defineJoin(Extent joined, const std::vector<Extent> &parts);

  /// Arithmetic. If the exact result of constants does not fit 64 bits,
  /// takeOverflow returns true.
  Number add(const Number &a, const Number &b);
  Number subtract(const Number &a, const Number &b);
  Number multiply(const Number &a, const Number &b);
  /// Rounded down; the divisor must not be 0.
  Number divide(const Number &a, const Number &b);
  /// With the sign of the divisor, which must not be 0.
  Number remainder(const Number &a, const Number &b);
  /// Rounded toward 0.
  Number truncatedDivide(const Number &a, const Number &b);
  Number truncatedRemainder(const Number &a, const Number &b);
  Number minimum(const Number &a, const Number &b);
  Number maximum(const Number &a, const Number &b);
  Number bitAnd(const Number &a, const Number &b);
  Number select(ConditionId condition, const Number &a, const Number &b);
  bool takeOverflow() { return std::exchange(overflow, false); }

  /// Arithmetic of words, which wraps: the exact result if it is known to be a
  /// word, else a Kind::Word.
  Number addWords(const Number &a, const Number &b);
  Number subtractWords(const Number &a, const Number &b);
  Number multiplyWords(const Number &a, const Number &b);
  /// The word that is congruent to `number`.
  Number wrap(const Number &number);
  /// Whether a number is known to be a word.
  bool isWord(const Number &number) const {
    return wideBoundsOf(number).isInWord();
  }
  /// Whether the number is outside the 64-bit range for all values of its
  /// leaves.
  bool isNoWord(const Number &number) const {
    WideBounds wide = naturalWideOf(number), word = WideBounds::ofWord();
    return wide.lo > word.hi || wide.hi < word.lo;
  }
  /// With the current facts.
  WideBounds wideBoundsOf(const Number &number) const;
  /// The condition that 64-bit arithmetic computes `number`: it is a word, and
  /// so is each part of it that is divided, compared or chosen. ext-5
  ConditionId isComputable(const Number &number);
  /// Declares that an extent of an existing tensor is at most `most`, and that
  /// the same holds for the product of all extents of one `owner` that are not
  /// 0. To be called before numberOf. ext-5
  void limitExtent(Extent extent, int64_t most, uint32_t owner);

  /// The bounds with the current facts, and those that follow from the
  /// definitions of the parts alone.
  Bounds boundsOf(const Number &number) const;
  Bounds naturalBoundsOf(const Number &number) const;

  static constexpr ConditionId kFalse = 0;
  static constexpr ConditionId kTrue = 1;
  static constexpr ConditionId kUnknown = 2;
  ConditionId constant(bool value) const { return value ? kTrue : kFalse; }
  ConditionId equal(const Number &a, const Number &b);
  /// a <= b
  ConditionId atMost(const Number &a, const Number &b);
  /// a < b
  ConditionId lessThan(const Number &a, const Number &b);
  ConditionId both(ConditionId a, ConditionId b);
  ConditionId either(ConditionId a, ConditionId b);
  ConditionId negate(ConditionId a);
  Truth truthOf(ConditionId condition) const {
    return decide(condition).truth();
  }
  /// The answer with all current facts, and the fact that decided it, if one
  /// did alone.
  Answer decide(ConditionId condition) const;
  /// Whether anything is known of numbers but what follows from types.
  bool hasFacts() const { return !forms.empty() || symbols.mark() != 0; }
  bool isNotNegative(const Number &number) const {
    return decideNotNegative(number).isProved();
  }

  /// Records that a condition holds from now on, until the end of the innermost
  /// Scope; `fact` is a number that Symbols::addFact gave.
  void assume(ConditionId condition, int32_t fact = Answer::kNoFact);
  /// The same; conditions on single symbols are also recorded in the table of
  /// symbols, which broadcasts use.
  void record(ConditionId condition, std::string_view origin);

  /// Assumptions that are made while it lives are taken back at its end. The
  /// owner of the table of symbols takes back the facts that `record` added
  /// there.
  class Scope {
  public:
    explicit Scope(Numbers &numbers) : numbers(numbers), mark(numbers.mark()) {}
    ~Scope() {
      if (!isKept)
        numbers.rollBack(mark);
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// Keeps the facts beyond the end of the scope.
    void keep() { isKept = true; }

  private:
    Numbers &numbers;
    size_t mark;
    bool isKept = false;
  };

  const Atom &getAtom(AtomId atom) const { return atoms[atom]; }
  const Condition &getCondition(ConditionId id) const { return conditions[id]; }
  /// Calls `visit` once for each symbol and each unknown number in a number or
  /// a condition, including the parts of atoms.
  void forEachLeaf(const Number &number,
                   llvm::function_ref<void(AtomId)> visit) const;
  void forEachLeafOf(ConditionId condition,
                     llvm::function_ref<void(AtomId)> visit) const;
  /// The number of facts; it decreases only at the end of a scope.
  size_t mark() const { return trail.size(); }
  /// The number of atoms and conditions.
  size_t size() const { return atoms.size() + conditions.size(); }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const Prover &getProver() const { return prover; }

  /// `4`, `n`, `2*n + 1`, `(n + 1) / 4`; with `?` for numbers without a short
  /// name.
  std::string toString(const Number &number) const;
  /// With other names for symbols, and names for unknown numbers.
  std::string toString(const Number &number,
                       const std::function<std::string(AtomId)> &nameOf) const;
  /// `n = m`, `n mod 4 = 0 or n <= 3`; empty if there is no short text.
  std::string describe(ConditionId condition) const;

private:
  friend class AffineSolver;

  Number atomOf(Atom atom);
  Number single(AtomId atom) const;
  Number binary(Atom::Kind kind, const Number &a, const Number &b,
                Bounds bounds, ConditionId condition = 0);
  unsigned depthOf(const Number &number) const;
  Number checked(__int128 value);
  Number unwrap(const Number &number) const;
  Number pickWord(const Number &congruent, const Number &exact, bool isExact);
  WideBounds naturalWideOf(const Number &number) const;
  WideBounds wideOfParts(const Atom &atom, WideBounds a, WideBounds b) const;
  WideBounds wideOfSum(const Number &number,
                       llvm::function_ref<WideBounds(AtomId)> ofAtom) const;
  std::optional<Number> divideQuotient(const Number &number, int64_t by);
  std::string nameOfLeaf(AtomId id) const;

  // Bounds. `depth` is how deep to descend into atoms for facts about their
  // parts; 0 uses their definitions alone.
  Bounds boundsOf(const Number &number, unsigned depth) const;
  Bounds boundsOfAtom(AtomId id, unsigned depth) const;
  Bounds findBoundsOfAtom(AtomId id, unsigned depth) const;
  WideBounds wideBoundsOf(const Number &number, unsigned depth) const;
  WideBounds wideBoundsOfAtom(AtomId id, unsigned depth) const;
  WideBounds findWideBoundsOfAtom(AtomId id, unsigned depth) const;
  WideBounds wideByForms(AtomId id, unsigned depth) const;

  // Facts.
  ConditionId makeCondition(Condition condition);
  using Answers = llvm::DenseMap<ConditionId, Answer>;
  Answer decide(ConditionId condition, Answers &before) const;
  Answer decideZero(const Number &number) const;
  Answer decideNotNegative(const Number &number) const;
  std::optional<Number> renameFactors(const Number &number) const;
  Answer compareSymbols(const Number &number) const;
  Extent findExtent(const Number &number) const;
  const FormFact *findForm(const Number &form) const;
  void assumeForm(const Number &number, Bounds bounds, int32_t fact);
  void assumeDividend(const Number &form, Bounds bounds, int32_t fact);
  void assumeNotZero(const Number &number, int32_t fact);
  void assumeOne(ConditionId condition, int32_t fact);
  std::optional<std::pair<Extent, Extent>>
  findCompatible(ConditionId condition) const;
  void recordSymbols(ConditionId condition, std::string_view origin);
  /// The conditions whose conjunction this one is.
  std::vector<ConditionId> getParts(ConditionId condition) const;
  void setForm(const Number &form, FormFact known);
  /// Records bounds that hold independently of assumptions.
  void limitForm(const Number &number, Bounds bounds);
  void setTruth(ConditionId condition, Truth truth, int32_t fact);
  void rollBack(size_t mark);

  Symbols &symbols;
  SymbolProver prover;
  std::vector<Atom> atoms;
  std::vector<Condition> conditions;
  std::map<std::tuple<Atom::Kind, ConditionId, Number, Number>, AtomId>
      interned;
  std::map<std::tuple<Condition::Kind, Number, ConditionId, ConditionId>,
           ConditionId>
      internedConditions;
  llvm::DenseMap<SymbolId, AtomId> symbolAtoms;
  std::unordered_map<SymbolId, Number> definitions;
  std::unordered_map<SymbolId, Number> joins;
  std::map<Number, SymbolId> defined;
  /// The limit of an extent, and its owner.
  struct Limit {
    int64_t most = 0;
    uint32_t owner = 0;
  };
  llvm::DenseMap<SymbolId, Limit> limits;
  bool overflow = false;

  using Forms = std::map<Number, FormFact>;
  Forms forms;
  /// Natural bounds of forms, and the forms that contain an atom.
  using FormLimits = std::map<Number, Bounds>;
  FormLimits formLimits;
  llvm::DenseMap<AtomId, std::vector<const FormLimits::value_type *>> limitsOf;
  llvm::DenseMap<ConditionId, std::pair<Truth, int32_t>> truths;
  /// The forms of more than one term that contain an atom.
  llvm::DenseMap<AtomId, std::vector<const Forms::value_type *>> formsOf;
  /// A change by a fact, with the earlier state; the form is null for a
  /// condition.
  struct Change {
    const Number *form = nullptr;
    std::optional<FormFact> before;
    ConditionId condition = 0;
  };
  std::vector<Change> trail;
  /// A cache of the bounds of atoms at each depth, for the current facts:
  /// shared atoms are visited often, and many queries come between two facts.
  struct Found {
    llvm::DenseMap<std::pair<AtomId, unsigned>, Bounds> bounds;
    llvm::DenseMap<std::pair<AtomId, unsigned>, WideBounds> wide;
    /// Of the table of symbols.
    std::pair<size_t, size_t> version;
  };
  mutable Found found;
  void forgetFound() const;
  /// Clears the cache if the table of symbols has changed.
  void updateFound() const;
  /// How many queries the solver may still answer, so that the analysis of a
  /// long program stays fast.
  mutable unsigned solverBudget = 4096;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERS_H
