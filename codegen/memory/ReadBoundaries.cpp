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
#include "dialect/MemoryFunction.h"
#include "lower/boundary/BoundaryElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMREADBOUNDARIES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Moves the insertion point in front of the loops in which both values are the
/// same.
static void leaveLoops(OpBuilder &b, Value x, Value y) {
  while (auto loop =
             dyn_cast<scf::ForOp>(b.getInsertionBlock()->getParentOp())) {
    if (!loop.isDefinedOutsideOfLoop(x) || !loop.isDefinedOutsideOfLoop(y))
      return;
    b.setInsertionPoint(loop);
  }
}

namespace {

/// Reads one boundary.
class BoundaryReader {
public:
  explicit BoundaryReader(loom::BoundaryOp op) : op(op) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (int64_t axis : llvm::seq(op.getShapedType().getRank()))
      extents.push_back(getValueOrCreateConstantIndexOp(
          b, op.getLoc(),
          memref::getMixedSize(b, op.getLoc(), op.getSource(), axis)));
    for (OpFoldResult size : op.getMixedLow())
      low.push_back(getValueOrCreateConstantIndexOp(b, op.getLoc(), size));
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
  void read(memref::LoadOp load) {
    OpBuilder b(load);
    Location loc = load.getLoc();
    lower::BoundaryElement element;
    element.mode = op.getMode();
    element.extents = extents;
    element.isInside.resize(extents.size());
    for (int64_t axis : getInsideAxes(load))
      element.isInside.set(axis);
    bool selects = isInContraction(load);
    for (auto [axis, value] : llvm::enumerate(load.getIndices())) {
      if (!goesBeyond(op, axis))
        element.isInside.set(axis);
      Value index = value;
      OpBuilder::InsertionGuard guard(b);
      leaveLoops(b, value, op.getResult());
      if (getConstantIntValue(low[axis]) != 0)
        index = arith::SubIOp::create(b, loc, value, low[axis]);
      if (!element.isInside.test(axis) &&
          op.getMode() != loom::BoundaryMode::Constant) {
        // What is computed for a whole row is computed in front of it.
        index = lower::emitPlace(b, loc, op.getMode(), index, extents[axis],
                                 selects);
        element.isInside.set(axis);
      }
      element.indices.push_back(index);
    }
    Value read = element.emit(
        b, loc,
        [&](OpBuilder &inner, ValueRange indices) -> Value {
          auto made =
              memref::LoadOp::create(inner, loc, op.getSource(), indices);
          made->setDiscardableAttrs(load->getDiscardableAttrDictionary());
          setInsideAxes(made, {});
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
  SmallVector<Value> extents, low;
};

struct LoomReadBoundariesPass
    : codegen::impl::LoomReadBoundariesBase<LoomReadBoundariesPass> {
  using LoomReadBoundariesBase::LoomReadBoundariesBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    CopiedOperations copied;
    // Views of a view are read first.
    for (SmallVector<loom::BoundaryOp> outer = findOuter(func); !outer.empty();
         outer = findOuter(func)) {
      // Indices that are the same in inner loops tell that in front of them.
      func.walk([](scf::ForOp loop) { moveLoopInvariantCode(loop); });
      if (splits)
        splitLoops(func, outer, copied);
      for (loom::BoundaryOp op : outer)
        if (failed(BoundaryReader(op).run()))
          return signalPassFailure();
    }
    eraseMarksOfEnds(func);
  }

private:
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
