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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Extents of one iteration space
//===----------------------------------------------------------------------===//

namespace {

/// The indices that an expression takes.
struct Span {
  Index least, greatest;
};

/// An operand of a structured operation and one of its axes.
struct OperandAxis {
  OpOperand *operand;
  int64_t axis;
};

/// What must hold of the operands of a structured operation: that all agree
/// with the extents of its loops.
class LoopWriter {
public:
  LoopWriter(linalg::LinalgOp op, ConstraintWriter &w) : op(op), w(w) {
    sources.resize(op.getNumLoops());
    for (OpOperand &operand : op->getOpOperands())
      forEachAxis(operand, [&](int64_t axis, AffineExpr index) {
        if (auto loop = dyn_cast<AffineDimExpr>(index))
          if (std::optional<OperandAxis> &source = sources[loop.getPosition()];
              !source)
            source = OperandAxis{&operand, axis};
      });
  }

  void constrain() {
    // Memory is none of ours.
    if (llvm::any_of(sources, [](const auto &source) { return !source; }))
      return;
    for (OpOperand &operand : op->getOpOperands())
      forEachAxis(operand, [&](int64_t axis, AffineExpr index) {
        constrainAxis({&operand, axis}, index);
      });
  }

private:
  template <typename Function>
  void forEachAxis(OpOperand &operand, Function function) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      return;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, index] : llvm::enumerate(map.getResults()))
      function(axis, index);
  }

  static std::string name(OperandAxis source) {
    return "axis " + std::to_string(source.axis) + " of operand " +
           std::to_string(source.operand->getOperandNumber());
  }

  Index getExtent(OperandAxis source) {
    return w.getExtent(source.operand->get(), source.axis);
  }

  void constrainAxis(OperandAxis source, AffineExpr index) {
    Index extent = getExtent(source);
    if (auto loop = dyn_cast<AffineDimExpr>(index)) {
      OperandAxis first = *sources[loop.getPosition()];
      if (first.operand == source.operand && first.axis == source.axis)
        return;
      Index should = getExtent(first);
      return w.constrain(w.equal(should, extent),
                         name(first) + " has extent {0} but " + name(source) +
                             " has {1}",
                         {should, extent});
    }
    Span span = getSpan(index);
    Claim holds =
        w.both(w.isNatural(span.least), w.less(span.greatest, extent));
    // Without a round nothing is read.
    for (unsigned loop : llvm::seq(op.getNumLoops()))
      holds = w.either(w.equal(getExtent(*sources[loop]), w.get(0)), holds);
    w.constrain(holds,
                name(source) +
                    " has extent {0}, but elements from {1} to {2} are needed",
                {extent, span.least, span.greatest});
  }

  /// The least and the greatest value of `expression` over all rounds of the
  /// loops. Every kind but a remainder is monotonic in its operands, so that
  /// its span is that of the operands' ends; a remainder is below its divisor.
  Span getSpan(AffineExpr expression) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return {w.get(constant.getValue()), w.get(constant.getValue())};
    if (auto loop = dyn_cast<AffineDimExpr>(expression))
      return {w.get(0),
              w.subtract(getExtent(*sources[loop.getPosition()]), w.get(1))};
    auto binary = cast<AffineBinaryOpExpr>(expression);
    Span a = getSpan(binary.getLHS()), b = getSpan(binary.getRHS());
    Index by = b.least;
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return {w.add(a.least, b.least), w.add(a.greatest, b.greatest)};
    case AffineExprKind::Mul:
      if (*ConstraintWriter::getKnown(by) < 0)
        std::swap(a.least, a.greatest);
      return {w.multiply(a.least, by), w.multiply(a.greatest, by)};
    case AffineExprKind::FloorDiv:
      return {w.divide(a.least, by), w.divide(a.greatest, by)};
    case AffineExprKind::CeilDiv: {
      Index more = w.subtract(by, w.get(1));
      return {w.divide(w.add(a.least, more), by),
              w.divide(w.add(a.greatest, more), by)};
    }
    default:
      return {w.get(0), w.subtract(by, w.get(1))};
    }
  }

  linalg::LinalgOp op;
  ConstraintWriter &w;
  /// Where the extent of each loop is read.
  SmallVector<std::optional<OperandAxis>> sources;
};

} // namespace

bool infer::constrainLoops(Operation *op, ConstraintWriter &w) {
  auto constrainStep = [&](Index step) {
    if (auto value = dyn_cast<Value>(step))
      step = w.getIndex(value);
    if (std::optional<int64_t> known = getConstantIntValue(step);
        known && *known > 0)
      return;
    w.constrain(w.atMost(w.get(1), step),
                "the step of the loop is {0}, expected at least 1", step);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<linalg::LinalgOp>([&](auto structured) {
        LoopWriter(structured, w).constrain();
        return true;
      })
      .Case<scf::ForOp>([&](auto loop) {
        constrainStep(loop.getStep());
        return true;
      })
      .Case<scf::ParallelOp>([&](auto loop) {
        for (Value step : loop.getStep())
          constrainStep(step);
        return true;
      })
      .Case<scf::ForallOp>([&](auto loop) {
        llvm::for_each(loop.getMixedStep(), constrainStep);
        return true;
      })
      .Default([](Operation *) { return false; });
}

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
  // A map's own divisions are made safe where its kernel is made.
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndex() || op->getParentOfType<loom::MapOp>())
    return true;
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (scalar::hasSafeDivisor(op))
    return true;
  // Only index and 64 bits are numbers to the analysis; others stay as wide as
  // they are.
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
         constrainContraction(op, writer) || constrainSort(op, writer));
}
