//===- ShapeFacts.cpp - facts about shapes, and their scopes --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeAnalysis.h"

#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void ShapeAnalysis::learnRank(NodeId node, unsigned rank) {
  if (ranks.try_emplace(node, rank).second)
    learnedRanks.push_back(node);
}

std::optional<RankCondition> infer::matchRank(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return std::nullopt;
  auto rank = compare.getLhs().getDefiningOp<loom::RankOp>();
  APInt number;
  if (!rank || !matchPattern(compare.getRhs(), m_ConstantInt(&number)) ||
      number.ugt(BROADLOOM_MAX_RANK))
    return std::nullopt;
  return RankCondition{rank, unsigned(number.getZExtValue())};
}

void ShapeAnalysis::learn(Value condition, std::string_view origin) {
  learn(scalars.getCondition(condition), origin);
  auto known = matchRank(condition);
  if (!known)
    return;
  ShapeInfo info = getInfo(known->rank.getShape());
  if (!info.shape.isRanked())
    learnRank(info.node, known->number);
}

ExtentSource ShapeAnalysis::findSource(SymbolId symbol) const {
  ExtentSource source = getSource(symbol);
  if (source.isKnown && source.axis < 0)
    if (auto rank = ranks.find(source.node); rank != ranks.end())
      source.axis += int64_t(rank->second);
  return source;
}

void ShapeAnalysis::learnBroadcast(std::vector<NodeId> leaves) {
  if (knownBroadcasts.insert(leaves).second)
    learnedBroadcasts.push_back(std::move(leaves));
}

bool ShapeAnalysis::isKnownToBroadcast(
    const std::vector<NodeId> &leaves) const {
  return leaves.size() < 2 || knownBroadcasts.count(leaves);
}

ShapeAnalysis::Scope::Scope(ShapeAnalysis &analysis)
    : analysis(analysis), numbers(analysis.numbers),
      numbersMark(analysis.numbers.mark()),
      symbolsMark(analysis.symbols.mark()),
      ranksMark(analysis.learnedRanks.size()),
      broadcastsMark(analysis.learnedBroadcasts.size()),
      firstNewSymbol(analysis.symbols.size()),
      sourcesMark(analysis.sourced.size()) {}

void ShapeAnalysis::Scope::keep() {
  isKept = true;
  numbers.keep();
}

ShapeAnalysis::Scope::~Scope() {
  if (isKept)
    return;
  // A value inside the region cannot be read outside.
  for (; analysis.sourced.size() > sourcesMark; analysis.sourced.pop_back())
    if (analysis.sourced.back() < firstNewSymbol)
      analysis.sources[analysis.sourced.back()].isKnown = false;
  if (analysis.numbers.mark() != numbersMark ||
      analysis.symbols.mark() != symbolsMark)
    analysis.outcomes.clear();
  analysis.symbols.rollBack(symbolsMark);
  for (; analysis.learnedRanks.size() > ranksMark;
       analysis.learnedRanks.pop_back())
    analysis.ranks.erase(analysis.learnedRanks.back());
  for (; analysis.learnedBroadcasts.size() > broadcastsMark;
       analysis.learnedBroadcasts.pop_back())
    analysis.knownBroadcasts.erase(analysis.learnedBroadcasts.back());
}
