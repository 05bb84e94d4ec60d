//===- ConstraintAnswers.cpp - what is left of a constraint ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ConstraintAnswers.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/LocationText.h"
#include "dialect/ShapeConversion.h"
#include "infer/report/ReportRow.h"
#include "shape/Verify.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool infer::isShapeConstraint(Operation *op) {
  return isa<loom::ConstrainBroadcastOp, loom::ConstrainResultOp>(op);
}

StringRef infer::getConstrainedOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<loom::ConstrainBroadcastOp, loom::ConstrainResultOp,
            loom::ConstrainOp, loom::RequireOp, loom::RequireBroadcastOp,
            loom::RequireFunctionOp>(
          [](auto constraint) { return constraint.getOrigin(); });
}

std::string infer::getFactOrigin(Operation *op) {
  if (auto constrain = dyn_cast<loom::ConstrainOp>(op);
      constrain && constrain.getPromise())
    return "by the promise that " + constrain.getPromise()->str();
  std::string location = getFileLocationText(op->getLoc());
  return "by the guard of '" + getConstrainedOperation(op).str() + "'" +
         (location.empty() ? "" : " at " + location);
}

static std::vector<ShapeView> getViews(ArrayRef<ShapeInfo> infos) {
  std::vector<ShapeView> views;
  for (const ShapeInfo &info : infos)
    views.push_back(info.shape);
  return views;
}

/// The shapes that matter to a constraint over shapes of unknown rank.
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
  return analysis.getTable().getLeaves(nodes);
}

static ConstraintAnswer inquireBroadcast(ShapeAnalysis &analysis,
                                         loom::ConstrainBroadcastOp op) {
  ConstraintAnswer answered;
  for (Value shape : op.getShapes())
    answered.operands.push_back(analysis.getInfo(shape));
  Broadcast broadcast =
      broadloom::broadcast(getViews(answered.operands), analysis.getProver());
  answered.inferred.shape = std::move(broadcast.inferred);
  answered.answer = broadcast.answer;
  answered.error = broadcast.error;
  answered.open = std::move(broadcast.constraints);
  // The runtime's check of shapes of unknown rank proves nothing about symbols.
  if (answered.answer.isUnknown() &&
      (broadcast.hasUnranked || analysis.getFacts().knowsBroadcasts()) &&
      analysis.getFacts().isKnownToBroadcast(
          getLeaves(analysis, answered.operands))) {
    answered.answer = Answer::proved("the shapes are known to broadcast");
    answered.open.clear();
  }
  return answered;
}

static ConstraintAnswer inquireResult(ShapeAnalysis &analysis,
                                      loom::ConstrainResultOp op) {
  ConstraintAnswer answered;
  answered.inferred = analysis.getInfo(op.getShape());
  // The message shows what the compared shape was broadcast from.
  if (auto broadcast = op.getShape().getDefiningOp<loom::BroadcastOp>())
    for (Value shape : broadcast.getShapes())
      answered.operands.push_back(analysis.getInfo(shape));
  else
    answered.operands.push_back(answered.inferred);

  std::optional<Shape> declared = shapeOf(op.getDeclared());
  // verify-2
  if (!declared || !declared->isRanked()) {
    answered.answer = Answer::proved("the declared result says nothing more");
    return answered;
  }
  answered.result = declared;
  ShapeInfo given = answered.inferred;
  if (!given.shape.isRanked()) {
    // verify-3, verify-4: the rank, and then the extents from the right.
    answered.answer = Answer::unknown("the rank of an operand is not known");
    answered.open.push_back(
        {ShapeConstraint::Kind::ResultRank,
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
  if (verification.answer.isRefuted() || answered.open.empty())
    answered.answer = verification.answer;
  // The original extents, not the names that facts give them, because a guard
  // reads them.
  auto unresolve = [&](ShapeConstraint &constraint) {
    if (constraint.kind == ShapeConstraint::Kind::ResultExtent)
      constraint.a.extent = given.shape[constraint.axis];
  };
  answered.error = verification.error;
  if (answered.error) {
    unresolve(*answered.error);
    answered.open.clear();
    return answered;
  }
  llvm::for_each(verification.constraints, unresolve);
  llvm::append_range(answered.open, verification.constraints);
  return answered;
}

ConstraintAnswer infer::answerConstraint(ShapeAnalysis &analysis,
                                         Operation *op) {
  if (auto broadcast = dyn_cast<loom::ConstrainBroadcastOp>(op))
    return inquireBroadcast(analysis, broadcast);
  return inquireResult(analysis, cast<loom::ConstrainResultOp>(op));
}

Answer infer::answerAgain(const ShapeAnalysis &analysis,
                          const ConstraintAnswer &answered,
                          const ShapeConstraint &constraint) {
  const Prover &prover = analysis.getProver();
  using Kind = ShapeConstraint::Kind;
  switch (constraint.kind) {
  case Kind::Compatible:
  case Kind::OneOrEqual:
    return prover.compatible(constraint.a.extent, constraint.b.extent);
  case Kind::Equal:
  case Kind::ResultExtent:
    return prover.equal(constraint.a.extent, constraint.b.extent);
  default:
    return answered.answer;
  }
}

void infer::establish(ShapeAnalysis &analysis, const ConstraintAnswer &answered,
                      const ShapeConstraint &constraint,
                      std::string_view origin) {
  switch (constraint.kind) {
  case ShapeConstraint::Kind::Shapes:
    return analysis.getFacts().learnBroadcast(
        getLeaves(analysis, answered.operands));
  case ShapeConstraint::Kind::ResultRank:
    return analysis.getFacts().learnRank(answered.inferred.node,
                                         constraint.b.axis);
  default:
    learn(analysis.getSymbols(), constraint, origin);
    // An extent that is computed from others is also known as a number.
    if (constraint.kind == ShapeConstraint::Kind::Equal ||
        constraint.kind == ShapeConstraint::Kind::ResultExtent) {
      Numbers &numbers = analysis.getNumbers();
      analysis.learn(equal(numbers, numberOf(numbers, constraint.a.extent),
                           numberOf(numbers, constraint.b.extent)),
                     origin);
    }
  }
}

std::string infer::explainProof(const ShapeAnalysis &analysis,
                                const ConstraintAnswer &answered) {
  const Prover &prover = analysis.getProver();
  std::optional<Answer> best;
  auto consider = [&](Answer answer) {
    if (answer.isProved() && (!best || best->fact() == Answer::kNoFact))
      best = answer;
  };
  // An answer by a fact is preferred to one by types.
  auto compare = [&](ShapeView a, ShapeView b, bool equal) {
    for (size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
      Extent x = a[a.rank() - i], y = b[b.rank() - i];
      consider(equal ? prover.equal(x, y) : prover.compatible(x, y));
    }
  };
  if (answered.result)
    compare(answered.inferred.shape, *answered.result, /*equal=*/true);
  else
    for (size_t i = 1; i < answered.operands.size(); ++i)
      compare(answered.operands[i - 1].shape, answered.operands[i].shape,
              /*equal=*/false);
  return prover.explain(best.value_or(answered.answer));
}
