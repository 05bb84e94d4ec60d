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
  void lower(vector::ReductionOp op) {
    Value sum = op.getAcc();
    for (Value lane : get(op.getVector()))
      sum = sum ? vector::makeArithReduction(b, loc, op.getKind(), lane, sum)
                : lane;
    set(op.getResult(), {sum});
  }
  void lower(vector::MultiDimReductionOp op) {
    Lanes sums = get(op.getAcc());
    auto type = op.getSourceVectorType();
    auto to = dyn_cast<VectorType>(op.getResult().getType());
    for (auto [lane, value] : llvm::enumerate(get(op.getSource()))) {
      Position position;
      for (auto [axis, at] : llvm::enumerate(getPosition(type, lane)))
        if (!op.isReducedDim(axis))
          position.push_back(at);
      Value &sum = sums[to ? getLane(to, position) : 0];
      sum = vector::makeArithReduction(b, loc, op.getKind(), value, sum);
    }
    set(op.getResult(), std::move(sums));
  }
  /// The first lane of a part of a vector.
  static int64_t getFirst(VectorType type, ArrayRef<int64_t> part) {
    Position position(part);
    position.resize(type.getRank(), 0);
    return getLane(type, position);
  }
  void lower(vector::ExtractOp op) {
    Lanes from = get(op.getSource());
    int64_t first = getFirst(op.getSourceVectorType(), op.getStaticPosition());
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      return from[first + lane];
    });
  }
  void lower(vector::InsertOp op) {
    Lanes all = get(op.getDest());
    int64_t first = getFirst(op.getDestVectorType(), op.getStaticPosition());
    for (auto [lane, value] : llvm::enumerate(get(op.getValueToStore())))
      all[first + int64_t(lane)] = value;
    set(op.getResult(), std::move(all));
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
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::ConstantOp, vector::BroadcastOp, vector::ReductionOp,
            vector::MultiDimReductionOp, vector::ExtractOp, vector::InsertOp,
            vector::FMAOp, vector::ShapeCastOp, vector::TransposeOp,
            vector::CreateMaskOp, vector::ConstantMaskOp, vector::StepOp,
            vector::FromElementsOp, vector::ToElementsOp>(
          [&](auto it) { values.lower(it); })
      .Default([&](Operation *it) { values.lowerEach(it); });
}
