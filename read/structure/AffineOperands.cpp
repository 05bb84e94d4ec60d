//===- AffineOperands.cpp - operands of affine operations -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/AffineOperands.h"

#include "dialect/ArgumentName.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;

/// The first `numDims` operands are dimensions, the others symbols. Without
/// `instead`, which tells what takes any number, the operation itself does.
static LogicalResult check(Operation *op, unsigned numDims, ValueRange operands,
                           StringRef instead) {
  Region *scope = affine::getAffineScope(op);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isDim = affine::isValidDim(operand, scope);
    if (!operand.getType().isIndex() ||
        (i < numDims ? isDim : affine::isValidSymbol(operand, scope)) ||
        (instead.empty() && !isDim))
      continue;
    std::string name = loom::getValueName(operand);
    InFlightDiagnostic error = op->emitOpError("has ");
    error << (name.empty() ? "an operand" : name);
    if (isDim)
      return error << " as a symbol, but loops change it; give it as a "
                      "dimension: affine_map<(d0) -> (d0)>("
                   << (name.empty() ? "%i" : name) << ")";
    return error << " in its map, which takes variables of affine loops, "
                    "numbers that are known in front of all loops, and what "
                    "'affine.apply' computes of these; use "
                 << instead;
  }
  return success();
}

LogicalResult read::checkAffineOperands(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](affine::AffineForOp loop) -> LogicalResult {
        StringRef instead = "'scf.for'";
        if (failed(check(loop, loop.getLowerBoundMap().getNumDims(),
                         loop.getLowerBoundOperands(), instead)))
          return failure();
        return check(loop, loop.getUpperBoundMap().getNumDims(),
                     loop.getUpperBoundOperands(), instead);
      })
      .Case([](affine::AffineIfOp branch) {
        return check(branch, branch.getIntegerSet().getNumDims(),
                     branch->getOperands(), "'scf.if'");
      })
      .Case([](affine::AffineApplyOp apply) {
        return check(apply, apply.getAffineMap().getNumDims(),
                     apply.getMapOperands(), /*instead=*/"");
      })
      .Default([](Operation *) { return success(); });
}
