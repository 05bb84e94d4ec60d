//===- VectorSums.cpp - lanes that are combined ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/VectorLanes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// The kind of arith for which there are neutral numbers.
static arith::AtomicRMWKind getArithKind(vector::CombiningKind kind,
                                         Type type) {
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case vector::CombiningKind::ADD:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case vector::CombiningKind::MUL:
    return isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
  case vector::CombiningKind::MINUI:
    return arith::AtomicRMWKind::minu;
  case vector::CombiningKind::MINSI:
    return arith::AtomicRMWKind::mins;
  case vector::CombiningKind::MAXUI:
    return arith::AtomicRMWKind::maxu;
  case vector::CombiningKind::MAXSI:
    return arith::AtomicRMWKind::maxs;
  case vector::CombiningKind::MINNUMF:
    return arith::AtomicRMWKind::minnumf;
  case vector::CombiningKind::MAXNUMF:
    return arith::AtomicRMWKind::maxnumf;
  case vector::CombiningKind::MINIMUMF:
    return arith::AtomicRMWKind::minimumf;
  case vector::CombiningKind::MAXIMUMF:
    return arith::AtomicRMWKind::maximumf;
  case vector::CombiningKind::AND:
    return arith::AtomicRMWKind::andi;
  case vector::CombiningKind::OR:
    return arith::AtomicRMWKind::ori;
  case vector::CombiningKind::XOR:
    return arith::AtomicRMWKind::xori;
  }
  llvm_unreachable("all kinds are listed");
}

namespace {

class SumLowering {
public:
  explicit SumLowering(VectorLanes &lanes)
      : lanes(lanes), b(lanes.b), loc(lanes.loc) {}

  void lower(vector::ReductionOp op) {
    Value sum = op.getAcc();
    Type type = getElementTypeOrSelf(op.getVector());
    if (!sum && !lanes.mask.empty())
      sum = arith::getIdentityValue(getArithKind(op.getKind(), type), type, b,
                                    loc, /*useOnlyFiniteValue=*/false);
    for (auto [lane, value] : llvm::enumerate(lanes.get(op.getVector())))
      sum =
          sum ? lanes.combine(op.getKind(), value, sum, getMask(lane)) : value;
    lanes.set(op.getResult(), {sum});
  }

  void lower(vector::MultiDimReductionOp op) {
    Lanes sums = lanes.get(op.getAcc());
    auto type = op.getSourceVectorType();
    for (auto [lane, value] : llvm::enumerate(lanes.get(op.getSource()))) {
      Position position;
      for (auto [axis, at] :
           llvm::enumerate(VectorLanes::getPosition(type, lane)))
        if (!op.isReducedDim(axis))
          position.push_back(at);
      Value &sum = sums[getLane(op.getResult().getType(), position)];
      sum = lanes.combine(op.getKind(), value, sum, getMask(lane));
    }
    lanes.set(op.getResult(), std::move(sums));
  }

  /// A product is rounded before it is added (el-11).
  void lower(vector::ContractionOp op) {
    Lanes sums = lanes.get(op.getAcc()), x = lanes.get(op.getLhs()),
          y = lanes.get(op.getRhs());
    Type element = getElementTypeOrSelf(op.getResult());
    for (Lanes *factors : {&x, &y})
      for (Value &factor : *factors)
        factor = widen(factor, element);
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    SmallVector<AffineMap, 4> maps = op.getIndexingMapsArray();
    auto loops = VectorType::get(bounds, element);
    for (int64_t i : llvm::seq(loops.getNumElements())) {
      Position at = VectorLanes::getPosition(loops, i);
      Value product =
          multiply(x[getLane(op.getLhs().getType(), maps[0].compose(at))],
                   y[getLane(op.getRhs().getType(), maps[1].compose(at))]);
      Value &sum = sums[getLane(op.getAcc().getType(), maps[2].compose(at))];
      sum = lanes.combine(op.getKind(), product, sum, getMask(i));
    }
    lanes.set(op.getResult(), std::move(sums));
  }

  /// Sums of floats are fused, as the operation says.
  void lower(vector::OuterProductOp op) {
    Lanes x = lanes.get(op.getLhs()), y = lanes.get(op.getRhs()), sums;
    if (op.getAcc())
      sums = lanes.get(op.getAcc());
    bool isFused = op.getKind() == vector::CombiningKind::ADD &&
                   isa<FloatType>(getElementTypeOrSelf(op.getResult()));
    lanes.setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      Value a = x[lane / y.size()], c = y[lane % y.size()];
      Value made;
      if (sums.empty())
        made = multiply(a, c);
      else if (isFused)
        made = math::FmaOp::create(b, loc, a, c, sums[lane]);
      else
        made = lanes.combine(op.getKind(), multiply(a, c), sums[lane]);
      if (Value holds = getMask(lane))
        made = arith::SelectOp::create(b, loc, holds, made,
                                       sums.empty() ? lanes.zero(made.getType())
                                                    : sums[lane]);
      return made;
    });
  }

  /// Each lane along the axis has what is before it, and itself if the scan is
  /// inclusive: then the initial value is not used, as upstream has it.
  void lower(vector::ScanOp op) {
    VectorType type = op.getSourceType();
    Lanes from = lanes.get(op.getSource()),
          sums = lanes.get(op.getInitialValue());
    int64_t axis = op.getReductionDim();
    lanes.setEach(op.getDest(), [&](int64_t lane, Position position) {
      int64_t at = position[axis];
      Position previous = position;
      previous[axis] = std::max<int64_t>(at - 1, 0);
      position.erase(position.begin() + axis);
      Value &sum = sums[getLane(op.getAccumulatorType(), position)];
      if (at > 0)
        sum = lanes.combine(
            op.getKind(),
            from[op.getInclusive() ? lane : getLane(type, previous)], sum);
      else if (op.getInclusive())
        sum = from[lane];
      return sum;
    });
    lanes.set(op.getAccumulatedValue(), std::move(sums));
  }

private:
  Value getMask(int64_t lane) {
    return lanes.mask.empty() ? Value() : lanes.mask[lane];
  }
  /// The lane at a position; a number is one.
  static int64_t getLane(Type type, ArrayRef<int64_t> position) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? VectorLanes::getLane(vector, position) : 0;
  }
  Value multiply(Value x, Value y) {
    if (isa<FloatType>(x.getType()))
      return arith::MulFOp::create(b, loc, x, y);
    return arith::MulIOp::create(b, loc, x, y);
  }
  Value widen(Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (isa<FloatType>(type))
      return arith::ExtFOp::create(b, loc, type, value);
    return arith::ExtSIOp::create(b, loc, type, value);
  }

  VectorLanes &lanes;
  OpBuilder &b;
  Location loc;
};

} // namespace

bool legalize::lowerVectorSum(Operation *op, VectorLanes &lanes) {
  SumLowering sums(lanes);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<vector::ReductionOp, vector::MultiDimReductionOp,
            vector::ContractionOp, vector::OuterProductOp, vector::ScanOp>(
          [&](auto it) {
            sums.lower(it);
            return true;
          })
      .Default([](Operation *) { return false; });
}
