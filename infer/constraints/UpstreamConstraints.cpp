//===- UpstreamConstraints.cpp - constraints beside TOSA's ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/UpstreamConstraints.h"

#include "infer/constraints/ConstraintWriter.h"
#include "infer/functions/Origin.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

bool infer::isElementwiseOnTensors(Operation *op) {
  auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         op->getNumOperands() != 0 && op->getNumResults() == 1 &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperandTypes(), isRanked) &&
         llvm::all_of(op->getResultTypes(), isRanked);
}

bool infer::constrainElementwise(Operation *op, ConstraintWriter &w) {
  if (!isElementwiseOnTensors(op))
    return false;
  Value first = op->getOperand(0);
  auto declared = cast<RankedTensorType>(op->getResult(0).getType());
  for (int64_t axis : llvm::seq<int64_t>(0, declared.getRank())) {
    Index extent = w.getExtent(first, axis);
    for (auto [i, operand] :
         llvm::enumerate(llvm::drop_begin(op->getOperands()))) {
      Index other = w.getExtent(operand, axis);
      std::string name = "axis " + std::to_string(axis) + " of operand ";
      w.constrain(w.equal(extent, other),
                  name + "0 has extent {0} but " + name + Twine(i + 1) +
                      " has {1}",
                  {extent, other});
    }
    w.constrainResult(declared, axis, extent);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

bool infer::constrainDivision(Operation *op, ConstraintWriter &w) {
  scalar::DivisionKind kind = scalar::getDivisionKind(op);
  if (kind == scalar::DivisionKind::None)
    return false;
  // Divisions in the body of a map are made safe when its kernel is made.
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndex() || op->getParentOfType<loom::MapOp>())
    return true;
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  if (scalar::hasSafeDivisor(op))
    return true;
  // The analysis knows only index and 64-bit integers as numbers; others keep
  // their width.
  OpBuilder &builder = w.getBuilder();
  Location loc = w.getLoc();
  auto equals = [&](Value value, const APInt &number) -> Value {
    Value constant = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, number));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constant);
  };
  w.constrain(w.isNot(Claim(equals(divisor, APInt(width, 0)))), "division by 0",
              {});
  if (kind == scalar::DivisionKind::Signed)
    w.constrain(
        w.isNot(w.both(Claim(equals(dividend, APInt::getSignedMinValue(width))),
                       Claim(equals(divisor, APInt::getAllOnes(width))))),
        "division of the least integer by -1", {});
  return true;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void infer::constrainUpstream(Operation *op, ShapeValues &shapes, bool all) {
  if (!op->getParentOp() || isa<ModuleOp>(op->getParentOp()))
    return;
  ConstraintWriter writer(op, shapes, all);
  (void)(constrainTensor(op, writer) || constrainLoops(op, writer) ||
         constrainElementwise(op, writer) || constrainDivision(op, writer) ||
         constrainAffine(op, writer) || constrainContraction(op, writer) ||
         constrainSort(op, writer) || constrainLinearAlgebra(op, writer) ||
         constrainMemory(op, writer) || constrainFusedReduction(op, writer) ||
         constrainBroadcast(op, writer) || constrainFromExtents(op, writer));
}
