//===- ScfToCf.cpp - structured control flow to blocks --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each branch or loop splits its block, and what stands behind it moves to a
// new one. Upstream's pass begins with the first of a block, so that its last
// operations move once for each of them, and keeps every move: quadratic in
// time and memory. Here the last one comes first, by the same patterns.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/machine/LoopAnnotation.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/MiddleLoops.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSCFTOCF
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

static bool isStructured(Operation *op) {
  return isa_and_nonnull<scf::SCFDialect>(op->getDialect()) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

/// Hands a schedule's vectors on to LLVM, as an attribute that upstream's
/// pattern leaves at the branch of the loop (sch-16).
static void annotateVectors(Operation *loop) {
  auto lanes = loop->getAttrOfType<IntegerAttr>(codegen::kVectorLanes);
  if (!lanes)
    return;
  Builder b(loop->getContext());
  auto vectors = LLVM::LoopVectorizeAttr::get(
      b.getContext(), /*disable=*/b.getBoolAttr(false), {}, {},
      /*width=*/b.getI32IntegerAttr(lanes.getInt()), {}, {}, {});
  auto annotation =
      LLVM::LoopAnnotationAttr::get(b.getContext(), {}, vectors, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setAttr(codegen::kLoopAnnotation, annotation);
  if (auto text = loop->getAttrOfType<StringAttr>(codegen::kVectorLoop))
    loop->setLoc(NameLoc::get(text, loop->getLoc()));
}

/// Has LLVM leave an innermost loop at an end of a boundary as it is: it has
/// few iterations, and code for many takes long to make.
static void annotateEnd(Operation *loop) {
  if (!loop->hasAttr(codegen::kIsEnd) || loop->hasAttr(codegen::kVectorLanes) ||
      loop->walk([&](scf::ForOp inner) {
            return inner == loop ? WalkResult::advance()
                                 : WalkResult::interrupt();
          })
          .wasInterrupted())
    return;
  Builder b(loop->getContext());
  loop->setAttr(codegen::kLoopAnnotation,
                LLVM::LoopAnnotationAttr::get(
                    b.getContext(), /*disableNonforced=*/b.getBoolAttr(true),
                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

namespace {

/// The operations that are still to be rewritten, the next one at the end. An
/// operation comes before the operations in its regions, and the last operation
/// of a block before the others. An operation that a pattern makes is the next.
class Pending : public RewriterBase::Listener {
public:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (!previous.isSet() && isStructured(op))
      operations.push_back(op);
  }

  SmallVector<Operation *> operations;
};

struct LoomScfToCfPass : codegen::impl::LoomScfToCfBase<LoomScfToCfPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    Pending pending;
    getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isStructured(op))
        pending.operations.push_back(op);
      annotateVectors(op);
      annotateEnd(op);
    });
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    rewriter.setListener(&pending);
    while (!pending.operations.empty()) {
      Operation *op = pending.operations.pop_back_val();
      rewriter.setInsertionPoint(op);
      if (failed(applicator.matchAndRewrite(op, rewriter))) {
        op->emitOpError("has no form as blocks");
        return signalPassFailure();
      }
    }
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
