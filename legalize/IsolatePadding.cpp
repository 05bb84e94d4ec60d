//===- IsolatePadding.cpp - where padding is computed ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMISOLATEPADDING
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Whether an element of the result, whose indices are the arguments of the
/// body, is one of the source.
static Value isOfSource(ImplicitLocOpBuilder &b, tensor::PadOp pad) {
  Value all = arith::ConstantIntOp::create(b, 1, 1);
  SmallVector<OpFoldResult> low = pad.getMixedLowPad();
  for (auto [axis, index] :
       llvm::enumerate(pad.getRegion().front().getArguments())) {
    Value begin = getValueOrCreateConstantIndexOp(b, b.getLoc(), low[axis]);
    Value extent = b.createOrFold<tensor::DimOp>(pad.getSource(), axis);
    // An index before the source wraps, and is then beyond its extent.
    Value within = arith::SubIOp::create(b, index, begin);
    Value isWithin =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, within, extent);
    all = arith::AndIOp::create(b, all, isWithin);
  }
  return all;
}

/// Whether `op` is computed for any element without a guard.
static bool isFree(Operation &op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return extract.getIndices().empty();
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         isSpeculatable(&op);
}

static void computeAlone(tensor::PadOp pad) {
  Block &body = pad.getRegion().front();
  Operation *yield = body.getTerminator();
  auto element = pad.getResultType().getElementType();
  if (llvm::all_of(body.without_terminator(), isFree) ||
      !element.isIntOrIndexOrFloat())
    return;
  ImplicitLocOpBuilder b(pad.getLoc(), pad.getContext());
  b.setInsertionPointToStart(&body);
  auto first = b.getInsertionPoint();
  Value inside = isOfSource(b, pad);
  auto branch = scf::IfOp::create(b, TypeRange(element), inside,
                                  /*withElseRegion=*/true);
  Block *padding = branch.elseBlock();
  padding->getOperations().splice(padding->end(), body.getOperations(), first,
                                  yield->getIterator());
  b.setInsertionPointToEnd(padding);
  scf::YieldOp::create(b, yield->getOperands());
  b.setInsertionPointToEnd(branch.thenBlock());
  Value any = arith::ConstantOp::create(b, b.getZeroAttr(element));
  scf::YieldOp::create(b, any);
  yield->setOperands(branch.getResults());
}

namespace {

struct LoomIsolatePaddingPass
    : legalize::impl::LoomIsolatePaddingBase<LoomIsolatePaddingPass> {
  LogicalResult apply(ModuleOp module) override {
    SmallVector<tensor::PadOp> pads;
    module.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    llvm::for_each(pads, computeAlone);
    return success();
  }
};

} // namespace
