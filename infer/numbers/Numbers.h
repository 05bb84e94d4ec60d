//===- Numbers.h - integers that are known in part --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers and truth values that shape functions compute with (sf-6): sums
// of products of symbols, quotients, remainders, minima, and what is decided
// by a condition. A number that cannot be written as a sum of products is an
// atom of its own, equal to every number that is computed in the same way.
//
// Invariant: atoms and conditions mean something only together with the table
// that made them. What an atom says of itself holds wherever it is computed;
// what is learned of numbers is kept beside them, and a Scope takes it back
// (rt-8).
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
  /// Extents that are not known get symbols in `symbols`, which must live as
  /// long.
  explicit Numbers(Symbols &symbols);
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;

  /// A new symbol for `?`; what a symbol was made of by extentOf is seen again.
  Number numberOf(Extent extent);
  Number unknown(Bounds bounds = {});
  /// The same for a word.
  Number unknownWord(Bounds bounds = {});
  /// Says that an unknown number is a word.
  void setWord(AtomId atom);
  /// Any word, also the ends of the range.
  Number word(int64_t value);
  /// The value, where it is known.
  std::optional<int64_t> getWord(const Number &number) const;
  /// A static extent, a symbol, or a new symbol for this number and all equal
  /// ones. A number that is proved negative gives `?`.
  Extent extentOf(const Number &number);
  /// The number, in symbols that extentOf makes where it is long to write out.
  Number shorten(const Number &number);
  /// What extentOf, or a broadcast, made the symbol of.
  const Number *getDefinition(SymbolId symbol) const;
  /// Whether the table of symbols may know less of an extent than this one.
  bool mayKnowMore(Extent extent) const;
  /// The symbols of `parts`, of which those that are not 1 are equal, have been
  /// joined to the new symbol `joined`. bcast-2
  void defineJoin(Extent joined, const std::vector<Extent> &parts);

  /// Arithmetic. Where the exact result of constants does not fit 64 bits the
  /// flag of takeOverflow is set.
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

  /// Arithmetic of words, which wraps: the exact result where what is known
  /// says that it is a word, else a Kind::Word.
  Number addWords(const Number &a, const Number &b);
  Number subtractWords(const Number &a, const Number &b);
  Number multiplyWords(const Number &a, const Number &b);
  /// The word that is congruent to `number`.
  Number wrap(const Number &number);
  /// Whether what is known says that a number is a word.
  bool isWord(const Number &number) const {
    return wideBoundsOf(number).isInWord();
  }
  /// Whether no word of 64 bits can be the number, whatever its leaves are.
  bool isNoWord(const Number &number) const {
    WideBounds wide = naturalWideOf(number), word = WideBounds::ofWord();
    return wide.lo > word.hi || wide.hi < word.lo;
  }
  /// By what is known now.
  WideBounds wideBoundsOf(const Number &number) const;
  /// What must hold so that 64-bit arithmetic computes `number`: it is a word,
  /// and so is each part of it that is divided, compared or chosen. ext-5
  ConditionId isComputable(const Number &number);
  /// An extent of a tensor that exists is at most `most`, and so is the product
  /// of all extents of one `owner` that are not 0. Before it is a number. ext-5
  void limitExtent(Extent extent, int64_t most, uint32_t owner);

  /// By what is known now, and by the nature of its parts alone.
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
  /// The answer by all that is known now, with the fact that settled it.
  Answer decide(ConditionId condition) const;
  bool isNotNegative(const Number &number) const {
    return decideNotNegative(number).isProved();
  }

  /// Records that a condition holds from now on, for the time of the innermost
  /// Scope; `fact` is a number that Symbols::addFact gave.
  void assume(ConditionId condition, int32_t fact = Answer::kNoFact);
  /// The same; moreover what it says of single symbols is recorded in their
  /// table, where broadcasts look.
  void record(ConditionId condition, std::string_view origin);

  /// While it lives, what is assumed is assumed for its time only. Facts that
  /// `record` added to the table of symbols are taken back by their owner.
  class Scope {
  public:
    explicit Scope(Numbers &numbers) : numbers(numbers), mark(numbers.mark()) {}
    ~Scope() {
      if (!isKept)
        numbers.rollBack(mark);
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// What was learned holds behind it as well.
    void keep() { isKept = true; }

  private:
    Numbers &numbers;
    size_t mark;
    bool isKept = false;
  };

  const Atom &getAtom(AtomId atom) const { return atoms[atom]; }
  const Condition &getCondition(ConditionId id) const { return conditions[id]; }
  /// Calls `visit` once for each symbol and each unknown number that is in a
  /// number or a condition, also in atoms' parts.
  void forEachLeaf(const Number &number,
                   llvm::function_ref<void(AtomId)> visit) const;
  void forEachLeafOf(ConditionId condition,
                     llvm::function_ref<void(AtomId)> visit) const;
  /// How many facts there are; fewer only behind the end of a scope.
  size_t mark() const { return trail.size(); }
  /// How many atoms and conditions there are.
  size_t size() const { return atoms.size() + conditions.size(); }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const Prover &getProver() const { return prover; }

  /// `4`, `n`, `2*n + 1`, `(n + 1) / 4`; with `?` for what has no short name.
  std::string toString(const Number &number) const;
  /// With other names for symbols, and names for unknown numbers.
  std::string toString(const Number &number,
                       const std::function<std::string(AtomId)> &nameOf) const;
  /// `n = m`, `n mod 4 = 0 or n <= 3`; empty for what has no short text.
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

  // Bounds. `depth` says how far to look into atoms for what facts say of
  // their parts; 0 is their nature alone.
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
  void recordSymbols(ConditionId condition, std::string_view origin);
  /// The conditions that hold together where this one does.
  std::vector<ConditionId> getParts(ConditionId condition) const;
  void setForm(const Number &form, FormFact known);
  /// Records bounds that the number has whatever is assumed.
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
  /// Of an extent: how large it can be, and whose it is.
  struct Limit {
    int64_t most = 0;
    uint32_t owner = 0;
  };
  llvm::DenseMap<SymbolId, Limit> limits;
  bool overflow = false;

  using Forms = std::map<Number, FormFact>;
  Forms forms;
  /// Natural bounds of forms, and the forms in which an atom takes part.
  using FormLimits = std::map<Number, Bounds>;
  FormLimits formLimits;
  llvm::DenseMap<AtomId, std::vector<const FormLimits::value_type *>> limitsOf;
  llvm::DenseMap<ConditionId, std::pair<Truth, int32_t>> truths;
  /// The forms of more than one term in which an atom takes part.
  llvm::DenseMap<AtomId, std::vector<const Forms::value_type *>> formsOf;
  /// One fact, with what was known before; a null form is that of a condition.
  struct Change {
    const Number *form = nullptr;
    std::optional<FormFact> before;
    ConditionId condition = 0;
  };
  std::vector<Change> trail;
  /// What is known of atoms at each depth, by the facts of now. Many ways lead
  /// to an atom that others share, and many questions stand between two facts.
  struct Found {
    llvm::DenseMap<std::pair<AtomId, unsigned>, Bounds> bounds;
    llvm::DenseMap<std::pair<AtomId, unsigned>, WideBounds> wide;
    /// Of the table of symbols.
    std::pair<size_t, size_t> version;
  };
  mutable Found found;
  void forgetFound() const;
  /// Forgets what was found before the table of symbols has changed.
  void updateFound() const;
  /// How many queries the solver may still answer: it must not make the
  /// analysis of a long program slow.
  mutable unsigned solverBudget = 4096;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERS_H
