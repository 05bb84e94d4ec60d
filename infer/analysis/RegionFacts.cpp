//===- RegionFacts.cpp - what holds inside regions ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/RegionFacts.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/LocationText.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

std::string infer::getConditionOrigin(Operation *op) {
  std::string location = getFileLocationText(op->getLoc());
  return "by the condition of '" + op->getName().getStringRef().str() + "'" +
         (location.empty() ? "" : " at " + location);
}

namespace {

class Learner {
public:
  Learner(ShapeAnalysis &analysis, Region &region)
      : analysis(analysis), scalars(analysis.getScalars()),
        numbers(analysis.getNumbers()), region(region),
        op(region.getParentOp()) {}

  void learn();

private:
  void assume(ConditionId condition) {
    analysis.learn(condition, getConditionOrigin(op));
  }
  /// `index` is in [from, to).
  void assumeBetween(Value index, const Number &from, const Number &to) {
    scalars.forget(index);
    Number number = scalars.getNumber(index);
    assume(atMost(numbers, from, number));
    assume(lessThan(numbers, number, to));
  }
  template <typename Loop> void assumeBounds(Loop loop) {
    for (auto [index, from, to] :
         llvm::zip(*loop.getLoopInductionVars(), *loop.getLoopLowerBounds(),
                   *loop.getLoopUpperBounds()))
      assumeBetween(index, scalars.getNumber(from), scalars.getNumber(to));
  }
  /// The region's arguments are the indices of the result's elements.
  void assumeElements(Value result);
  void assumeStructured(linalg::LinalgOp structured);

  ShapeAnalysis &analysis;
  ScalarAnalysis &scalars;
  Numbers &numbers;
  Region &region;
  Operation *op;
};

} // namespace

void Learner::assumeElements(Value result) {
  Shape shape = analysis.getInfo(result).shape;
  if (!shape.isRanked() || region.getNumArguments() != shape.rank())
    return;
  for (auto [index, extent] : llvm::zip_equal(region.getArguments(), shape))
    assumeBetween(index, Number(0), numberOf(numbers, extent));
}

/// A loop has the extent of each axis that it iterates over; guards have
/// checked that the operands agree.
void Learner::assumeStructured(linalg::LinalgOp structured) {
  region.walk([&](linalg::IndexOp index) {
    if (index->getParentOp() != op)
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      Shape shape = analysis.getInfo(operand.get()).shape;
      AffineMap map = structured.getMatchingIndexingMap(&operand);
      auto axis = map.getResultPosition(
          getAffineDimExpr(index.getDim(), op->getContext()));
      if (!axis || !shape.isRanked() || shape.rank() != map.getNumResults())
        continue;
      return assumeBetween(index.getResult(), Number(0),
                           numberOf(numbers, shape[*axis]));
    }
  });
}

void Learner::learn() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp conditional) {
        ConditionId holds = scalars.getCondition(conditional.getCondition());
        assume(region.getRegionNumber() == 0 ? holds : numbers.negate(holds));
      })
      .Case([&](scf::WhileOp loop) {
        if (&region == &loop.getAfter())
          assume(scalars.getCondition(loop.getConditionOp().getCondition()));
      })
      .Case([&](scf::ForOp loop) {
        if (loop.getUnsignedCmp())
          return scalars.forget(loop.getInductionVar());
        assumeBounds(loop);
      })
      .Case([&](scf::ForallOp loop) { assumeBounds(loop); })
      .Case([&](scf::IndexSwitchOp choice) {
        unsigned number = region.getRegionNumber();
        if (number > 0)
          assume(equal(numbers, scalars.getNumber(choice.getArg()),
                       numbers.word(choice.getCases()[number - 1])));
      })
      .Case<tensor::GenerateOp, tensor::PadOp>(
          [&](auto made) { assumeElements(made.getResult()); })
      .Case([&](linalg::LinalgOp structured) { assumeStructured(structured); });
}

void infer::learnInRegion(ShapeAnalysis &analysis, Region &region) {
  Learner(analysis, region).learn();
}
