//===- LoopConstraints.cpp - loops and iteration spaces -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "scalar/AffineExpansion.h"
#include "shape/Message.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Extents of one iteration space
//===----------------------------------------------------------------------===//

namespace {

/// The range of values of an index expression.
struct Span {
  Index least, greatest;
};

/// An operand of a structured operation and one of its axes.
struct OperandAxis {
  OpOperand *operand;
  int64_t axis;
};

/// Constrains the operands of a structured operation to agree with the extents
/// of its loops.
class LoopWriter {
public:
  LoopWriter(linalg::LinalgOp op, ConstraintWriter &w)
      : op(op), w(w),
        isOverMemory(loom::isOverMemory(op) && op.hasPureBufferSemantics()) {
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
    // A loop without a source iterates over buffers that the compiler has made,
    // which forEachAxis skips.
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
    Type type = operand.get().getType();
    if (!isa<RankedTensorType>(type) &&
        !(isOverMemory && isa<MemRefType>(type)))
      return;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, index] : llvm::enumerate(map.getResults()))
      function(axis, index);
  }

  std::string name(OperandAxis source) {
    std::string operand =
        isOverMemory
            ? escapeTemplate(describeMemory(source.operand->get()))
            : "operand " + std::to_string(source.operand->getOperandNumber());
    return "axis " + std::to_string(source.axis) + " of " + operand;
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
    Span span = getSpan(index, /*isExact=*/false);
    Claim holds = liesInside(span, extent);
    // A loop without iterations reads nothing.
    for (unsigned loop : llvm::seq(op.getNumLoops()))
      holds = w.either(w.equal(getExtent(*sources[loop]), w.get(0)), holds);
    // A span that is only a bound cannot refute the constraint (ext-2).
    if (holds.getKnown() != true && !isBoundExact(index)) {
      span = isSpanExact(index) ? getSpan(index, /*isExact=*/true)
                                : findSpan(index, holds);
      holds = w.either(holds, liesInside(span, extent));
    }
    w.constrain(holds,
                name(source) +
                    " has extent {0}, but elements from {1} to {2} are needed",
                {extent, span.least, span.greatest});
  }

  Claim liesInside(Span span, Index extent) {
    return w.both(w.isNatural(span.least), w.less(span.greatest, extent));
  }

  /// The least and the greatest value of `expression` over all iterations.
  /// Every operation but a remainder is monotonic in its operands, so that its
  /// span follows from the ends of the operands' spans; a remainder is less
  /// than its divisor. `isExact`: computes the exact span of remainders
  /// (isSpanExact).
  Span getSpan(AffineExpr expression, bool isExact) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return {w.get(constant.getValue()), w.get(constant.getValue())};
    if (auto loop = dyn_cast<AffineDimExpr>(expression))
      return {w.get(0),
              w.subtract(getExtent(*sources[loop.getPosition()]), w.get(1))};
    auto binary = cast<AffineBinaryOpExpr>(expression);
    Span a = getSpan(binary.getLHS(), isExact),
         b = getSpan(binary.getRHS(), isExact);
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
    default: {
      Span all = {w.get(0), w.subtract(by, w.get(1))};
      return isExact ? getRemainders(a, by, all) : all;
    }
    }
  }

  /// The span of the remainders of the consecutive numbers `a` by `by`; `all`
  /// if `a` contains a multiple of `by` after its first number.
  Span getRemainders(Span a, Index by, Span all) {
    Index first = w.divide(a.least, by), last = w.divide(a.greatest, by);
    Claim isOne = w.equal(first, last);
    Index from = w.multiply(first, by), to = w.multiply(last, by);
    return {w.choose(isOne, w.subtract(a.least, from), all.least),
            w.choose(isOne, w.subtract(a.greatest, to), all.greatest)};
  }

  /// The loops that an expression uses; nothing if it uses one twice, because
  /// its parts then do not vary independently.
  static std::optional<llvm::SmallBitVector> findLoops(AffineExpr expression) {
    llvm::SmallBitVector found;
    bool isTwice = false;
    expression.walk([&](AffineExpr part) {
      auto loop = dyn_cast<AffineDimExpr>(part);
      if (!loop)
        return;
      if (found.size() <= loop.getPosition())
        found.resize(loop.getPosition() + 1);
      isTwice |= found.test(loop.getPosition());
      found.set(loop.getPosition());
    });
    return isTwice ? std::nullopt : std::optional(found);
  }

  static bool hasRemainder(AffineExpr expression) {
    bool has = false;
    expression.walk(
        [&](AffineExpr part) { has |= part.getKind() == AffineExprKind::Mod; });
    return has;
  }

  /// Whether getSpan gives the exact span without `isExact`.
  static bool isBoundExact(AffineExpr expression) {
    return findLoops(expression) && !hasRemainder(expression);
  }

  /// Whether `expression`, which uses no loop twice, takes all values between
  /// the ends of its span.
  static bool isConsecutive(AffineExpr expression) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
    if (!binary)
      return true;
    if (!isConsecutive(binary.getLHS()))
      return false;
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return isConsecutive(binary.getRHS());
    case AffineExprKind::Mul: {
      int64_t by = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      return by == 0 || by == 1 || by == -1;
    }
    case AffineExprKind::Mod:
      return false;
    default:
      return true;
    }
  }

  /// Whether getSpan gives the exact span with `isExact`.
  static bool isSpanExact(AffineExpr expression) {
    bool isExact = findLoops(expression).has_value();
    expression.walk([&](AffineExpr part) {
      if (part.getKind() == AffineExprKind::Mod)
        isExact &= isConsecutive(cast<AffineBinaryOpExpr>(part).getLHS());
    });
    return isExact;
  }

  /// The span of any other expression: emits loops over all iterations, which
  /// run only if `isSafe` does not hold.
  Span findSpan(AffineExpr expression, Claim isSafe) {
    OpBuilder &outer = w.getBuilder();
    OpBuilder::InsertionGuard guard(outer);
    Location loc = w.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(outer, loc, value);
    };
    Value zero = constant(0), one = constant(1);
    Value none = w.materialise(isSafe);
    SmallVector<Value> indices(op.getNumLoops(), zero);
    SmallVector<Value> ends = {constant(std::numeric_limits<int64_t>::max()),
                               constant(std::numeric_limits<int64_t>::min())};
    SmallVector<scf::ForOp> loops;
    for (unsigned i : llvm::seq(op.getNumLoops())) {
      if (!expression.isFunctionOfDim(i))
        continue;
      Value rounds = arith::SelectOp::create(
          outer, loc, none, zero, w.materialise(getExtent(*sources[i])));
      auto loop = scf::ForOp::create(outer, loc, zero, rounds, one, ends);
      loops.push_back(loop);
      indices[i] = loop.getInductionVar();
      ends.assign(loop.getRegionIterArgs().begin(),
                  loop.getRegionIterArgs().end());
      outer.setInsertionPointToStart(loop.getBody());
    }
    Value is =
        scalar::expandAffine(outer, loc, expression, op.getNumLoops(), indices);
    ends = {arith::MinSIOp::create(outer, loc, ends[0], is),
            arith::MaxSIOp::create(outer, loc, ends[1], is)};
    for (scf::ForOp loop : llvm::reverse(loops)) {
      scf::YieldOp::create(outer, loc, ends);
      ends.assign(loop->result_begin(), loop->result_end());
      outer.setInsertionPointAfter(loop);
    }
    return {ends[0], ends[1]};
  }

  linalg::LinalgOp op;
  ConstraintWriter &w;
  /// Operands of a program over memory have names (mem-8).
  bool isOverMemory;
  /// Where the extent of each loop is read.
  SmallVector<std::optional<OperandAxis>> sources;
};

} // namespace

/// The only unsigned number below 1 is 0.
static void constrainUnsignedStep(Value step, ConstraintWriter &w) {
  OpBuilder &builder = w.getBuilder();
  if (APInt known; matchPattern(step, m_ConstantInt(&known)) && !known.isZero())
    return;
  Value zero = arith::ConstantOp::create(
      builder, w.getLoc(), builder.getIntegerAttr(step.getType(), 0));
  w.constrain(Claim(arith::CmpIOp::create(builder, w.getLoc(),
                                          arith::CmpIPredicate::ne, step, zero)
                        .getResult()),
              "the step of the loop is 0, expected at least 1", {});
}

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
        if (loop.getUnsignedCmp())
          constrainUnsignedStep(loop.getStep(), w);
        else
          constrainStep(loop.getStep());
        return true;
      })
      .Case<scf::ForallOp>([&](auto loop) {
        llvm::for_each(loop.getMixedStep(), constrainStep);
        return true;
      })
      .Default([](Operation *) { return false; });
}
