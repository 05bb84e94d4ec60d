//===- VectorValues.cpp - what vectors are computed of --------------------===//
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

namespace {

class ValueLowering {
public:
  explicit ValueLowering(VectorLanes &lanes)
      : lanes(lanes), b(lanes.b), loc(lanes.loc) {}

  void lower(arith::ConstantOp op) {
    auto values = cast<DenseElementsAttr>(op.getValue());
    Lanes made;
    for (Attribute value : values.getValues<Attribute>())
      made.push_back(arith::ConstantOp::create(b, loc, cast<TypedAttr>(value)));
    set(op, std::move(made));
  }
  void lower(vector::BroadcastOp op) {
    Lanes from = get(op.getSource());
    auto type = dyn_cast<VectorType>(op.getSourceType());
    setEach(op.getResult(), [&](int64_t, Position position) {
      if (!type)
        return from.front();
      position.erase(position.begin(), position.end() - size_t(type.getRank()));
      for (auto [at, extent] : llvm::zip_equal(position, type.getShape()))
        at = extent == 1 ? 0 : at;
      return from[getLane(type, position)];
    });
  }
  void lower(vector::FMAOp op) {
    Lanes x = get(op.getLhs()), y = get(op.getRhs()), z = get(op.getAcc());
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) -> Value {
      return math::FmaOp::create(b, loc, x[lane], y[lane], z[lane]);
    });
  }
  void lower(vector::ShapeCastOp op) {
    set(op.getResult(), get(op.getSource()));
  }
  void lower(vector::TransposeOp op) {
    Lanes from = get(op.getVector());
    auto type = op.getSourceVectorType();
    setEach(op.getResult(), [&](int64_t, ArrayRef<int64_t> position) {
      Position source(type.getRank());
      for (auto [axis, by] : llvm::enumerate(op.getPermutation()))
        source[by] = position[axis];
      return from[getLane(type, source)];
    });
  }
  /// The first of several lanes has the low bits of the lane that they make.
  void lower(vector::BitCastOp op) {
    Lanes from = get(op.getSource()), made;
    Type element = op.getResultVectorType().getElementType();
    unsigned width = op.getSourceVectorType().getElementTypeBitWidth(),
             to = element.getIntOrFloatBitWidth();
    for (Value &lane : from)
      lane = arith::BitcastOp::create(b, loc, b.getIntegerType(width), lane);
    auto shift = [&](unsigned lane) -> Value {
      unsigned wide = std::max(width, to), narrow = std::min(width, to);
      return arith::ConstantIntOp::create(b, loc, int64_t(lane) * narrow, wide);
    };
    if (width > to)
      for (Value lane : from)
        for (unsigned part : llvm::seq(width / to))
          made.push_back(arith::TruncIOp::create(
              b, loc, b.getIntegerType(to),
              arith::ShRUIOp::create(b, loc, lane, shift(part))));
    else
      for (auto [i, lane] : llvm::enumerate(from)) {
        unsigned part = i % (to / width);
        if (width < to)
          lane = arith::ShLIOp::create(
              b, loc,
              arith::ExtUIOp::create(b, loc, b.getIntegerType(to), lane),
              shift(part));
        if (part == 0)
          made.push_back(lane);
        else
          made.back() = arith::OrIOp::create(b, loc, made.back(), lane);
      }
    for (Value &lane : made)
      lane = arith::BitcastOp::create(b, loc, element, lane);
    set(op.getResult(), std::move(made));
  }
  void lower(vector::CreateMaskOp op) {
    setEach(op.getResult(), [&](int64_t, ArrayRef<int64_t> position) -> Value {
      Value holds;
      for (auto [at, bound] : llvm::zip(position, op.getOperands()))
        holds =
            both(holds, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                              index(at), bound));
      return holds ? holds
                   : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           index(0), op.getOperand(0));
    });
  }
  void lower(vector::ConstantMaskOp op) {
    setEach(op.getResult(), [&](int64_t, ArrayRef<int64_t> position) {
      bool holds = true;
      for (auto [at, bound] : llvm::zip(position, op.getMaskDimSizes()))
        holds &= at < bound;
      if (position.empty())
        holds = op.getMaskDimSizes().front() != 0;
      return truth(holds);
    });
  }
  void lower(vector::StepOp op) {
    setEach(op.getResult(),
            [&](int64_t lane, ArrayRef<int64_t>) { return index(lane); });
  }
  void lower(vector::FromElementsOp op) {
    set(op.getResult(), Lanes(op.getElements()));
  }
  void lower(vector::ToElementsOp op) {
    for (auto [result, lane] :
         llvm::zip_equal(op.getResults(), get(op.getSource())))
      result.replaceAllUsesWith(lane);
  }

  /// Element by element.
  void lowerEach(Operation *op) {
    SmallVector<Lanes> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value it) { return get(it); });
    setEach(op->getResult(0), [&](int64_t lane, ArrayRef<int64_t>) {
      Operation *made = b.clone(*op);
      for (auto [i, given] : llvm::enumerate(op->getOperandTypes()))
        made->setOperand(i, operands[i][isa<VectorType>(given) ? lane : 0]);
      made->getResult(0).setType(getElementTypeOrSelf(op->getResult(0)));
      return made->getResult(0);
    });
  }

private:
  Lanes get(Value value) { return lanes.get(value); }
  void set(Value value, Lanes values) { lanes.set(value, std::move(values)); }
  template <typename Function> void setEach(Value result, Function function) {
    lanes.setEach(result, function);
  }
  static int64_t getLane(VectorType type, ArrayRef<int64_t> position) {
    return VectorLanes::getLane(type, position);
  }
  static Position getPosition(VectorType type, int64_t lane) {
    return VectorLanes::getPosition(type, lane);
  }
  Value index(int64_t number) { return lanes.index(number); }
  Value both(Value a, Value c) { return lanes.both(a, c); }
  Value truth(bool holds) { return lanes.truth(holds); }

  VectorLanes &lanes;
  OpBuilder &b;
  Location loc;
};

} // namespace

void legalize::lowerVectorValue(Operation *op, VectorLanes &lanes) {
  ValueLowering values(lanes);
  if (lowerVectorSum(op, lanes) || lowerVectorPart(op, lanes))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::ConstantOp, vector::BroadcastOp, vector::FMAOp,
            vector::ShapeCastOp, vector::TransposeOp, vector::BitCastOp,
            vector::CreateMaskOp, vector::ConstantMaskOp, vector::StepOp,
            vector::FromElementsOp, vector::ToElementsOp>(
          [&](auto it) { values.lower(it); })
      .Default([&](Operation *it) { values.lowerEach(it); });
}
