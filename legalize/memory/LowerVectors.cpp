//===- LowerVectors.cpp - vectors as numbers ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of a vector that is all inside is checked by its first and its last
// lane, ahead of all others (mem-10). Lanes that have a mask, or that may be
// outside, are accessed on a branch.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/BlockOrder.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/VectorLanes.h"
#include "legalize/memory/Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERVECTORS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

class VectorLowering : VectorLanes {
public:
  explicit VectorLowering(func::FuncOp func) : VectorLanes(func), func(func) {}

  void run() {
    SmallVector<Operation *> ops;
    find(func.getBody(), ops);
    for (Operation *op : ops) {
      begin(op);
      current = op;
      lower(op);
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

private:
  /// Values before their uses.
  static void find(Region &region, SmallVectorImpl<Operation *> &ops) {
    for (Block *block : getBlocksInDominanceOrder(region))
      for (Operation &op : *block) {
        if (isAboutVectors(&op))
          ops.push_back(&op);
        for (Region &inner : op.getRegions())
          find(inner, ops);
      }
  }

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
    if (matchPattern(condition, m_Zero()))
      return other;
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
    if (matchPattern(condition, m_Zero()))
      return;
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

  /// Whether the element `by` behind `first` is one of an axis.
  static bool isInside(int64_t first, int64_t by, int64_t extent) {
    return first < extent && first >= -by && by < extent - first;
  }

  /// The place of a lane of a transfer, and the condition under which it is
  /// read or written; null for always, a constant for never.
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
      std::optional<int64_t> first = getConstantIntValue(index);
      index = add(index, position[i]);
      if (op.isDimInBounds(i))
        continue;
      auto memory = cast<MemRefType>(op.getBase().getType());
      if (first && !memory.isDynamicDim(axis.getPosition())) {
        // Nothing is left for the call to find out.
        if (isInside(*first, position[i],
                     memory.getDimSize(axis.getPosition())))
          continue;
        condition = arith::ConstantIntOp::create(b, loc, 0, 1);
        break;
      }
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

  void lower(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::LoadOp, vector::StoreOp, affine::AffineVectorLoadOp,
              affine::AffineVectorStoreOp, vector::MaskedLoadOp,
              vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp,
              vector::TransferReadOp, vector::TransferWriteOp>(
            [&](auto it) { lower(it); })
        .Default([&](Operation *it) { lowerVectorValue(it, *this); });
  }

  func::FuncOp func;
  Operation *current = nullptr;
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
