//===- TosaToLinalgRfc.cpp - the strategy rfc -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/PolicyValues.h"
#include "infer/report/CollectedReport.h"
#include "legalize/Legalizer.h"
#include "lower/Passes.h"
#include "lower/linalg/RfcBroadcast.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_CONVERTTOSATOLINALGRFC
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;
using namespace broadloom::lower;

/// The map that reads axis i of an operand at index 0 if the axis is repeated
/// by its type.
static AffineMap getReadMap(OpBuilder &builder, RankedTensorType operand,
                            ArrayRef<TargetExtent> targets) {
  SmallVector<AffineExpr> read;
  for (auto [axis, target] : llvm::enumerate(targets)) {
    bool isRepeated = operand.getDimSize(axis) == 1 &&
                      getConstantIntValue(target.extent) != 1;
    read.push_back(isRepeated ? builder.getAffineConstantExpr(0)
                              : builder.getAffineDimExpr(axis));
  }
  return AffineMap::get(targets.size(), 0, read, builder.getContext());
}

/// Emits the element-wise operation itself on broadcast operands.
static FailureOr<Value> compute(OpBuilder &builder, Elementwise &elementwise,
                                ArrayRef<Value> operands,
                                ArrayRef<TargetExtent> targets) {
  Location loc = elementwise.op->getLoc();
  SmallVector<OpFoldResult> extents = llvm::map_to_vector(
      targets, [](const TargetExtent &target) { return target.extent; });
  Value empty = tensor::EmptyOp::create(
      builder, loc, extents, getElementTypeOrSelf(elementwise.declaredType));
  SmallVector<AffineMap> maps;
  for (Value operand : operands)
    maps.push_back(getReadMap(
        builder, cast<RankedTensorType>(operand.getType()), targets));
  maps.push_back(builder.getMultiDimIdentityMap(targets.size()));
  SmallVector<utils::IteratorType> iterators(targets.size(),
                                             utils::IteratorType::parallel);
  bool good = true;
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), operands, empty, maps, iterators,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        SmallVector<Element> elements;
        for (Value argument : arguments.drop_back())
          elements.push_back({argument, {}});
        FailureOr<Value> result = buildBody(body, elementwise, elements);
        good = succeeded(result);
        linalg::YieldOp::create(body, loc, good ? *result : arguments.back());
      });
  if (!good)
    return failure();
  return generic.getResult(0);
}

/// rfc-4: the unsigned maximum of the extents 0 and 1 is 1, but their broadcast
/// is 0.
static void refuseZeroWithOne(OpBuilder &builder, Elementwise &elementwise,
                              ArrayRef<Value> operands,
                              ArrayRef<TargetExtent> targets) {
  Location loc = elementwise.op->getLoc();
  Type index = builder.getIndexType();
  for (auto [axis, target] : llvm::enumerate(targets)) {
    if (!target.isMaximum)
      continue;
    Value least, greatest;
    for (auto [operand, shape] : llvm::zip(operands, elementwise.shapes)) {
      if (!cast<RankedTensorType>(operand.getType()).isDynamicDim(axis))
        continue;
      // The shape is from before the ranks were equalized.
      int64_t rank = cast<loom::ShapeType>(shape.getType()).getRank();
      int64_t own = int64_t(axis) - int64_t(targets.size()) + rank;
      Value extent = loom::ExtentOp::create(builder, loc, index, shape, own);
      least =
          least
              ? arith::MinUIOp::create(builder, loc, least, extent).getResult()
              : extent;
      greatest = greatest
                     ? arith::MaxUIOp::create(builder, loc, greatest, extent)
                           .getResult()
                     : extent;
    }
    auto differs = [&](Value value, int64_t number) -> Value {
      return arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ne, value,
          arith::ConstantIndexOp::create(builder, loc, number));
    };
    Value holds = arith::OrIOp::create(builder, loc, differs(least, 0),
                                       differs(greatest, 1));
    loom::ConstrainOp::create(
        builder, loc, elementwise.op->getName().getStringRef(), holds,
        "the strategy rfc does not broadcast an extent 0 with an extent 1: "
        "extents {0} and {1} along axis " +
            std::to_string(axis),
        ValueRange{least, greatest});
  }
}

static FailureOr<Value> lowerByRfc(OpBuilder &builder,
                                   Elementwise &elementwise) {
  BroadcastableOpInterface op = elementwise.op;
  for (auto [i, operand] :
       llvm::zip(op.getBroadcastOperands(), elementwise.operands))
    if (!isa<RankedTensorType>(operand.getType()))
      return op->emitOpError("operand ")
             << i
             << " has no known rank, which the strategy rfc does not take; "
             << "use the default strategy";
  RfcBroadcast broadcast(builder, op->getLoc());
  SmallVector<Value> operands = elementwise.operands;
  broadcast.equalizeRanks(operands);
  SmallVector<TargetExtent> targets = broadcast.computeTargets(operands);
  if (!elementwise.shapes.empty())
    refuseZeroWithOne(builder, elementwise, operands, targets);
  broadcast.broadcastRunTimeExtents(operands, targets);
  return compute(builder, elementwise, operands, targets);
}

namespace {

struct ConvertTosaToLinalgRfcPass
    : lower::impl::ConvertTosaToLinalgRfcBase<ConvertTosaToLinalgRfcPass> {
  using ConvertTosaToLinalgRfcBase::ConvertTosaToLinalgRfcBase;

  void runOnOperation() override {
    LegalizeOptions options;
    options.dynamicToStatic = dynamicToStatic;
    options.report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    options.constraints = constraints;
    // The RFC lowers each operation by its own types.
    options.refine = false;
    if (failed(Legalizer(getOperation(), options, lowerByRfc)
                   .run(*this, getCachedAnalysis<LegalizationSteps>())))
      signalPassFailure();
  }
};

} // namespace
