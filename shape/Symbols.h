//===- Symbols.h - named extents and what is known of them ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbols with their names, equalities (union-find) and facts: constants,
// bounds, "is not 1", "broadcasts against".
//
// Invariant: the representative of equal symbols is the one with the smallest
// number, whatever the order in which equalities came; the range of a class is
// never empty, and 1 is not one of its ends where the class is known not to be
// 1. A fact that contradicts other facts is refused without effect. If only its
// consequences contradict each other, these are dropped and isConsistent() is
// false from then on.
//
// A query takes time logarithmic in the number of symbols, and so does a fact,
// without the conclusions from it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_SYMBOLS_H
#define BROADLOOM_SHAPE_SYMBOLS_H

#include "shape/Answer.h"
#include "shape/Extent.h"

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace broadloom {

/// Values that an extent can have: lo <= extent <= hi, and not 1 if `notOne`.
struct ExtentRange {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  int64_t lo = 0;
  int64_t hi = kUnbounded;
  bool notOne = false;

  constexpr bool isConstant() const { return lo == hi; }
  constexpr bool isEmpty() const {
    return lo > hi || (notOne && lo == 1 && hi == 1);
  }
  constexpr bool excludesOne() const { return notOne || lo > 1 || hi < 1; }
  /// The intersection of both ranges; may be empty.
  ExtentRange intersect(ExtentRange other) const;
};

class Symbols {
public:
  /// A new symbol. Without a name it is written as `s` and its number.
  Extent create(std::string_view name = {});
  /// The symbol of that name: all uses of a name are one symbol (ext-1).
  Extent named(std::string_view name);
  size_t size() const { return parents_.size(); }
  std::string name(SymbolId id) const;

  /// Facts. `origin` is the origin of a fact ("argument 0, axis 1"), for the
  /// reasons shown to users. Each function returns proved if the fact was
  /// already known, unknown if it is new and now recorded, and refuted if it
  /// contradicts other facts. Nothing is recorded about `?`, for which the
  /// result is unknown.
  Answer assumeEqual(Extent a, Extent b, std::string_view origin = {});
  Answer assumeOne(Extent extent, std::string_view origin = {});
  Answer assumeNotOne(Extent extent, std::string_view origin = {});
  /// lo <= extent <= hi.
  Answer assumeBounds(Extent extent, int64_t lo, int64_t hi,
                      std::string_view origin = {});
  /// The two broadcast: equal, or one of them is 1 (a guard has passed, rt-8).
  Answer assumeCompatible(Extent a, Extent b, std::string_view origin = {});
  /// False if recorded facts contradict each other: code that relies on them is
  /// unreachable.
  bool isConsistent() const { return consistent_; }

  /// The simplest known form: the number if it is known, else the
  /// representative of equal symbols; `?` and others stay.
  Extent resolve(Extent extent) const;
  ExtentRange range(Extent extent) const;
  /// Whether recorded facts imply that two symbols broadcast, also through the
  /// members of joined symbols. `by` is set to such a fact, or to
  /// Answer::kNoFact if none is needed.
  bool knownCompatible(Extent a, Extent b, int32_t *by = nullptr) const;
  /// Number of the last fact about `extent`, or Answer::kNoFact.
  int32_t lastFact(Extent extent) const;
  /// A number for a fact that is recorded elsewhere.
  int32_t addFact(std::string_view origin);
  /// The origin of a fact; empty if unknown.
  std::string_view origin(int32_t fact) const;

  /// The symbol for the broadcast of symbols of which none is known to be
  /// different from 1 (bcast-2: "else a fresh symbol"). The same symbols give
  /// the same result, for any order or grouping (bcast-5). `withDynamic`: a `?`
  /// takes part, so that the symbol is always new. With more than kMaxMembers
  /// symbols, the new one has no members, and less is known of it.
  Extent join(const std::vector<Extent> &extents, bool withDynamic);
  static constexpr size_t kMaxMembers = 64;

  /// A point in time, for rollBack.
  size_t mark() const { return trail_.size(); }
  /// Forgets all facts and joins since `mark`, as at the end of a region that
  /// may not run (rt-8). Symbols stay.
  void rollBack(size_t mark);
  /// A value that changes with every added or removed fact and never repeats.
  std::pair<size_t, size_t> version() const {
    return {numRollBacks_, trail_.size()};
  }

private:
  /// The facts about a class of equal symbols; stored at the root of their
  /// tree.
  struct Class {
    ExtentRange range;
    int32_t fact = Answer::kNoFact;
    SymbolId smallest = 0;
    uint32_t size = 1;
    // The entries of compatible_ that name one of these symbols.
    std::vector<uint32_t> pairs;
  };

  /// Two extents that broadcast, by this fact.
  struct Pair {
    Extent a;
    Extent b;
    int32_t fact;
  };

  /// One change, with what was there before.
  struct Change {
    enum class Kind : uint8_t { Range, Union, Pair, Join, Inconsistent };
    Kind kind;
    SymbolId symbol = 0;
    // For a union: the root that was added to `symbol`'s tree, and the number
    // of pairs before.
    SymbolId child = 0;
    size_t numPairs = 0;
    Class before = {};
  };

  SymbolId find(SymbolId id) const;
  /// The smallest symbol that is equal to `id`.
  SymbolId representative(SymbolId id) const;
  bool isKnown(Extent extent) const;
  Answer narrow(Extent extent, ExtentRange range, std::string_view origin);
  void setRange(SymbolId root, ExtentRange range, int32_t fact);
  void setInconsistent();
  /// Makes one class of two; false where their ranges exclude each other.
  bool unite(SymbolId a, SymbolId b, int32_t fact);
  /// Draws conclusions from "broadcasts against" until there are no more.
  void propagate(int32_t fact);
  void concludePair(Extent a, Extent b, int32_t fact);
  bool knownPair(Extent a, Extent b, int32_t &fact) const;
  bool haveCommonAnchor(Extent a, Extent b, int32_t &fact) const;
  /// The symbols that a symbol was joined from, itself otherwise.
  std::vector<SymbolId> members(Extent extent) const;

  // Union-find trees. Without path compression, which rollBack could not undo;
  // by size, so that they stay low.
  std::vector<SymbolId> parents_;
  std::vector<Class> classes_;
  std::vector<std::string> names_;
  std::map<std::string, SymbolId, std::less<>> byName_;
  std::vector<Pair> compatible_;
  // Pairs from which something new may follow.
  std::vector<uint32_t> pending_;
  std::map<std::vector<SymbolId>, SymbolId> joins_;
  std::map<SymbolId, std::vector<SymbolId>> joinedFrom_;
  std::vector<std::string> origins_;
  std::vector<Change> trail_;
  // The number of calls of rollBack that removed facts.
  size_t numRollBacks_ = 0;
  bool consistent_ = true;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_SYMBOLS_H
