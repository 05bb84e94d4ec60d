//===- LoomBoundary.cpp - what goes on beyond its ends --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomBoundary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace broadloom::loom;

static LogicalResult verifyInterior(BoundaryOp op) {
  ArrayRef<int64_t> interior = op.getInterior();
  int64_t rank = op.getShapedType().getRank();
  if (!interior.empty() && int64_t(interior.size()) != rank)
    return op.emitOpError("has ")
           << interior.size()
           << " numbers for `interior`, but the source has rank " << rank;
  for (auto [axis, more] : llvm::enumerate(interior))
    if (more < 0 || more == std::numeric_limits<int64_t>::max())
      return op.emitOpError("has ")
             << more << " elements between each two along axis " << axis
             << ", expected 0 to 9223372036854775806";
  if (op.hasInterior() && op.getMode() != BoundaryMode::Constant)
    return op.emitOpError("has elements between others, which only mode "
                          "'constant' has; make them by a boundary of its own");
  return success();
}

LogicalResult BoundaryOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  ShapedType result = getShapedType();
  int64_t rank = source.getRank();
  if (isOfMemory() != isa<MemRefType>(result) || result.getRank() != rank ||
      result.getElementType() != source.getElementType())
    return emitOpError("makes ")
           << result << " of " << source
           << "; rank and elements are those of the source, and both are "
              "tensors or memory";
  if (auto memory = dyn_cast<MemRefType>(result);
      memory && (!memory.getLayout().isIdentity() ||
                 memory.getMemorySpace() !=
                     cast<MemRefType>(getSource().getType()).getMemorySpace()))
    return emitOpError("makes ")
           << result << " of " << source
           << "; write the result without a layout, in the same memory space";
  for (auto [name, numbers, dynamic] :
       {std::tuple("low", getStaticLow(), getLow().size()),
        std::tuple("high", getStaticHigh(), getHigh().size())}) {
    if (int64_t(numbers.size()) != rank)
      return emitOpError("has ") << numbers.size() << " numbers for `" << name
                                 << "`, but the source has rank " << rank;
    if (size_t(llvm::count(numbers, ShapedType::kDynamic)) != dynamic)
      return emitOpError("has ")
             << dynamic << " operands for `" << name << "`, where "
             << llvm::count(numbers, ShapedType::kDynamic) << " are wanted";
  }
  if (failed(verifyInterior(*this)))
    return failure();
  for (auto [axis, low, high] :
       llvm::enumerate(getStaticLow(), getStaticHigh())) {
    bool hasLow = !ShapedType::isDynamic(low),
         hasHigh = !ShapedType::isDynamic(high);
    int64_t sum = source.isDynamicDim(axis) ? 0 : source.getDimSize(axis);
    int64_t between;
    if ((hasLow && low < 0) || (hasHigh && high < 0))
      return emitOpError("has ")
             << (hasLow && low < 0 ? low : high) << " elements more along axis "
             << axis << ", expected at least 0";
    if (sum > 1 && (llvm::MulOverflow(sum - 1, getInteriorOf(axis), between) ||
                    llvm::AddOverflow(sum, between, sum)))
      return emitOpError("has ")
             << getInteriorOf(axis) << " elements between each two of the "
             << source.getDimSize(axis) << " along axis " << axis
             << ", whose number does not fit 63 bits";
    if ((hasLow && llvm::AddOverflow(sum, low, sum)) ||
        (hasHigh && llvm::AddOverflow(sum, high, sum)))
      return emitOpError("has padding of ")
             << (hasLow ? low : 0) << " and " << (hasHigh ? high : 0)
             << " for axis " << axis << ", which does not fit 63 bits";
  }
  bool isConstant = getMode() == BoundaryMode::Constant;
  if (isConstant != bool(getValue()))
    return emitOpError(isConstant ? "of mode 'constant' needs a value"
                                  : "has a value, which only mode 'constant' "
                                    "takes");
  if (isConstant && getValue().getType() != source.getElementType())
    return emitOpError("has a value of type ")
           << getValue().getType() << " for elements of type "
           << source.getElementType();
  return success();
}

Value broadloom::loom::getSpreadExtent(OpBuilder &b, Location loc, Value extent,
                                       int64_t interior) {
  if (interior == 0)
    return extent;
  auto number = [&](int64_t n) {
    return arith::ConstantIndexOp::create(b, loc, n);
  };
  Value all = arith::MulIOp::create(b, loc, extent, number(interior + 1));
  Value spread = arith::SubIOp::create(b, loc, all, number(interior));
  return arith::MaxSIOp::create(b, loc, spread, number(0));
}

LogicalResult
BoundaryOp::reifyResultShapes(OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reified) {
  SmallVector<OpFoldResult> low = getMixedLow(), high = getMixedHigh(), extents;
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, getLoc(), number);
  };
  ShapedType type = getShapedType();
  for (int64_t axis : llvm::seq(type.getRank())) {
    if (!type.isDynamicDim(axis)) {
      extents.push_back(b.getIndexAttr(type.getDimSize(axis)));
      continue;
    }
    Value sum = value(
        isOfMemory() ? memref::getMixedSize(b, getLoc(), getSource(), axis)
                     : tensor::getMixedSize(b, getLoc(), getSource(), axis));
    sum = getSpreadExtent(b, getLoc(), sum, getInteriorOf(axis));
    for (OpFoldResult more : {low[axis], high[axis]})
      if (getConstantIntValue(more) != 0)
        sum = arith::AddIOp::create(b, getLoc(), sum, value(more));
    extents.push_back(sum);
  }
  reified.assign(1, extents);
  return success();
}

Value BoundaryOp::getViewSource() { return getSource(); }
