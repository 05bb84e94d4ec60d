//===- DecomposeLinalg.cpp - operations of linalg that are no loops -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As upstream decomposes them, on tensors alone.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMDECOMPOSELINALG
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Both memrefs have one shape. Messages about the tensors could not name the
/// memory that they are read from.
static void constrainExtents(RewriterBase &rewriter, linalg::SoftmaxOp op) {
  Location loc = op.getLoc();
  for (int64_t axis = 0; axis < op.getInputOperandRank(); ++axis) {
    auto getExtent = [&](Value memory) -> Value {
      return memref::DimOp::create(rewriter, loc, memory, axis);
    };
    auto describe = [&](Value memory) {
      return "axis " + std::to_string(axis) + " of " +
             escapeTemplate(infer::describeMemory(memory)) + " has ";
    };
    Value input = getExtent(op.getInput()), output = getExtent(op.getOutput());
    Value isSame = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, input, output);
    loom::ConstrainOp::create(rewriter, loc, infer::getOrigin(op), isSame,
                              describe(op.getInput()) + "extent {0} but " +
                                  describe(op.getOutput()) + "{1}",
                              ValueRange{input, output});
  }
}

/// The operation on what its memory holds, whose result is written to memory.
static linalg::SoftmaxOp computeOnTensors(RewriterBase &rewriter,
                                          linalg::SoftmaxOp op) {
  constrainExtents(rewriter, op);
  Location loc = op.getLoc();
  auto take = [&](Value memory) -> Value {
    return bufferization::ToTensorOp::create(
        rewriter, loc, memref::getTensorTypeFromMemRefType(memory.getType()),
        memory, /*restrict=*/true);
  };
  Value input = take(op.getInput()), output = take(op.getOutput());
  auto made =
      linalg::SoftmaxOp::create(rewriter, loc, TypeRange(output.getType()),
                                input, output, op.getDimensionAttr());
  bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, /*result=*/Type(), made->getResult(0), op.getOutput(),
      /*restrict=*/true, /*writable=*/true);
  rewriter.eraseOp(op);
  rewriter.setInsertionPoint(made);
  return made;
}

static LogicalResult rewrite(RewriterBase &rewriter, linalg::SoftmaxOp op) {
  if (isa<MemRefType>(op.getInput().getType()))
    op = computeOnTensors(rewriter, op);
  FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
  if (succeeded(parts))
    rewriter.replaceOp(op, *parts);
  return parts;
}

static LogicalResult rewrite(RewriterBase &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::SoftmaxOp it) { return rewrite(rewriter, it); })
      .Case([&](linalg::PackOp it) {
        return linalg::lowerPack(rewriter, it,
                                 /*lowerPadLikeWithInsertSlice=*/false);
      })
      .Case([&](linalg::UnPackOp it) {
        return linalg::lowerUnPack(rewriter, it,
                                   /*lowerUnpadLikeWithExtractSlice=*/false);
      })
      .Case([&](linalg::WinogradFilterTransformOp it) {
        return linalg::decomposeWinogradFilterTransformOp(rewriter, it);
      })
      .Case([&](linalg::WinogradInputTransformOp it) {
        return linalg::decomposeWinogradInputTransformOp(rewriter, it);
      })
      .Case([&](linalg::WinogradOutputTransformOp it) {
        return linalg::decomposeWinogradOutputTransformOp(rewriter, it);
      });
}

/// Messages about its parts name the operation.
static LogicalResult decompose(Operation *op) {
  Block *block = op->getBlock();
  Operation *before = op->getPrevNode(), *after = op->getNextNode();
  OwningOpRef<Operation *> named(op->clone());
  IRRewriter rewriter(op);
  if (failed(rewrite(rewriter, op)))
    return emitError((*named)->getLoc())
           << "'" << infer::getOrigin(*named) << "' cannot be decomposed";
  for (Operation &part : llvm::make_range(
           before ? std::next(before->getIterator()) : block->begin(),
           after->getIterator()))
    infer::takeOrigin(&part, *named);
  return success();
}

namespace {

struct LoomDecomposeLinalgPass
    : legalize::impl::LoomDecomposeLinalgBase<LoomDecomposeLinalgPass> {
  LogicalResult apply(ModuleOp module) override {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp,
              linalg::WinogradFilterTransformOp,
              linalg::WinogradInputTransformOp,
              linalg::WinogradOutputTransformOp>(op))
        ops.push_back(op);
    });
    return success(llvm::all_of(
        ops, [](Operation *op) { return succeeded(decompose(op)); }));
  }
};

} // namespace
