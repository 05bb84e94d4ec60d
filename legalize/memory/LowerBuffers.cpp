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

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

struct LoomLowerBuffersPass
    : legalize::impl::LoomLowerBuffersBase<LoomLowerBuffersPass> {
  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        func.walk([](Operation *op) {
          llvm::TypeSwitch<Operation *>(op)
              .Case<bufferization::AllocTensorOp,
                    bufferization::DeallocTensorOp, bufferization::CloneOp>(
                  [](auto it) { lower(it); });
        });
    return success();
  }
};

} // namespace
