//===- ShapeFacts.h - facts about shapes, with their trail ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about constructions of shapes that hold at one operation: ranks,
// broadcasts that are known to succeed, and the values that extents are read
// from. The trail takes them back, the last one first.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SHAPEFACTS_H
#define BROADLOOM_INFER_ANALYSIS_SHAPEFACTS_H

#include "infer/analysis/ShapeTable.h"
#include "shape/Symbols.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <set>
#include <vector>

namespace broadloom::infer {

/// Where a symbol's number is read if it cannot be computed: it is the extent
/// of `axis` of `node`, from the right as -1, -2, ... where the rank is not
/// known. `isKnown` is false for symbols that are only ever computed.
struct ExtentSource {
  NodeId node = 0;
  int64_t axis = 0;
  bool isKnown = false;
};

class ShapeFacts {
public:
  void learnRank(NodeId node, unsigned rank);
  std::optional<unsigned> getRank(NodeId node) const;

  /// `leaves` are those of a broadcast (ShapeTable::getLeaves).
  void learnBroadcast(std::vector<NodeId> leaves);
  bool isKnownToBroadcast(const std::vector<NodeId> &leaves) const;
  bool knowsBroadcasts() const { return !broadcasts.empty(); }

  /// Says where a symbol is read, if that is not known.
  void setSource(SymbolId symbol, NodeId node, int64_t axis);
  ExtentSource getSource(SymbolId symbol) const {
    return symbol < sources.size() ? sources[symbol] : ExtentSource();
  }
  /// The same, with the axis from the left once the rank is known.
  ExtentSource findSource(SymbolId symbol) const;

  /// The numbers of facts of each kind.
  struct Mark {
    size_t ranks, broadcasts, sources;
  };
  Mark mark() const {
    return {learnedRanks.size(), learnedBroadcasts.size(), sourced.size()};
  }
  /// Takes facts back. Of sources, those of symbols before `firstNew`: a value
  /// inside a region cannot be read outside.
  void rollBack(Mark mark, SymbolId firstNew);

private:
  llvm::DenseMap<NodeId, unsigned> ranks;
  std::set<std::vector<NodeId>> broadcasts;
  std::vector<ExtentSource> sources;
  // The trail: facts in the order in which they were learned.
  std::vector<NodeId> learnedRanks;
  std::vector<std::vector<NodeId>> learnedBroadcasts;
  std::vector<SymbolId> sourced;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SHAPEFACTS_H
