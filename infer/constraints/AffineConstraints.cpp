//===- AffineConstraints.cpp - divisors of affine maps, steps of loops ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "scalar/AffineExpansion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Every divisor that is computed is at least 1.
static void constrainDivisors(ArrayRef<AffineExpr> expressions,
                              unsigned numDims, ValueRange operands,
                              ConstraintWriter &w) {
  for (AffineExpr expression : expressions)
    scalar::forEachOpenDivision(expression, [&](AffineBinaryOpExpr division) {
      Value by = scalar::expandAffine(w.getBuilder(), w.getLoc(),
                                      division.getRHS(), numDims, operands);
      std::string text;
      llvm::raw_string_ostream(text) << division;
      w.constrain(w.atMost(w.get(1), by),
                  "'" + text + "' divides by {0}, expected at least 1",
                  Index(by));
    });
}

static void constrainMap(AffineMap map, ValueRange operands,
                         ConstraintWriter &w) {
  constrainDivisors(map.getResults(), map.getNumDims(), operands, w);
}

/// The divisors of a delinearization.
static void constrainBasis(affine::AffineDelinearizeIndexOp op,
                           ConstraintWriter &w) {
  for (auto [i, base] : llvm::enumerate(op.getMixedBasis()))
    w.constrain(w.atMost(w.get(1), base),
                "number " + Twine(i) +
                    " of the basis is {0}, expected at least 1",
                base);
}

bool infer::constrainAffine(Operation *op, ConstraintWriter &w) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto of) {
            constrainMap(of.getAffineMap(), of->getOperands(), w);
            return true;
          })
      .Case<affine::AffineForOp>([&](auto loop) {
        constrainMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), w);
        constrainMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), w);
        if (loop.getStep().isZero())
          w.constrain(w.atMost(w.get(1), w.get(0)),
                      "the step of the loop is 0, expected at least 1", {});
        return true;
      })
      .Case<affine::AffineIfOp>([&](auto branch) {
        IntegerSet set = branch.getIntegerSet();
        constrainDivisors(set.getConstraints(), set.getNumDims(),
                          branch->getOperands(), w);
        return true;
      })
      .Case<affine::AffineDelinearizeIndexOp>([&](auto digits) {
        constrainBasis(digits, w);
        return true;
      })
      .Default([](Operation *) { return false; });
}
