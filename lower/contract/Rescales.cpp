//===- Rescales.cpp - sums of integers, rescaled --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/Rescales.h"

#include "dialect/LoomDialect.h"
#include "scalar/RescaleBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

/// The numbers of a constant, or null.
static DenseIntElementsAttr getConstant(Value value) {
  DenseIntElementsAttr numbers;
  return matchPattern(value, m_Constant(&numbers)) ? numbers : nullptr;
}

namespace {

/// The operands of a rescale that can be part of a contraction's body. The zero
/// point of an i32 is 0.
struct ConstantRescale {
  DenseIntElementsAttr multiplier, shift;
  FailureOr<int64_t> inputZero, outputZero;

  explicit ConstantRescale(tosa::RescaleOp op)
      : multiplier(getConstant(op.getMultiplier())),
        shift(getConstant(op.getShift())), inputZero(op.getInputZeroPoint()),
        outputZero(op.getOutputZeroPoint()) {}

  bool areKnown() const {
    auto areSome = [](DenseIntElementsAttr numbers) {
      return numbers && numbers.getNumElements() > 0;
    };
    return areSome(multiplier) && areSome(shift) && succeeded(inputZero) &&
           *inputZero == 0 && succeeded(outputZero) &&
           multiplier.getNumElements() == shift.getNumElements();
  }
};

} // namespace

/// Whether there is one multiplier for all, or one for each channel by type.
static bool hasChannels(tosa::RescaleOp op, const ConstantRescale &numbers) {
  if (numbers.multiplier.getNumElements() == 1)
    return true;
  auto type = cast<RankedTensorType>(op.getInput().getType());
  return op.getPerChannel() && type.getRank() > 0 &&
         type.getShape().back() == numbers.multiplier.getNumElements();
}

/// Emits the body; its arguments are the sum and, unless they are the same for
/// all channels, the multiplier and the shift.
static void buildBody(OpBuilder &b, Block *block, tosa::RescaleOp op,
                      const ConstantRescale &numbers) {
  Location loc = op.getLoc();
  scalar::RescaleBody body(
      b, loc, op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND);
  unsigned next = 1;
  auto getNumber = [&](DenseIntElementsAttr number) {
    return number.isSplat()
               ? body.constant(number.getSplatValue<APInt>().getSExtValue())
               : body.widen(block->getArgument(next++), false);
  };
  Value value = body.widen(block->getArgument(0), false);
  Value multiplier = getNumber(numbers.multiplier);
  Value shift = getNumber(numbers.shift);
  scalar::RescaleBody::Shifts known{INT64_MAX, INT64_MIN};
  for (const APInt &number : numbers.shift.getValues<APInt>()) {
    known.least = std::min(known.least, number.getSExtValue());
    known.most = std::max(known.most, number.getSExtValue());
  }
  value = body.scale(value, multiplier, shift, known);
  Type element = getElementTypeOrSelf(op.getResult().getType());
  loom::YieldOp::create(b, loc,
                        body.addZero(value, *numbers.outputZero, element));
}

void lower::convertRescale(IRRewriter &rewriter, tosa::RescaleOp op) {
  ConstantRescale numbers(op);
  Type element = getElementTypeOrSelf(op.getResult().getType());
  if (!op.getInput().getDefiningOp<loom::ContractOp>() || !numbers.areKnown() ||
      !getElementTypeOrSelf(op.getInput().getType()).isInteger(32) ||
      !element.isSignlessInteger() || element.getIntOrFloatBitWidth() > 32 ||
      op.getInputUnsigned() || op.getOutputUnsigned() ||
      !isa<RankedTensorType>(op.getInput().getType()) ||
      op.getInput().getType() != cast<ShapedType>(op.getResult().getType())
                                     .clone(rewriter.getI32Type()) ||
      !hasChannels(op, numbers))
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs = {op.getInput()};
  if (!numbers.multiplier.isSplat())
    inputs.push_back(op.getMultiplier());
  if (!numbers.shift.isSplat())
    inputs.push_back(op.getShift());
  auto map =
      loom::MapOp::create(rewriter, op.getLoc(), op->getResultTypes(), inputs);
  using loom::AxisAccess;
  SmallVector<Attribute> kinds;
  SmallVector<Type> elements;
  SmallVector<Location> locations(inputs.size(), op.getLoc());
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    elements.push_back(type.getElementType());
    kinds.push_back(loom::AccessAttr::get(
        rewriter.getContext(), /*ranked=*/true,
        SmallVector<AxisAccess>(type.getRank(), AxisAccess::Match)));
  }
  map.setKindsAttr(rewriter.getArrayAttr(kinds));
  Block *block = rewriter.createBlock(&map.getBody(), {}, elements, locations);
  buildBody(rewriter, block, op, numbers);
  rewriter.replaceOp(op, map);
}
