//===- LowerBuffers.cpp - what bufferization makes and copies -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hints of `bufferization` where memory should be are no part of what a program
// computes: tensors are values.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERBUFFERS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

static void lower(bufferization::AllocTensorOp op) {
  OpBuilder b(op);
  Value tensor = op.getCopy();
  if (!tensor) {
    tensor = tensor::EmptyOp::create(b, op.getLoc(), op.getType(),
                                     op.getDynamicSizes());
    infer::takeOrigin(tensor.getDefiningOp(), op);
  }
  op.replaceAllUsesWith(tensor);
  op.erase();
}

static void lower(bufferization::DeallocTensorOp op) { op.erase(); }

static void lower(bufferization::CloneOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getType());
  SmallVector<Value> extents;
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
    if (type.isDynamicDim(axis))
      extents.push_back(memref::DimOp::create(b, loc, op.getInput(), axis));
  auto made = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), extents);
  auto copy = memref::CopyOp::create(b, loc, op.getInput(), made);
  for (Operation *part : {made.getOperation(), copy.getOperation()})
    infer::takeOrigin(part, op);
  Value memory = made;
  if (memory.getType() != type)
    memory = memref::CastOp::create(b, loc, type, memory);
  op.replaceAllUsesWith(memory);
  op.erase();
}

namespace {

/// mem-9. Memory is freed where its condition holds, no retained memory is of
/// its allocation, and none that is freed before it.
class DeallocLowering {
public:
  explicit DeallocLowering(bufferization::DeallocOp op)
      : op(op), b(op), loc(op.getLoc()) {}

  void run() {
    ValueRange memory = op.getMemrefs(), conditions = op.getConditions();
    SmallVector<Value> owned(op.getRetained().size(), truth(false)), frees;
    for (auto [i, freed] : llvm::enumerate(memory)) {
      Value holds = conditions[i];
      for (auto [retained, isOwned] :
           llvm::zip_equal(op.getRetained(), owned)) {
        Value shared = share(freed, retained);
        isOwned = b.createOrFold<arith::OrIOp>(
            loc, isOwned,
            b.createOrFold<arith::AndIOp>(loc, conditions[i], shared));
        holds = exclude(holds, shared);
      }
      for (auto [before, condition] :
           llvm::zip(memory.take_front(i), conditions))
        holds = exclude(holds, b.createOrFold<arith::AndIOp>(
                                   loc, condition, share(freed, before)));
      frees.push_back(holds);
    }
    for (auto [freed, holds] : llvm::zip_equal(memory, frees))
      free(freed, holds);
    op->replaceAllUsesWith(owned);
    op->erase();
  }

private:
  Value truth(bool holds) {
    return arith::ConstantIntOp::create(b, loc, holds, 1);
  }
  Value exclude(Value holds, Value condition) {
    Value other = b.createOrFold<arith::XOrIOp>(loc, condition, truth(true));
    return b.createOrFold<arith::AndIOp>(loc, holds, other);
  }
  /// Whether two memrefs are of one allocation, which the program may show.
  Value share(Value x, Value y) {
    Value from = loom::getRoot(x), other = loom::getRoot(y);
    if (from == other)
      return truth(true);
    if (isa_and_nonnull<memref::AllocOp>(from.getDefiningOp()) &&
        isa_and_nonnull<memref::AllocOp>(other.getDefiningOp()))
      return truth(false);
    return loom::SharesAllocationOp::create(b, loc, b.getI1Type(), x, y);
  }
  void free(Value memory, Value condition) {
    if (matchPattern(condition, m_Zero()))
      return;
    OpBuilder::InsertionGuard guard(b);
    if (!matchPattern(condition, m_One())) {
      auto branch = scf::IfOp::create(b, loc, condition, /*withElse=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    auto freed = memref::DeallocOp::create(b, loc, memory);
    infer::takeOrigin(freed, op);
  }

  bufferization::DeallocOp op;
  OpBuilder b;
  Location loc;
};

} // namespace

static void lower(bufferization::DeallocOp op) { DeallocLowering(op).run(); }

namespace {

struct LoomLowerBuffersPass
    : legalize::impl::LoomLowerBuffersBase<LoomLowerBuffersPass> {
  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        func.walk([](Operation *op) {
          llvm::TypeSwitch<Operation *>(op)
              .Case<bufferization::AllocTensorOp,
                    bufferization::DeallocTensorOp, bufferization::DeallocOp,
                    bufferization::CloneOp>([](auto it) { lower(it); });
        });
    return success();
  }
};

} // namespace
