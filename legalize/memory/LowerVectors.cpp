//===- LowerVectors.cpp - vectors as numbers ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector becomes its elements, its lanes, in row-major order. Then every rule
// for numbers and accesses is one for vectors, and LLVM makes vectors of the
// processor's size. An access of a vector that is all inside is checked by its
// first and its last lane (mem-10).
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERVECTORS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

using Lanes = SmallVector<Value>;
using Position = SmallVector<int64_t>;

class VectorLowering {
public:
  explicit VectorLowering(func::FuncOp func) : func(func), b(func) {}

  void run() {
    SmallVector<Operation *> ops;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (legalize::isAboutVectors(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      b.setInsertionPoint(op);
      current = op;
      loc = op->getLoc();
      lower(op);
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

private:
  //===--------------------------------------------------------------------===//
  // Lanes
  //===--------------------------------------------------------------------===//

  static Position getPosition(VectorType type, int64_t lane) {
    Position position(type.getRank());
    for (int64_t axis = type.getRank(); axis-- > 0;) {
      position[axis] = lane % type.getDimSize(axis);
      lane /= type.getDimSize(axis);
    }
    return position;
  }
  static int64_t getLane(VectorType type, ArrayRef<int64_t> position) {
    int64_t lane = 0;
    for (auto [extent, at] : llvm::zip_equal(type.getShape(), position))
      lane = lane * extent + at;
    return lane;
  }
  static int64_t count(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }

  /// The lanes of a vector; a number is one.
  Lanes get(Value value) {
    if (!isa<VectorType>(value.getType()))
      return {value};
    return lanes.lookup(value);
  }
  void set(Value value, Lanes values) {
    if (isa<VectorType>(value.getType()))
      lanes[value] = std::move(values);
    else
      value.replaceAllUsesWith(values.front());
  }
  /// Sets each lane of the result of `op` by its number and position.
  template <typename Function> void setEach(Value result, Function function) {
    auto type = dyn_cast<VectorType>(result.getType());
    Lanes values;
    for (int64_t lane : llvm::seq<int64_t>(count(result.getType())))
      values.push_back(
          function(lane, type ? getPosition(type, lane) : Position()));
    set(result, std::move(values));
  }

  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(b, loc, number);
  }
  Value add(Value a, int64_t number) {
    return number == 0 ? a
                       : Value(arith::AddIOp::create(b, loc, a, index(number)));
  }
  Value both(Value a, Value c) {
    return a ? Value(arith::AndIOp::create(b, loc, a, c)) : c;
  }
  Value truth(bool holds) {
    return arith::ConstantIntOp::create(b, loc, holds, 1);
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  Value load(Value memory, ValueRange indices, StringRef mark = {}) {
    auto made = memref::LoadOp::create(b, loc, memory, indices);
    infer::takeOrigin(made, current);
    if (!mark.empty())
      made->setAttr(mark, b.getUnitAttr());
    return made;
  }
  void store(Value value, Value memory, ValueRange indices,
             StringRef mark = {}) {
    auto made = memref::StoreOp::create(b, loc, value, memory, indices);
    infer::takeOrigin(made, current);
    if (!mark.empty())
      made->setAttr(mark, b.getUnitAttr());
  }

  /// The indices of a lane whose axes are the innermost ones of memory.
  SmallVector<Value> offset(ValueRange indices, ArrayRef<int64_t> position) {
    SmallVector<Value> moved(indices);
    for (auto [axis, at] : llvm::enumerate(position)) {
      Value &moving = moved[moved.size() - position.size() + axis];
      moving = add(moving, at);
    }
    return moved;
  }

  /// Checks the first and the last lane.
  void checkEnds(Value memory, ValueRange indices, VectorType type) {
    if (type.getNumElements() == 0)
      return;
    load(memory, indices, loom::kCheckOnly);
    if (type.getNumElements() > 1)
      load(memory,
           offset(indices, getPosition(type, type.getNumElements() - 1)),
           loom::kCheckOnly);
  }
  void loadAll(Value result, Value memory, ValueRange indices) {
    checkEnds(memory, indices, cast<VectorType>(result.getType()));
    setEach(result, [&](int64_t, ArrayRef<int64_t> position) {
      return load(memory, offset(indices, position), loom::kChecked);
    });
  }
  void storeAll(Value vector, Value memory, ValueRange indices) {
    auto type = cast<VectorType>(vector.getType());
    checkEnds(memory, indices, type);
    for (auto [lane, value] : llvm::enumerate(get(vector)))
      store(value, memory, offset(indices, getPosition(type, lane)),
            loom::kChecked);
  }

  /// Loads where the condition holds; null for always.
  Value loadIf(Value condition, Value other, Value memory, ValueRange indices) {
    if (!condition)
      return load(memory, indices);
    auto branch = scf::IfOp::create(b, loc, TypeRange(other.getType()),
                                    condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value loaded = load(memory, indices);
    scf::YieldOp::create(b, loc, loaded);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, other);
    return branch.getResult(0);
  }
  void storeIf(Value condition, Value value, Value memory, ValueRange indices) {
    if (!condition)
      return store(value, memory, indices);
    auto branch = scf::IfOp::create(b, loc, condition, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    store(value, memory, indices);
  }

  /// The index in the last axis of each lane of a gather or scatter.
  SmallVector<Value> scatter(ValueRange indices, Value by) {
    SmallVector<Value> moved(indices);
    if (!by.getType().isIndex())
      by = arith::IndexCastOp::create(b, loc, b.getIndexType(), by);
    moved.back() = arith::AddIOp::create(b, loc, moved.back(), by);
    return moved;
  }

  /// The place of a lane of a transfer, and the condition under which it is
  /// read or written; null for always.
  template <typename Op>
  std::pair<SmallVector<Value>, Value> transfer(Op op, VectorType type,
                                                int64_t lane) {
    SmallVector<Value> at(op.getIndices());
    Position position = getPosition(type, lane);
    Value condition;
    if (op.getMask())
      condition = get(op.getMask())[lane];
    for (auto [i, expr] :
         llvm::enumerate(op.getPermutationMap().getResults())) {
      auto axis = dyn_cast<AffineDimExpr>(expr);
      if (!axis)
        continue;
      Value &index = at[axis.getPosition()];
      index = add(index, position[i]);
      if (op.isDimInBounds(i))
        continue;
      Value extent =
          memref::DimOp::create(b, loc, op.getBase(), axis.getPosition());
      condition = both(condition,
                       arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                             index, extent));
    }
    return {at, condition};
  }

  void lower(vector::LoadOp op) {
    loadAll(op.getResult(), op.getBase(), op.getIndices());
  }
  void lower(vector::StoreOp op) {
    storeAll(op.getValueToStore(), op.getBase(), op.getIndices());
  }
  /// The indices that an affine map gives.
  SmallVector<Value> apply(AffineMap map, ValueRange operands) {
    return llvm::map_to_vector(llvm::seq<unsigned>(map.getNumResults()),
                               [&](unsigned axis) -> Value {
                                 auto made = affine::AffineApplyOp::create(
                                     b, loc, map.getSubMap({axis}), operands);
                                 infer::takeOrigin(made, current);
                                 return made;
                               });
  }
  void lower(affine::AffineVectorLoadOp op) {
    loadAll(op.getResult(), op.getMemRef(),
            apply(op.getAffineMap(), op.getMapOperands()));
  }
  void lower(affine::AffineVectorStoreOp op) {
    storeAll(op.getValueToStore(), op.getMemRef(),
             apply(op.getAffineMap(), op.getMapOperands()));
  }
  void lower(vector::MaskedLoadOp op) {
    Lanes mask = get(op.getMask()), other = get(op.getPassThru());
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t> position) {
      return loadIf(mask[lane], other[lane], op.getBase(),
                    offset(op.getIndices(), position));
    });
  }
  void lower(vector::MaskedStoreOp op) {
    Lanes mask = get(op.getMask());
    auto type = cast<VectorType>(op.getValueToStore().getType());
    for (auto [lane, value] : llvm::enumerate(get(op.getValueToStore())))
      storeIf(mask[lane], value, op.getBase(),
              offset(op.getIndices(), getPosition(type, lane)));
  }
  void lower(vector::GatherOp op) {
    Lanes mask = get(op.getMask()), other = get(op.getPassThru()),
          by = get(op.getIndices());
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      return loadIf(mask[lane], other[lane], op.getBase(),
                    scatter(op.getOffsets(), by[lane]));
    });
  }
  void lower(vector::ScatterOp op) {
    Lanes mask = get(op.getMask()), by = get(op.getIndices());
    for (auto [lane, value] : llvm::enumerate(get(op.getValueToStore())))
      storeIf(mask[lane], value, op.getBase(),
              scatter(op.getOffsets(), by[lane]));
  }
  void lower(vector::TransferReadOp op) {
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      auto [at, condition] = transfer(op, op.getVectorType(), lane);
      return loadIf(condition, op.getPadding(), op.getBase(), at);
    });
  }
  void lower(vector::TransferWriteOp op) {
    for (auto [lane, value] : llvm::enumerate(get(op.getValueToStore()))) {
      auto [at, condition] = transfer(op, op.getVectorType(), lane);
      storeIf(condition, value, op.getBase(), at);
    }
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

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

  void lower(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::LoadOp, vector::StoreOp, affine::AffineVectorLoadOp,
              affine::AffineVectorStoreOp, vector::MaskedLoadOp,
              vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp,
              vector::TransferReadOp, vector::TransferWriteOp,
              arith::ConstantOp, vector::BroadcastOp, vector::ReductionOp,
              vector::MultiDimReductionOp, vector::ExtractOp, vector::InsertOp,
              vector::FMAOp, vector::ShapeCastOp, vector::TransposeOp,
              vector::CreateMaskOp, vector::ConstantMaskOp, vector::StepOp,
              vector::FromElementsOp, vector::ToElementsOp>(
            [&](auto it) { lower(it); })
        .Default([&](Operation *it) { lowerEach(it); });
  }

  func::FuncOp func;
  OpBuilder b;
  Operation *current = nullptr;
  Location loc = func.getLoc();
  llvm::DenseMap<Value, Lanes> lanes;
};

struct LoomLowerVectorsPass
    : legalize::impl::LoomLowerVectorsBase<LoomLowerVectorsPass> {
  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        VectorLowering(func).run();
    return success();
  }
};

} // namespace
