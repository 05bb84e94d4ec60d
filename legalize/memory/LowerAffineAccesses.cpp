//===- LowerAffineAccesses.cpp - loads and stores by affine maps ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"
#include "dialect/CheckedAxes.h"
#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERAFFINEACCESSES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static void takeMarks(Operation *made, Operation *op) {
  infer::takeOrigin(made, op);
  for (StringRef mark : {loom::kChecked, loom::kCheckedAxes, loom::kCheckOnly})
    if (Attribute attribute = op->getAttr(mark))
      made->setAttr(mark, attribute);
}

static void lower(affine::AffineLoadOp op) {
  OpBuilder builder(op);
  auto made = memref::LoadOp::create(
      builder, op.getLoc(), op.getMemRef(),
      computeResults(builder, op, op.getAffineMap(), op.getMapOperands()));
  takeMarks(made, op);
  if (std::string name = loom::getValueName(op.getResult()); !name.empty())
    loom::setResultName(made, StringRef(name).drop_front());
  op.replaceAllUsesWith(made.getResult());
  op.erase();
}

static void lower(affine::AffineStoreOp op) {
  OpBuilder builder(op);
  auto made = memref::StoreOp::create(
      builder, op.getLoc(), op.getValueToStore(), op.getMemRef(),
      computeResults(builder, op, op.getAffineMap(), op.getMapOperands()));
  takeMarks(made, op);
  op.erase();
}

namespace {

struct LoomLowerAffineAccessesPass
    : legalize::impl::LoomLowerAffineAccessesBase<LoomLowerAffineAccessesPass> {
  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        func.walk([](Operation *op) {
          if (auto load = dyn_cast<affine::AffineLoadOp>(op))
            lower(load);
          else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
            lower(store);
        });
    return success();
  }
};

} // namespace
