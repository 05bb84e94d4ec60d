//===- ReadBoundaries.cpp - loads of boundaries of memory -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of a boundary becomes one of the memory that it is of. Its index is
// known to be inside in the middle parts of loops, and is computed elsewhere.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/MiddleLoops.h"
#include "codegen/memory/NestProduct.h"
#include "dialect/EqualOperation.h"
#include "dialect/MemoryFunction.h"
#include "lower/boundary/BoundaryElement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMREADBOUNDARIES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Reads one boundary.
class BoundaryReader {
public:
  BoundaryReader(loom::BoundaryOp op, DominanceInfo &dominance)
      : op(op), dominance(dominance) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (int64_t axis : llvm::seq(op.getShapedType().getRank())) {
      Value extent = getValueOrCreateConstantIndexOp(
          b, op.getLoc(),
          memref::getMixedSize(b, op.getLoc(), op.getSource(), axis));
      extents.push_back(loom::getSpreadExtent(b, op.getLoc(), extent,
                                              op.getInteriorOf(axis)));
    }
    for (OpFoldResult size : op.getMixedLow())
      low.push_back(getValueOrCreateConstantIndexOp(b, op.getLoc(), size));
    last = &*std::prev(b.getInsertionPoint());
  }

  /// Replaces what reads it; fails at an operation that may do more.
  LogicalResult run() {
    for (Operation *user : llvm::to_vector(op->getUsers())) {
      if (auto load = dyn_cast<memref::LoadOp>(user))
        read(load);
      else if (auto dim = dyn_cast<memref::DimOp>(user))
        replace(dim);
      else
        return user->emitOpError(
            "reads a boundary of memory in another way than by loads; run "
            "'loom-linalg-to-loops' first");
    }
    op.erase();
    return success();
  }

private:
  /// How an index of the source is computed.
  enum class Form { Shifted, ByBranch, BySelection };

  /// What is read for an index of an axis. It is computed once, right behind
  /// the index, so that what is the same for a whole row is in front of it.
  Value getIndex(Value index, int64_t axis, Form form) {
    Value &found = indices[{index, axis, int(form)}];
    if (found)
      return found;
    OpBuilder b(op->getContext());
    if (dominance.properlyDominates(index, last))
      b.setInsertionPointAfter(last);
    else
      b.setInsertionPointAfterValue(index);
    Location loc = op.getLoc();
    found = index;
    if (getConstantIntValue(low[axis]) != 0)
      found = arith::SubIOp::create(b, loc, index, low[axis]);
    if (form != Form::Shifted)
      found = lower::emitPlace(b, loc, op.getMode(), found, extents[axis],
                               form == Form::BySelection);
    return found;
  }

  void read(memref::LoadOp load) {
    OpBuilder b(load);
    Location loc = load.getLoc();
    lower::BoundaryElement element;
    element.mode = op.getMode();
    element.extents = extents;
    element.isInside.resize(extents.size());
    element.interior = op.getInterior();
    for (int64_t axis : getInsideAxes(load))
      element.isInside.set(axis);
    Form beyond = isInContraction(load) ? Form::BySelection : Form::ByBranch;
    for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
      if (!goesBeyond(op, axis))
        element.isInside.set(axis);
      bool isShifted = element.isInside.test(axis) ||
                       op.getMode() == loom::BoundaryMode::Constant;
      element.indices.push_back(
          getIndex(index, axis, isShifted ? Form::Shifted : beyond));
      if (!isShifted)
        element.isInside.set(axis);
    }
    Value read = element.emit(
        b, loc,
        [&](OpBuilder &inner, ValueRange indices) -> Value {
          auto made =
              memref::LoadOp::create(inner, loc, op.getSource(), indices);
          made->setDiscardableAttrs(load->getDiscardableAttrDictionary());
          eraseMarksOfIndices(made);
          return made;
        },
        [&](OpBuilder &) -> Value { return op.getValue(); });
    load.replaceAllUsesWith(read);
    load.erase();
  }

  static bool isInContraction(Operation *read) {
    for (auto loop = read->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (NestProduct::isRaised(loop))
        return true;
    return false;
  }

  /// The axis has been checked.
  void replace(memref::DimOp dim) {
    OpBuilder b(dim);
    Location loc = dim.getLoc();
    SmallVector<OpFoldResult> high = op.getMixedHigh();
    Value extent;
    for (int64_t axis : llvm::seq<int64_t>(extents.size())) {
      Value wide = arith::AddIOp::create(b, loc, low[axis], extents[axis]);
      wide = arith::AddIOp::create(
          b, loc, wide, getValueOrCreateConstantIndexOp(b, loc, high[axis]));
      if (std::optional<int64_t> known = dim.getConstantIndex();
          known == axis || !extent) {
        extent = wide;
        continue;
      } else if (known) {
        continue;
      }
      Value number = arith::ConstantIndexOp::create(b, loc, axis);
      Value isAxis = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           dim.getIndex(), number);
      extent = arith::SelectOp::create(b, loc, isAxis, wide, extent);
    }
    if (!extent)
      extent = arith::ConstantIndexOp::create(b, loc, 0);
    dim.replaceAllUsesWith(extent);
    dim.erase();
  }

  loom::BoundaryOp op;
  DominanceInfo &dominance;
  /// Extents are those of the source, with what stands between its elements.
  SmallVector<Value> extents, low;
  /// The last operation that these are computed by.
  Operation *last;
  /// What getIndex() gives for a value, an axis and a form.
  llvm::DenseMap<std::tuple<Value, int64_t, int>, Value> indices;
};

struct LoomReadBoundariesPass
    : codegen::impl::LoomReadBoundariesBase<LoomReadBoundariesPass> {
  using LoomReadBoundariesBase::LoomReadBoundariesBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    mergeEqual(func);
    CopiedOperations copied;
    // Views of a view are read first.
    for (SmallVector<loom::BoundaryOp> outer = findOuter(func); !outer.empty();
         outer = findOuter(func)) {
      // Indices that are the same in inner loops tell that in front of them.
      func.walk([](scf::ForOp loop) { moveLoopInvariantCode(loop); });
      if (splits)
        splitLoops(func, outer, copied);
      DominanceInfo dominance(func);
      for (loom::BoundaryOp op : outer)
        if (failed(BoundaryReader(op, dominance).run()))
          return signalPassFailure();
    }
    // The bounds of parts are known in front of the loops around them.
    func.walk([](scf::ForOp loop) { moveLoopInvariantCode(loop); });
    mergeEqual(func);
  }

private:
  /// Loads of a stencil have indices in common, and few operations are what
  /// later passes take. An index depends on what it is computed of alone.
  static void mergeEqual(func::FuncOp func) {
    func.walk([](affine::AffineApplyOp op) {
      AffineMap map = op.getAffineMap();
      SmallVector<Value> operands(op.getMapOperands());
      affine::canonicalizeMapAndOperands(&map, &operands);
      op.setMap(map);
      op->setOperands(operands);
    });
    EqualNumbers numbers;
    EqualNumbers::ScopeTy scope(numbers);
    for (Block &block : func.getBody())
      mergeEqual(block, numbers);
  }

  /// Numbers that were computed in front, in the block and in those around it.
  using EqualNumbers =
      llvm::ScopedHashTable<Operation *, Operation *, loom::EqualOperation>;

  /// Merges what computes numbers of numbers. Accesses and views of memory stay
  /// as they are: each has its own check in front of it (mem-6).
  static void mergeEqual(Block &block, EqualNumbers &numbers) {
    EqualNumbers::ScopeTy scope(numbers);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          mergeEqual(inner, numbers);
      if (op.getNumRegions() != 0 || op.getNumResults() == 0 || !isPure(&op) ||
          llvm::any_of(op.getOperandTypes(), isMemory) ||
          llvm::any_of(op.getResultTypes(), isMemory))
        continue;
      if (Operation *before = numbers.lookup(&op)) {
        op.replaceAllUsesWith(before->getResults());
        op.erase();
      } else {
        numbers.insert(&op, &op);
      }
    }
  }

  /// The boundaries of memory of which there is no boundary.
  static SmallVector<loom::BoundaryOp> findOuter(func::FuncOp func) {
    SmallVector<loom::BoundaryOp> outer;
    func.walk([&](loom::BoundaryOp op) {
      if (op.isOfMemory() && llvm::none_of(op->getUsers(), [](Operation *user) {
            return isa<loom::BoundaryOp>(user);
          }))
        outer.push_back(op);
    });
    return outer;
  }
};

} // namespace
