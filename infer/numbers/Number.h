//===- Number.h - sums of products, and what they are made of ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the table of numbers (infer/numbers/Numbers.h): numbers, atoms,
// conditions, and bounds.
//
// Invariant: a Number is in normal form: two numbers of the same form are
// equal, and `n + n` and `2 * n` have the same form.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBER_H
#define BROADLOOM_INFER_NUMBERS_NUMBER_H

#include "shape/Prover.h"
#include "shape/Symbols.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace broadloom::infer {

using AtomId = uint32_t;
using ConditionId = uint32_t;

/// Sums have at most this many terms, and products this many atoms, so that
/// normal forms do not grow with the square of a program. What is longer
/// becomes an atom, and among words an unknown one.
constexpr size_t kMaxTerms = 16;
constexpr size_t kMaxDegree = 8;

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
inline bool operator!=(const Number &a, const Number &b) { return !(a == b); }

/// Whether -number has a normal form: a factor of a number modulo 2^64 may be
/// -2^63.
bool isNegatable(const Number &number);

/// Two numbers without minus signs, in their normal form, whose difference is
/// `number`.
std::pair<Number, Number> splitSigns(const Number &number);

/// lo <= number <= hi; the ends of int64_t stand for "no bound".
struct Bounds {
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t lo = -kNone;
  int64_t hi = kNone;

  Bounds intersect(Bounds other) const {
    return {std::max(lo, other.lo), std::min(hi, other.hi)};
  }
};

/// Bounds beyond the 64-bit range; 2^126 and its negative stand for "no bound".
struct WideBounds {
  static constexpr __int128 kNone = static_cast<__int128>(1) << 126;
  __int128 lo = -kNone;
  __int128 hi = kNone;

  /// The bounds of a word, a signed integer of 64 bits.
  static constexpr WideBounds ofWord() {
    return {std::numeric_limits<int64_t>::min(),
            std::numeric_limits<int64_t>::max()};
  }
  bool isInWord() const { return lo >= ofWord().lo && hi <= ofWord().hi; }
  WideBounds intersect(WideBounds other) const {
    return {std::max(lo, other.lo), std::min(hi, other.hi)};
  }
};

/// The kind of an atom.
struct Atom {
  enum class Kind : uint8_t {
    /// A number of which only bounds are known.
    Unknown,
    /// An extent.
    Symbol,
    /// The constant of `a`, an end of the 64-bit range. A Number cannot have it
    /// as its constant, because constants of Numbers can be negated.
    End,
    /// `a`, computed in 64 bits: the signed word that is congruent to it.
    Word,
    // Operations on `a` and `b`. Quotients are rounded down, remainders have
    // the sign of the divisor, except where they are truncated toward 0.
    Sum,
    Product,
    Quotient,
    Remainder,
    TruncatedQuotient,
    TruncatedRemainder,
    Minimum,
    Maximum,
    /// The bitwise conjunction of two numbers that are not negative.
    BitAnd,
    /// `a` if `condition` holds, else `b`.
    Select,
  };
  Kind kind = Kind::Unknown;
  SymbolId symbol = 0;
  ConditionId condition = 0;
  Number a;
  Number b;
  /// Bounds that follow from the atom's definition without facts about symbols:
  /// code that computes the atom may stand before the guards that establish
  /// facts.
  Bounds bounds;
  /// The same bounds, beyond the 64-bit range if need be.
  WideBounds wide;
  /// The nesting depth of atoms, which is limited because functions on atoms
  /// are recursive.
  unsigned depth = 0;

  /// Whether it contains no other atoms.
  bool isLeaf() const {
    return kind == Kind::Unknown || kind == Kind::Symbol || kind == Kind::End;
  }
};

/// A statement about numbers.
struct Condition {
  enum class Kind : uint8_t {
    False,
    True,
    /// Of unknown truth.
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
  unsigned depth = 0;
};

/// The facts about a form, which is a sum of terms without a constant whose
/// factors have no common divisor and whose first factor is positive: its
/// bounds, a few values that it does not have, and the numbers of the facts
/// that say so (Symbols::origin).
struct FormFact {
  Bounds bounds;
  int32_t atLeast = Answer::kNoFact, atMost = Answer::kNoFact;
  struct Other {
    int64_t value;
    int32_t fact;
  };
  std::vector<Other> notEqual;

  /// The fact for which the form is not `value`, if it is one.
  const int32_t *findOther(int64_t value) const {
    for (const Other &other : notEqual)
      if (other.value == value)
        return &other.fact;
    return nullptr;
  }
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBER_H
