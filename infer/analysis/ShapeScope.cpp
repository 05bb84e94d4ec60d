//===- ShapeScope.cpp - what conditions say of shapes, and until when -----===//
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
    facts.learnRank(info.node, known->number);
}

ShapeAnalysis::Scope::Scope(ShapeAnalysis &analysis)
    : analysis(analysis), numbers(analysis.numbers),
      numbersMark(analysis.numbers.mark()),
      symbolsMark(analysis.symbols.mark()), factsMark(analysis.facts.mark()),
      firstNewSymbol(analysis.symbols.size()) {}

void ShapeAnalysis::Scope::keep() {
  isKept = true;
  numbers.keep();
}

ShapeAnalysis::Scope::~Scope() {
  if (isKept)
    return;
  if (analysis.numbers.mark() != numbersMark ||
      analysis.symbols.mark() != symbolsMark)
    analysis.outcomes.clear();
  analysis.symbols.rollBack(symbolsMark);
  analysis.facts.rollBack(factsMark, firstNewSymbol);
}
