//===- LowerVectors.cpp - vectors as numbers ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of a vector that is all inside is checked by its first and its last
// lane, ahead of all others (mem-10). Lanes that have a mask, or that may be
// outside, are accessed on a branch; all are checked before any is written.
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
  using VectorLanes::VectorLanes;

  void run() {
    carryLanes(func);
    SmallVector<Operation *> ops;
    find(func.getFunctionBody(), ops);
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
        // What a mask is about is lowered with it.
        if (isa<vector::MaskOp>(op))
          continue;
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
  /// Stores what a check stands in front of.
  void store(Value value, Value memory, ValueRange indices) {
    auto made = memref::StoreOp::create(b, loc, value, memory, indices);
    infer::takeOrigin(made, current);
    made->setAttr(loom::kChecked, b.getUnitAttr());
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
      store(value, memory, offset(indices, getPosition(type, lane)));
  }

  /// Where a lane is, and the condition under which it is read or written: null
  /// for always, a constant for never.
  struct Place {
    SmallVector<Value> indices;
    Value condition;
  };

  /// Loads where the condition holds.
  Value loadIf(Value other, Value memory, const Place &place,
               StringRef mark = {}) {
    if (!place.condition)
      return load(memory, place.indices, mark);
    if (matchPattern(place.condition, m_Zero()))
      return other;
    auto branch = scf::IfOp::create(b, loc, TypeRange(other.getType()),
                                    place.condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value loaded = load(memory, place.indices, mark);
    scf::YieldOp::create(b, loc, loaded);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, other);
    return branch.getResult(0);
  }
  void doIf(Value condition, llvm::function_ref<void()> act) {
    if (!condition)
      return act();
    if (matchPattern(condition, m_Zero()))
      return;
    auto branch = scf::IfOp::create(b, loc, condition, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    act();
  }
  void checkEach(Value memory, ArrayRef<Place> places) {
    for (const Place &place : places)
      doIf(place.condition,
           [&] { load(memory, place.indices, loom::kCheckOnly); });
  }
  void storeEach(Value vector, Value memory, ArrayRef<Place> places) {
    checkEach(memory, places);
    Lanes values = get(vector);
    for (size_t lane : llvm::seq(places.size()))
      doIf(places[lane].condition,
           [&] { store(values[lane], memory, places[lane].indices); });
  }
  /// The places of the lanes of a vector.
  template <typename Function>
  SmallVector<Place> getPlaces(Value vector, Function function) {
    auto type = cast<VectorType>(vector.getType());
    SmallVector<Place> places;
    for (int64_t lane : llvm::seq(type.getNumElements()))
      places.push_back(function(lane, getPosition(type, lane)));
    return places;
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

  /// Whether a mask has a lane of a transfer, whose axes it has in the order of
  /// memory.
  template <typename Op>
  Value getMask(Op op, ArrayRef<int64_t> position, Lanes given) {
    VectorType type = vector::inferTransferOpMaskType(op.getVectorType(),
                                                      op.getPermutationMap());
    Position at;
    for (unsigned axis : llvm::seq(op.getPermutationMap().getNumDims()))
      for (auto [i, expr] :
           llvm::enumerate(op.getPermutationMap().getResults()))
        if (expr == getAffineDimExpr(axis, b.getContext()))
          at.push_back(position[i]);
    return given[at.empty() ? 0 : getLane(type, at)];
  }

  template <typename Op>
  Place getTransferPlace(Op op, ArrayRef<int64_t> position) {
    Place place{SmallVector<Value>(op.getIndices()), {}};
    if (op.getMask())
      place.condition = getMask(op, position, get(op.getMask()));
    if (!mask.empty())
      place.condition = both(place.condition, getMask(op, position, mask));
    for (auto [i, expr] :
         llvm::enumerate(op.getPermutationMap().getResults())) {
      auto axis = dyn_cast<AffineDimExpr>(expr);
      if (!axis)
        continue;
      Value &index = place.indices[axis.getPosition()];
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
        place.condition = truth(false);
        break;
      }
      Value extent =
          memref::DimOp::create(b, loc, op.getBase(), axis.getPosition());
      place.condition =
          both(place.condition,
               arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                     extent));
    }
    return place;
  }
  template <typename Op> SmallVector<Place> getTransferPlaces(Op op) {
    return getPlaces(op.getVector(), [&](int64_t, ArrayRef<int64_t> position) {
      return getTransferPlace(op, position);
    });
  }
  /// Whether the first and the last lane are enough of a check: all lanes are
  /// accessed, and lie between them along each axis.
  static bool areAllAccessed(ArrayRef<Place> places) {
    return llvm::none_of(places, [](const Place &it) { return it.condition; });
  }
  static SmallVector<Place> getEnds(ArrayRef<Place> places) {
    if (places.size() < 2)
      return SmallVector<Place>(places);
    return {places.front(), places.back()};
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
  template <typename Op>
  SmallVector<Place> getMaskedPlaces(Op op, Value vector) {
    Lanes holds = get(op.getMask());
    return getPlaces(vector, [&](int64_t lane, ArrayRef<int64_t> position) {
      return Place{offset(op.getIndices(), position), holds[lane]};
    });
  }
  /// Of a gather or scatter.
  template <typename Op>
  SmallVector<Place> getScatteredPlaces(Op op, Value vector) {
    Lanes holds = get(op.getMask()), by = get(op.getIndices());
    return getPlaces(vector, [&](int64_t lane, ArrayRef<int64_t>) {
      Value condition = holds[lane];
      if (!mask.empty())
        condition = both(condition, mask[lane]);
      return Place{scatter(op.getOffsets(), by[lane]), condition};
    });
  }
  /// Lanes whose mask holds, one behind another.
  template <typename Op>
  SmallVector<Place> getDensePlaces(Op op, Value vector) {
    Lanes holds = get(op.getMask());
    SmallVector<Value> next(op.getIndices());
    return getPlaces(vector, [&](int64_t lane, ArrayRef<int64_t>) {
      Place place{next, holds[lane]};
      next = scatter(
          next, arith::ExtUIOp::create(b, loc, b.getI64Type(), holds[lane]));
      return place;
    });
  }
  void loadEach(Value result, Value other, Value memory,
                ArrayRef<Place> places) {
    Lanes others = get(other);
    setEach(result, [&](int64_t lane, ArrayRef<int64_t>) {
      return loadIf(others[lane], memory, places[lane]);
    });
  }
  void lower(vector::MaskedLoadOp op) {
    loadEach(op.getResult(), op.getPassThru(), op.getBase(),
             getMaskedPlaces(op, op.getPassThru()));
  }
  void lower(vector::MaskedStoreOp op) {
    storeEach(op.getValueToStore(), op.getBase(),
              getMaskedPlaces(op, op.getValueToStore()));
  }
  void lower(vector::GatherOp op) {
    loadEach(op.getResult(), op.getPassThru(), op.getBase(),
             getScatteredPlaces(op, op.getPassThru()));
  }
  void lower(vector::ScatterOp op) {
    storeEach(op.getValueToStore(), op.getBase(),
              getScatteredPlaces(op, op.getValueToStore()));
  }
  void lower(vector::ExpandLoadOp op) {
    loadEach(op.getResult(), op.getPassThru(), op.getBase(),
             getDensePlaces(op, op.getPassThru()));
  }
  void lower(vector::CompressStoreOp op) {
    storeEach(op.getValueToStore(), op.getBase(),
              getDensePlaces(op, op.getValueToStore()));
  }
  void lower(vector::TransferReadOp op) {
    SmallVector<Place> places = getTransferPlaces(op);
    bool isWhole = areAllAccessed(places);
    if (isWhole)
      checkEach(op.getBase(), getEnds(places));
    setEach(op.getResult(), [&](int64_t lane, ArrayRef<int64_t>) {
      return loadIf(op.getPadding(), op.getBase(), places[lane],
                    isWhole ? StringRef(loom::kChecked) : StringRef());
    });
  }
  void lower(vector::TransferWriteOp op) {
    SmallVector<Place> places = getTransferPlaces(op);
    if (!areAllAccessed(places))
      return storeEach(op.getValueToStore(), op.getBase(), places);
    checkEach(op.getBase(), getEnds(places));
    for (auto [value, place] : llvm::zip_equal(get(op.getVector()), places))
      store(value, op.getBase(), place.indices);
  }

  void lower(vector::MaskOp op) {
    mask = get(op.getMask());
    if (Operation *masked = op.getMaskableOp()) {
      current = masked;
      lower(masked);
    }
    Lanes holds = std::exchange(mask, {});
    Lanes others = op.getPassthru() ? get(op.getPassthru()) : Lanes();
    for (auto [result, yielded] :
         llvm::zip_equal(op.getResults(),
                         op.getMaskBlock()->getTerminator()->getOperands())) {
      Lanes values = get(yielded);
      for (auto [value, other, condition] : llvm::zip(values, others, holds))
        value = arith::SelectOp::create(b, loc, condition, value, other);
      set(result, std::move(values));
    }
  }

  void lower(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::LoadOp, vector::StoreOp, affine::AffineVectorLoadOp,
              affine::AffineVectorStoreOp, vector::MaskedLoadOp,
              vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp,
              vector::ExpandLoadOp, vector::CompressStoreOp,
              vector::TransferReadOp, vector::TransferWriteOp, vector::MaskOp>(
            [&](auto it) { lower(it); })
        .Default([&](Operation *it) { lowerVectorValue(it, *this); });
  }

  Operation *current = nullptr;
};

/// Whether a function of a report has what is refused. Its vectors stay.
bool isRefused(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        bool isGood =
            (!isAboutVectors(op) || findUnsupportedVector(op).empty()) &&
            findUnsupportedVectorElements(op).empty();
        return isGood ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

struct LoomLowerVectorsPass
    : legalize::impl::LoomLowerVectorsBase<LoomLowerVectorsPass> {
  LogicalResult apply(ModuleOp module) override {
    // Calls agree with the functions that they call.
    auto isMemory = [](func::FuncOp func) { return loom::isOverMemory(func); };
    auto functions =
        llvm::filter_to_vector(module.getOps<func::FuncOp>(), isMemory);
    if (llvm::none_of(functions, isRefused))
      for (func::FuncOp func : functions)
        VectorLowering(func).run();
    return success();
  }
};

} // namespace
