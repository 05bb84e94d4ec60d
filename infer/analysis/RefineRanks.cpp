//===- RefineRanks.cpp - ranks that follow from operands ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/RefineRanks.h"

#include "dialect/BroadcastableOpInterface.h"
#include "infer/analysis/CallSummaries.h"
#include "infer/analysis/RefineTypes.h"
#include "infer/analysis/ShapeWalk.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static bool isUnranked(Type type) { return isa<UnrankedTensorType>(type); }

bool infer::hasUnknownRank(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isUnranked) ||
         llvm::any_of(op->getResultTypes(), isUnranked);
}

namespace {

class RankingVisitor : public ShapeWalk::Visitor {
public:
  RankingVisitor(ShapeAnalysis &analysis, CallSummaries &calls,
                 TypeRefiner::Verify verifies)
      : Visitor(analysis), calls(calls), verifies(verifies),
        types(analysis, TypeRefiner::Precision::Ranks) {
    analysis.setBelieves(true);
  }

  void run(func::FuncOp func, bool certain) {
    for (BlockArgument argument : func.getArguments())
      if (auto extents = func.getArgAttrOfType<loom::ExtentsAttr>(
              argument.getArgNumber(), loom::ExtentsAttr::kKey);
          extents && isUnranked(argument.getType())) {
        SmallVector<int64_t> open(extents.getRank(), -1);
        analysis.setShape(argument,
                          Shape::fromIntegers(open.data(), open.size()));
      }
    ShapeWalk(*this).run(func, certain);
  }

private:
  void visit(Operation *op, bool certain) override {
    simulate(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.record(call, analysis, certain);
    if (!hasUnknownRank(op) || !analysis.hasFunction(op) ||
        rank(op, analysis, types) || rankByTypes(op))
      return;
    // Types alone refute what it requires: with the ranks of its operands, the
    // error can say why.
    types.refineOperands(op, /*casts=*/true);
  }

  /// False if the operation's requirements are refuted.
  bool rank(Operation *op, ShapeAnalysis &analysis, TypeRefiner &types) {
    std::optional<Outcome> outcome = analysis.evaluate(op);
    if (!outcome || outcome->error || outcome->truth == Truth::Refuted)
      return false;
    analysis.setResults(op, *outcome);
    // Some operands must have one element by their types. Where that is known,
    // it is in the types of all operands.
    TypeRefiner exact(analysis);
    for (TypeRefiner *operands : {&types, &exact})
      if (canRank(op, *outcome, *operands)) {
        operands->refineOperands(op, /*casts=*/true);
        refineResults(op, *outcome, types);
        break;
      }
    return true;
  }

  /// Whether the operation's verifier takes better types. Those of element-wise
  /// operations reject programs that the rules allow.
  bool canRank(Operation *op, const Outcome &outcome, TypeRefiner &types) {
    return isa<BroadcastableOpInterface>(op) ||
           types.staysValid(op, outcome, /*casts=*/true, verifies);
  }

  static void refineResults(Operation *op, const Outcome &outcome,
                            TypeRefiner &types) {
    if (op->getNumRegions() == 0)
      for (auto [result, components] :
           llvm::zip(op->getResults(), outcome.results))
        types.refineResult(result, getEncoding(components));
  }

  /// Where facts refute what the operation requires, it never runs, and is
  /// compiled all the same (ext-2): ranks follow from types alone.
  bool rankByTypes(Operation *op) {
    ShapeAnalysis alone(analysis.getLibrary());
    TypeRefiner ranks(alone, TypeRefiner::Precision::Ranks);
    bool isRanked = rank(op, alone, ranks);
    if (isRanked)
      analysis.forget(op);
    return isRanked;
  }

  CallSummaries &calls;
  TypeRefiner::Verify verifies;
  TypeRefiner types;
};

} // namespace

void infer::refineRanks(ModuleOp module, const ShapeLibrary &library,
                        TypeRefiner::Verify verifies) {
  CallSummaries calls(module, &library, /*believes=*/true);
  for (func::FuncOp func : calls.getCallersFirst()) {
    ShapeAnalysis analysis(&library, &calls);
    calls.enter(func, analysis);
    RankingVisitor(analysis, calls, verifies).run(func, calls.isCertain(func));
  }
}
