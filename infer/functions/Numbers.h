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
// Invariant: a Number is in normal form: two that are written the same are
// equal, and `n + n` and `2 * n` are written the same. Atoms and conditions
// mean something only together with the table that made them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_NUMBERS_H
#define BROADLOOM_INFER_FUNCTIONS_NUMBERS_H

#include "shape/Prover.h"
#include "shape/Symbols.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace broadloom::infer {

using AtomId = uint32_t;
using ConditionId = uint32_t;

/// A product of atoms, in ascending order, times a factor that is not 0.
struct Term {
  std::vector<AtomId> atoms;
  int64_t factor = 0;
};

bool operator==(const Term &a, const Term &b);
bool operator<(const Term &a, const Term &b);

/// A constant and a sum of terms, in ascending order of their atoms.
class Number {
public:
  Number() = default;
  explicit Number(int64_t constant) : constant(constant) {}

  bool isConstant() const { return terms.empty(); }
  bool isConstant(int64_t n) const { return terms.empty() && constant == n; }

  int64_t constant = 0;
  std::vector<Term> terms;
};

bool operator==(const Number &a, const Number &b);
bool operator<(const Number &a, const Number &b);

/// lo <= number <= hi; the ends of int64_t stand for "no bound".
struct Bounds {
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t lo = -kNone;
  int64_t hi = kNone;
};

/// What an atom is.
struct Atom {
  enum class Kind : uint8_t {
    /// Something about which no more is known than its bounds.
    Unknown,
    /// An extent.
    Symbol,
    // Of `a` and `b`. Quotients are rounded down, remainders have the sign of
    // the divisor, except where they are truncated toward 0.
    Sum,
    Product,
    Quotient,
    Remainder,
    TruncatedQuotient,
    TruncatedRemainder,
    Minimum,
    Maximum,
    /// Of two numbers that are not negative, bit by bit.
    BitAnd,
    /// `a` where `condition` holds, else `b`.
    Select,
  };
  Kind kind = Kind::Unknown;
  SymbolId symbol = 0;
  ConditionId condition = 0;
  Number a;
  Number b;
  Bounds bounds;
};

/// A statement about numbers.
struct Condition {
  enum class Kind : uint8_t {
    False,
    True,
    /// Nothing is known of it.
    Unknown,
    /// `number` is 0.
    Zero,
    /// `number` is not negative.
    NotNegative,
    And,
    Or,
    Not,
  };
  Kind kind = Kind::Unknown;
  Number number;
  ConditionId a = 0;
  ConditionId b = 0;
  Truth truth = Truth::Unknown;
};

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
  /// A static extent, a symbol, or a new symbol for this number and all equal
  /// ones. A number that is proved negative gives `?`.
  Extent extentOf(const Number &number);
  /// What extentOf, or a broadcast, made the symbol of.
  const Number *getDefinition(SymbolId symbol) const;
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

  Bounds boundsOf(const Number &number) const;

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
    return conditions[condition].truth;
  }
  /// The same where, moreover, none of `facts` is negative.
  Truth truthUnder(ConditionId condition,
                   const std::vector<Number> &facts) const;
  /// Whether a number is not negative where none of `facts` is.
  bool isNotNegative(const Number &number, const std::vector<Number> &facts,
                     unsigned depth = 4) const;
  /// Adds to `facts` what the condition says of numbers that are not negative.
  void addFacts(ConditionId condition, std::vector<Number> &facts);

  const Atom &getAtom(AtomId atom) const { return atoms[atom]; }
  const Condition &getCondition(ConditionId id) const { return conditions[id]; }
  /// How many atoms and conditions there are.
  size_t size() const { return atoms.size() + conditions.size(); }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const Prover &getProver() const { return prover; }

  /// `4`, `n`, `2*n + 1`, `n*m / 4`; `?` for what has no short name.
  std::string toString(const Number &number) const;

private:
  Number atomOf(Atom atom);
  Number single(AtomId atom) const;
  Number binary(Atom::Kind kind, const Number &a, const Number &b,
                Bounds bounds);
  Number checked(__int128 value);
  Bounds boundsOfProduct(const Term &term) const;
  Truth truthOfZero(const Number &number) const;
  ConditionId makeCondition(Condition condition);

  Symbols &symbols;
  SymbolProver prover;
  std::vector<Atom> atoms;
  std::vector<Condition> conditions;
  std::map<std::tuple<Atom::Kind, ConditionId, Number, Number>, AtomId>
      interned;
  std::map<SymbolId, AtomId> symbolAtoms;
  std::map<SymbolId, Number> definitions;
  std::map<SymbolId, Number> joins;
  std::map<Number, SymbolId> defined;
  bool overflow = false;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_NUMBERS_H
