//===- Obligations.cpp - what is left of an obligation --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/Obligations.h"

#include "dialect/LocationText.h"
#include "dialect/ShapeConversion.h"
#include "infer/report/ReportRow.h"
#include "shape/Verify.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool infer::isShapeObligation(Operation *op) {
  return isa<loom::ObligeBroadcastOp, loom::ObligeResultOp>(op);
}

StringRef infer::getObliger(Operation *op) {
  if (auto broadcast = dyn_cast<loom::ObligeBroadcastOp>(op))
    return broadcast.getOrigin();
  if (auto result = dyn_cast<loom::ObligeResultOp>(op))
    return result.getOrigin();
  return cast<loom::ObligeOp>(op).getOrigin();
}

std::string infer::getFactOrigin(Operation *op) {
  if (auto oblige = dyn_cast<loom::ObligeOp>(op); oblige && oblige.getPromise())
    return "by the promise that " + oblige.getPromise()->str();
  std::string location = getPlaceText(op->getLoc());
  return "by the guard of '" + getObliger(op).str() + "'" +
         (location.empty() ? "" : " at " + location);
}

static std::vector<ShapeView> getViews(ArrayRef<ShapeInfo> infos) {
  std::vector<ShapeView> views;
  for (const ShapeInfo &info : infos)
    views.push_back(info.shape);
  return views;
}

/// The shapes that matter to an obligation over shapes of unknown rank.
static std::vector<NodeId> getLeaves(const ShapeAnalysis &analysis,
                                     ArrayRef<ShapeInfo> operands) {
  SmallVector<NodeId> nodes;
  for (const ShapeInfo &operand : operands) {
    bool allOnes = operand.shape.isRanked() &&
                   llvm::all_of(operand.shape, [&](Extent extent) {
                     return analysis.getProver().isOne(extent).isProved();
                   });
    if (!allOnes)
      nodes.push_back(operand.node);
  }
  return analysis.getLeaves(nodes);
}

static Inquiry inquireBroadcast(ShapeAnalysis &analysis,
                                loom::ObligeBroadcastOp op) {
  Inquiry inquiry;
  for (Value shape : op.getShapes())
    inquiry.operands.push_back(analysis.getInfo(shape));
  Broadcast broadcast =
      broadloom::broadcast(getViews(inquiry.operands), analysis.getProver());
  inquiry.inferred.shape = std::move(broadcast.inferred);
  inquiry.answer = broadcast.answer;
  inquiry.error = broadcast.error;
  inquiry.open = std::move(broadcast.obligations);
  // What the runtime checks of shapes of unknown rank says nothing of symbols.
  if (inquiry.answer.isUnknown() &&
      (broadcast.hasUnranked || analysis.knowsBroadcasts()) &&
      analysis.isKnownToBroadcast(getLeaves(analysis, inquiry.operands))) {
    inquiry.answer = Answer::proved("the shapes are known to broadcast");
    inquiry.open.clear();
  }
  return inquiry;
}

static Inquiry inquireResult(ShapeAnalysis &analysis, loom::ObligeResultOp op) {
  Inquiry inquiry;
  inquiry.inferred = analysis.getInfo(op.getShape());
  // The message shows what the compared shape was broadcast from.
  if (auto broadcast = op.getShape().getDefiningOp<loom::BroadcastOp>())
    for (Value shape : broadcast.getShapes())
      inquiry.operands.push_back(analysis.getInfo(shape));
  else
    inquiry.operands.push_back(inquiry.inferred);

  std::optional<Shape> declared = shapeOf(op.getDeclared());
  // verify-2
  if (!declared || !declared->isRanked()) {
    inquiry.answer = Answer::proved("the declared result says nothing more");
    return inquiry;
  }
  inquiry.result = declared;
  ShapeInfo given = inquiry.inferred;
  if (!given.shape.isRanked()) {
    // verify-3, verify-4: the rank, and then the extents from the right.
    inquiry.answer = Answer::unknown("the rank of an operand is not known");
    inquiry.open.push_back(
        {Obligation::Kind::ResultRank,
         -1,
         {kInferred, -1, {}},
         {kResult, static_cast<int32_t>(declared->rank()), {}}});
    given.shape = Shape();
    for (int64_t axis = -static_cast<int64_t>(declared->rank()); axis < 0;
         ++axis)
      given.shape.push_back(analysis.getExtentFromRight(given.node, axis));
  }
  Verification verification =
      verifyBroadcast(getViews(given), declared->view(), analysis.getProver());
  if (verification.answer.isRefuted() || inquiry.open.empty())
    inquiry.answer = verification.answer;
  // The extents as they are, not as facts name them: a guard reads them.
  auto unresolve = [&](Obligation &obligation) {
    if (obligation.kind == Obligation::Kind::ResultExtent)
      obligation.a.extent = given.shape[obligation.axis];
  };
  inquiry.error = verification.error;
  if (inquiry.error) {
    unresolve(*inquiry.error);
    inquiry.open.clear();
    return inquiry;
  }
  llvm::for_each(verification.obligations, unresolve);
  llvm::append_range(inquiry.open, verification.obligations);
  return inquiry;
}

Inquiry infer::inquire(ShapeAnalysis &analysis, Operation *op) {
  if (auto broadcast = dyn_cast<loom::ObligeBroadcastOp>(op))
    return inquireBroadcast(analysis, broadcast);
  return inquireResult(analysis, cast<loom::ObligeResultOp>(op));
}

Answer infer::askAgain(const ShapeAnalysis &analysis, const Inquiry &inquiry,
                       const Obligation &obligation) {
  const Prover &prover = analysis.getProver();
  using Kind = Obligation::Kind;
  switch (obligation.kind) {
  case Kind::Compatible:
  case Kind::OneOrEqual:
    return prover.compatible(obligation.a.extent, obligation.b.extent);
  case Kind::Equal:
  case Kind::ResultExtent:
    return prover.equal(obligation.a.extent, obligation.b.extent);
  default:
    return inquiry.answer;
  }
}

void infer::establish(ShapeAnalysis &analysis, const Inquiry &inquiry,
                      const Obligation &obligation, std::string_view origin) {
  switch (obligation.kind) {
  case Obligation::Kind::Shapes:
    return analysis.learnBroadcast(getLeaves(analysis, inquiry.operands));
  case Obligation::Kind::ResultRank:
    return analysis.learnRank(inquiry.inferred.node, obligation.b.axis);
  default:
    learn(analysis.getSymbols(), obligation, origin);
    // What was computed from other extents is known by its numbers as well.
    if (obligation.kind == Obligation::Kind::Equal ||
        obligation.kind == Obligation::Kind::ResultExtent) {
      Numbers &numbers = analysis.getNumbers();
      analysis.learn(numbers.equal(numbers.numberOf(obligation.a.extent),
                                   numbers.numberOf(obligation.b.extent)),
                     origin);
    }
  }
}

std::string infer::explainProof(const ShapeAnalysis &analysis,
                                const Inquiry &inquiry) {
  const Prover &prover = analysis.getProver();
  std::optional<Answer> best;
  auto consider = [&](Answer answer) {
    if (answer.isProved() && (!best || best->fact() == Answer::kNoFact))
      best = answer;
  };
  // What a fact settles says more than what types do.
  auto compare = [&](ShapeView a, ShapeView b, bool equal) {
    for (size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
      Extent x = a[a.rank() - i], y = b[b.rank() - i];
      consider(equal ? prover.equal(x, y) : prover.compatible(x, y));
    }
  };
  if (inquiry.result)
    compare(inquiry.inferred.shape, *inquiry.result, /*equal=*/true);
  else
    for (size_t i = 1; i < inquiry.operands.size(); ++i)
      compare(inquiry.operands[i - 1].shape, inquiry.operands[i].shape,
              /*equal=*/false);
  return prover.explain(best.value_or(inquiry.answer));
}
