//===- Broadcast.cpp - broadcasting of shapes known in part ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Broadcast.h"

#include <algorithm>

namespace broadloom {
namespace {

/// One of the extents on an axis, without those proved to be 1.
struct Entry {
  Side side;
  /// The prover's name for the extent.
  Extent extent;
  bool notOne;
};

/// Decides one axis for the set of all its extents.
class AxisBroadcast {
public:
  AxisBroadcast(const Prover &prover, const BroadcastOptions &options,
                Broadcast &broadcast)
      : prover_(prover), options_(options), broadcast_(broadcast) {}

  void run(ShapeList operands, size_t rank, size_t axis) {
    collect(operands, rank, axis);
    checkPairs(static_cast<int32_t>(axis));
    findAnchor();
    if (!broadcast_.error)
      constrain(static_cast<int32_t>(axis));
    broadcast_.inferred[axis] = inferExtent();
  }

private:
  /// Collects the extents, without those proved to be 1 and without repeats.
  /// Each `?` stays, because it is not known to equal any other.
  void collect(ShapeList operands, size_t rank, size_t axis) {
    entries_.clear();
    for (size_t i = 0; i < operands.size(); ++i) {
      ShapeView shape = operands[i];
      if (!shape.isRanked() || axis < rank - shape.rank())
        continue;
      size_t own = axis - (rank - shape.rank());
      Extent extent = prover_.resolve(shape[own]);
      Answer one = prover_.isOne(extent);
      if (one.isProved() || (!extent.isDynamic() && isListed(extent)))
        continue;
      entries_.push_back(
          {{static_cast<int32_t>(i), static_cast<int32_t>(own), shape[own]},
           extent,
           one.isRefuted()});
    }
  }

  bool isListed(Extent extent) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry &e) { return e.extent == extent; });
  }

  /// Sets the error for the first two extents that cannot broadcast.
  void checkPairs(int32_t axis) {
    for (size_t j = 1; j < entries_.size() && !broadcast_.error; ++j)
      for (size_t i = 0; i < j; ++i) {
        if (entries_[i].extent.isDynamic() || entries_[j].extent.isDynamic())
          continue;
        Answer answer =
            prover_.compatible(entries_[i].extent, entries_[j].extent);
        if (!answer.isRefuted())
          continue;
        broadcast_.answer = answer;
        broadcast_.error =
            ShapeConstraint{ShapeConstraint::Kind::Compatible, axis,
                            entries_[i].side, entries_[j].side};
        return;
      }
  }

  /// The entry that is known not to be 1 and stands for the result: a static
  /// one, or the symbol with the smallest number.
  void findAnchor() {
    anchor_ = nullptr;
    for (const Entry &entry : entries_) {
      if (entry.extent.isStatic()) {
        anchor_ = &entry;
        return;
      }
      if (entry.notOne && entry.extent.isSymbol() &&
          (!anchor_ || entry.extent.symbolId() < anchor_->extent.symbolId()))
        anchor_ = &entry;
    }
  }

  void constrain(int32_t axis) {
    if (anchor_) {
      // Extents that are each 1 or equal to the anchor also broadcast with each
      // other.
      for (const Entry &entry : entries_)
        if (&entry != anchor_)
          constrainPair(axis, entry, *anchor_);
      return;
    }
    for (size_t j = 1; j < entries_.size(); ++j)
      for (size_t i = 0; i < j; ++i) {
        constrainPair(axis, entries_[i], entries_[j]);
        if (broadcast_.answer.isUnknown() && !options_.listConstraints)
          return;
      }
  }

  void constrainPair(int32_t axis, const Entry &a, const Entry &b) {
    Answer answer = prover_.compatible(a.extent, b.extent);
    if (answer.isProved())
      return;
    broadcast_.answer = answer;
    if (!options_.listConstraints)
      return;
    using Kind = ShapeConstraint::Kind;
    Kind kind = !b.notOne  ? Kind::Compatible
                : a.notOne ? Kind::Equal
                           : Kind::OneOrEqual;
    bool swap = kind != Kind::OneOrEqual && b.side.party < a.side.party;
    broadcast_.constraints.push_back(
        {kind, axis, swap ? b.side : a.side, swap ? a.side : b.side});
  }

  /// bcast-2 over the whole set.
  Extent inferExtent() const {
    if (anchor_)
      return anchor_->extent;
    if (entries_.empty())
      return Extent::fixed(1);
    if (entries_.size() == 1)
      return entries_.front().extent;
    std::vector<Extent> symbols;
    for (const Entry &entry : entries_)
      if (entry.extent.isSymbol())
        symbols.push_back(entry.extent);
    if (symbols.empty() || !options_.fresh)
      return Extent::dynamic();
    return options_.fresh->join(symbols, symbols.size() < entries_.size());
  }

  const Prover &prover_;
  const BroadcastOptions &options_;
  Broadcast &broadcast_;
  std::vector<Entry> entries_;
  const Entry *anchor_ = nullptr;
};

} // namespace

/// Whether all extents are proved to be 1, so that the shape broadcasts against
/// anything.
static bool isAllOnes(ShapeView shape, const Prover &prover) {
  return shape.isRanked() &&
         std::all_of(shape.begin(), shape.end(), [&](Extent extent) {
           return prover.isOne(extent).isProved();
         });
}

/// With an unranked operand, the only constraint is that all operands
/// broadcast; it includes all constraints on the others.
static void constrainUnranked(ShapeList operands, const Prover &prover,
                              Broadcast &broadcast) {
  broadcast.constraints.clear();
  size_t matter = static_cast<size_t>(
      std::count_if(operands.begin(), operands.end(), [&](ShapeView shape) {
        return !isAllOnes(shape, prover);
      }));
  if (matter < 2)
    return;
  broadcast.answer = Answer::unknown("the rank of an operand is not known");
  broadcast.constraints.push_back({ShapeConstraint::Kind::Shapes, -1, {}, {}});
}

Broadcast broadcast(ShapeList operands, const Prover &prover,
                    const BroadcastOptions &options) {
  Broadcast result;
  // bcast-1: the largest rank; shorter shapes are extended on the left by 1.
  size_t rank = 0;
  bool anyRanked = false;
  for (ShapeView shape : operands) {
    result.hasUnranked |= !shape.isRanked();
    anyRanked |= shape.isRanked();
    rank = std::max(rank, shape.rank());
  }
  if (anyRanked) {
    result.inferred = Shape();
    for (size_t axis = 0; axis < rank; ++axis)
      result.inferred.push_back(Extent::fixed(1));
    result.answer = Answer::proved("the operands broadcast");
    AxisBroadcast axisBroadcast(prover, options, result);
    for (size_t axis = 0; axis < rank; ++axis)
      axisBroadcast.run(operands, rank, axis);
  }
  if (result.error)
    result.constraints.clear();
  else if (result.hasUnranked)
    constrainUnranked(operands, prover, result);
  return result;
}

Answer learn(Symbols &symbols, const ShapeConstraint &constraint,
             std::string_view origin) {
  Extent a = constraint.a.extent, b = constraint.b.extent;
  switch (constraint.kind) {
  case ShapeConstraint::Kind::Compatible:
  case ShapeConstraint::Kind::OneOrEqual:
    return symbols.assumeCompatible(a, b, origin);
  case ShapeConstraint::Kind::Equal:
  case ShapeConstraint::Kind::ResultExtent:
    return symbols.assumeEqual(a, b, origin);
  default:
    return Answer::unknown("it says nothing of named extents");
  }
}

} // namespace broadloom
