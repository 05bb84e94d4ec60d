//===- SymbolPairs.cpp - symbols that broadcast with each other -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Symbols.h"

#include <algorithm>

namespace broadloom {

bool Symbols::knownPair(Extent a, Extent b, int32_t &fact) const {
  Extent shortA = resolve(a), shortB = resolve(b);
  if (shortA == shortB || shortA.isFixed(1) || shortB.isFixed(1))
    return true;
  // A pair is listed with both of its symbols, so that one list is enough.
  const std::vector<uint32_t> *pairs = nullptr;
  for (Extent extent : {a, b}) {
    if (!isKnown(extent))
      continue;
    const std::vector<uint32_t> &own = classes_[find(extent.symbolId())].pairs;
    if (!pairs || own.size() < pairs->size())
      pairs = &own;
  }
  return pairs && std::any_of(pairs->begin(), pairs->end(), [&](uint32_t pair) {
           Extent first = resolve(compatible_[pair].a);
           Extent second = resolve(compatible_[pair].b);
           fact = compatible_[pair].fact;
           return (first == shortA && second == shortB) ||
                  (first == shortB && second == shortA);
         });
}

std::vector<SymbolId> Symbols::members(Extent extent) const {
  for (SymbolId id : {extent.symbolId(), representative(extent.symbolId())})
    if (auto found = joinedFrom_.find(id); found != joinedFrom_.end())
      return found->second;
  return {extent.symbolId()};
}

/// Whether both are known to broadcast against one extent that is not 1, so
/// that each is 1 or that extent. Uses at most kMaxMembers facts.
bool Symbols::haveCommonAnchor(Extent a, Extent b, int32_t &fact) const {
  std::vector<Extent> anchors;
  auto forEachAnchor = [&](Extent extent, auto visit) {
    SymbolId root = find(extent.symbolId());
    const std::vector<uint32_t> &pairs = classes_[root].pairs;
    for (size_t i = 0; i < std::min(pairs.size(), kMaxMembers); ++i) {
      const Pair &pair = compatible_[pairs[i]];
      bool isFirst = isKnown(pair.a) && find(pair.a.symbolId()) == root;
      Extent anchor = resolve(isFirst ? pair.b : pair.a);
      fact = pair.fact;
      if (range(anchor).excludesOne() && visit(anchor))
        return true;
    }
    return false;
  };
  forEachAnchor(a, [&](Extent anchor) {
    anchors.push_back(anchor);
    return false;
  });
  return forEachAnchor(b, [&](Extent anchor) {
    return std::find(anchors.begin(), anchors.end(), anchor) != anchors.end();
  });
}

bool Symbols::knownCompatible(Extent a, Extent b, int32_t *by) const {
  int32_t unused;
  int32_t &fact = by ? *by : unused;
  fact = Answer::kNoFact;
  if (a.isDynamic() || b.isDynamic())
    return false;
  if (knownPair(a, b, fact))
    return true;
  if (!isKnown(a) || !isKnown(b))
    return false;
  if (haveCommonAnchor(a, b, fact))
    return true;
  // A joined symbol exists only where all its members broadcast. It then
  // broadcasts against every extent against which all members broadcast.
  std::vector<SymbolId> ofA = members(a), ofB = members(b);
  auto contains = [](const std::vector<SymbolId> &ids, SymbolId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (SymbolId x : ofA)
    for (SymbolId y : ofB)
      if (!contains(ofA, y) && !contains(ofB, x) &&
          !knownPair(Extent::symbol(x), Extent::symbol(y), fact))
        return false;
  return true;
}

Extent Symbols::join(const std::vector<Extent> &extents, bool withDynamic) {
  std::vector<SymbolId> key;
  for (Extent extent : extents) {
    // A symbol of another table is treated as `?`.
    withDynamic |= !isKnown(extent);
    if (isKnown(extent))
      for (SymbolId id : members(extent))
        key.push_back(representative(id));
  }
  std::sort(key.begin(), key.end());
  key.erase(std::unique(key.begin(), key.end()), key.end());
  if (key.empty())
    return create();
  if (!withDynamic) {
    if (key.size() == 1)
      return Extent::symbol(key.front());
    if (auto found = joins_.find(key); found != joins_.end())
      return Extent::symbol(found->second);
  }
  Extent joined = create();
  if (withDynamic) {
    // The new symbol stands for the `?` among its members.
    key.push_back(joined.symbolId());
  } else {
    // It equals one of its members, so that it is within the hull of their
    // ranges.
    ExtentRange hull = range(Extent::symbol(key.front()));
    for (SymbolId id : key) {
      ExtentRange next = range(Extent::symbol(id));
      hull.lo = std::min(hull.lo, next.lo);
      hull.hi = std::max(hull.hi, next.hi);
    }
    hull.notOne = false;
    classes_[joined.symbolId()].range = hull;
  }
  if (key.size() > kMaxMembers)
    return joined;
  trail_.push_back({Change::Kind::Join, joined.symbolId()});
  joins_.emplace(key, joined.symbolId());
  joinedFrom_.emplace(joined.symbolId(), std::move(key));
  return joined;
}

} // namespace broadloom
