//===- TosaToLoom.cpp - legalization of element-wise TOSA -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/PolicyValues.h"
#include "infer/report/CollectedReport.h"
#include "legalize/Legalizer.h"
#include "legalize/Passes.h"
#include "legalize/TosaConstants.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_CONVERTTOSATOLOOM
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

/// Whether `type`, of a constant, adds nothing to the broadcast of the
/// `others`: one of them has its rank, and each extent that is not 1 (rt-6).
static bool addsNothing(RankedTensorType type, ArrayRef<Value> others) {
  bool hasRank = false;
  SmallVector<bool> found = llvm::map_to_vector(
      type.getShape(), [](int64_t extent) { return extent == 1; });
  for (Value other : others) {
    auto otherType = dyn_cast<RankedTensorType>(other.getType());
    if (!otherType)
      continue;
    hasRank |= otherType.getRank() >= type.getRank();
    auto pairs = llvm::zip(llvm::reverse(found), llvm::reverse(type.getShape()),
                           llvm::reverse(otherType.getShape()));
    for (auto [isFound, extent, otherExtent] : pairs)
      isFound |= extent == otherExtent;
  }
  return hasRank && llvm::all_of(found, [](bool isFound) { return isFound; });
}

/// The elements of the operands that broadcast: constants that add nothing to
/// the result's shape by value, the others by number (in `inputs`).
static SmallVector<Element> splitConstants(ArrayRef<Value> operands,
                                           SmallVectorImpl<Value> &inputs) {
  SmallVector<TypedAttr> splats = llvm::map_to_vector(
      operands, [](Value operand) { return getSplatScalar(operand); });
  SmallVector<Value> others;
  for (auto [operand, splat] : llvm::zip(operands, splats))
    if (!splat)
      others.push_back(operand);
  SmallVector<Element> elements(operands.size());
  for (auto [operand, splat, element] : llvm::zip(operands, splats, elements)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (splat && type && addsNothing(type, others))
      element.constant = splat;
    else if (!llvm::is_contained(inputs, operand))
      inputs.push_back(operand);
  }
  return elements;
}

static FailureOr<Value> buildMap(OpBuilder &builder, Elementwise &elementwise) {
  Location loc = elementwise.op->getLoc();
  SmallVector<Value> inputs;
  SmallVector<Element> elements = splitConstants(elementwise.operands, inputs);
  for (const Element &scalar : elementwise.scalars)
    if (scalar.value)
      inputs.push_back(scalar.value);

  auto map = loom::MapOp::create(builder, loc,
                                 TypeRange(elementwise.refinedType), inputs);
  Block *body = &map.getBody().emplaceBlock();
  DenseMap<Value, Value> argumentOf;
  for (Value input : inputs)
    argumentOf[input] =
        body->addArgument(getElementTypeOrSelf(input.getType()), loc);
  for (auto [element, operand] : llvm::zip(elements, elementwise.operands))
    if (!element.constant)
      element.value = argumentOf.lookup(operand);
  Elementwise inside = elementwise;
  for (Element &scalar : inside.scalars)
    if (scalar.value)
      scalar.value = argumentOf.lookup(scalar.value);

  OpBuilder inner = OpBuilder::atBlockBegin(body);
  FailureOr<Value> result = buildBody(inner, inside, elements);
  if (failed(result))
    return failure();
  loom::YieldOp::create(inner, loc, *result);
  return map.getResult(0);
}

namespace {

struct ConvertTosaToLoomPass
    : legalize::impl::ConvertTosaToLoomBase<ConvertTosaToLoomPass> {
  using ConvertTosaToLoomBase::ConvertTosaToLoomBase;

  void runOnOperation() override {
    LegalizeOptions options;
    options.dynamicToStatic = dynamicToStatic;
    options.report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    if (failed(Legalizer(getOperation(), options, buildMap)
                   .run(*this, getCachedAnalysis<LegalizationSteps>())))
      signalPassFailure();
  }
};

} // namespace
