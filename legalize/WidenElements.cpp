//===- WidenElements.cpp - computing in wider elements --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/WidenElements.h"

#include "dialect/WiderIntegers.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMWIDENELEMENTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static bool isFloat8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

/// Whether the operation computes with floats of 8 bits, as opposed to moving
/// and casting them.
static bool computesOnFloat8(Operation *op) {
  if (auto resize = dyn_cast<tosa::ResizeOp>(op);
      resize && resize.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR)
    return false;
  return (isTosaConvolution(op) ||
          isa<tosa::ArgMaxOp, tosa::AvgPool2dOp, tosa::MatMulOp,
              tosa::MaxPool2dOp, tosa::ResizeOp>(op)) &&
         isFloat8(op->getOperand(0).getType());
}

ArrayRef<unsigned> legalize::getZeroPoints(Operation *op) {
  static constexpr unsigned pool[] = {1, 2}, matmul[] = {2, 3},
                            convolution[] = {3, 4};
  if (isa<tosa::AvgPool2dOp>(op))
    return pool;
  if (isa<tosa::MatMulOp>(op))
    return matmul;
  if (isTosaConvolution(op))
    return convolution;
  return {};
}

static Type withElement(Type type, Type element) {
  return cast<ShapedType>(type).clone(element);
}

/// Changes the element type of `op`'s result to `element`, and casts it back.
static void castResult(Operation *op, Type element) {
  Value result = op->getResult(0);
  Type declared = result.getType();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  result.setType(withElement(declared, element));
  auto narrowed = tosa::CastOp::create(builder, op->getLoc(), declared, result);
  result.replaceAllUsesExcept(narrowed, narrowed);
}

/// A zero point of a float is 0.
static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  auto zero = cast<ShapedType>(type);
  if (!zero.hasStaticShape())
    zero = RankedTensorType::get({1}, zero.getElementType());
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(zero)));
}

/// Replaces zero points of floats, which may be arguments, by 0.
static void dropFloatZeroPoints(Operation *op, Type element) {
  OpBuilder builder(op);
  for (unsigned i : getZeroPoints(op)) {
    Type type = op->getOperand(i).getType();
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      op->setOperand(
          i, makeZero(builder, op->getLoc(), withElement(type, element)));
  }
}

/// Makes `op` compute in f16 if it computes with floats of 8 bits, and changes
/// an argmax to i64 to i32.
static void computeInWider(Operation *op) {
  if (auto argmax = dyn_cast<tosa::ArgMaxOp>(op);
      argmax && getElementTypeOrSelf(argmax.getType()).isInteger(64))
    castResult(op, IntegerType::get(op->getContext(), 32));
  if (!computesOnFloat8(op)) {
    if (llvm::any_of(getZeroPoints(op), [&](unsigned i) {
          return !matchPattern(op->getOperand(i), m_Constant());
        }))
      dropFloatZeroPoints(op, getElementTypeOrSelf(op->getOperand(0)));
    return;
  }
  OpBuilder builder(op);
  Type f16 = builder.getF16Type();
  dropFloatZeroPoints(op, f16);
  for (OpOperand &operand : op->getOpOperands())
    if (Type type = operand.get().getType(); isFloat8(type))
      operand.set(tosa::CastOp::create(builder, op->getLoc(),
                                       withElement(type, f16), operand.get()));
  if (isFloat8(op->getResult(0).getType()))
    castResult(op, f16);
}

namespace {

struct LoomWidenElementsPass
    : legalize::impl::LoomWidenElementsBase<LoomWidenElementsPass> {
  LogicalResult apply(ModuleOp module) override {
    widenIntegers(module, 4);
    module.walk(computeInWider);
    return success();
  }
};

} // namespace
