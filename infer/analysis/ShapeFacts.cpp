//===- ShapeFacts.cpp - facts about shapes, with their trail --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeFacts.h"

using namespace broadloom;
using namespace broadloom::infer;

void ShapeFacts::learnRank(NodeId node, unsigned rank) {
  if (ranks.try_emplace(node, rank).second)
    learnedRanks.push_back(node);
}

std::optional<unsigned> ShapeFacts::getRank(NodeId node) const {
  auto it = ranks.find(node);
  return it == ranks.end() ? std::nullopt : std::optional(it->second);
}

void ShapeFacts::learnBroadcast(std::vector<NodeId> leaves) {
  if (broadcasts.insert(leaves).second)
    learnedBroadcasts.push_back(std::move(leaves));
}

bool ShapeFacts::isKnownToBroadcast(const std::vector<NodeId> &leaves) const {
  return leaves.size() < 2 || broadcasts.count(leaves);
}

void ShapeFacts::setSource(SymbolId symbol, NodeId node, int64_t axis) {
  if (symbol >= sources.size())
    sources.resize(symbol + 1);
  if (sources[symbol].isKnown)
    return;
  sources[symbol] = {node, axis, true};
  sourced.push_back(symbol);
}

ExtentSource ShapeFacts::findSource(SymbolId symbol) const {
  ExtentSource source = getSource(symbol);
  if (source.isKnown && source.axis < 0)
    if (std::optional<unsigned> rank = getRank(source.node))
      source.axis += int64_t(*rank);
  return source;
}

void ShapeFacts::rollBack(Mark mark, SymbolId firstNew) {
  for (; sourced.size() > mark.sources; sourced.pop_back())
    if (sourced.back() < firstNew)
      sources[sourced.back()].isKnown = false;
  for (; learnedRanks.size() > mark.ranks; learnedRanks.pop_back())
    ranks.erase(learnedRanks.back());
  for (; learnedBroadcasts.size() > mark.broadcasts;
       learnedBroadcasts.pop_back())
    broadcasts.erase(learnedBroadcasts.back());
}
