//===- MakeContraction.cpp - one for operations of TOSA and linalg --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/MakeContraction.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;

void lower::addContractionBody(OpBuilder &b, Location loc, Region &region,
                               Type sum, Type bias, Type element) {
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&region);
  Value value = body->addArgument(sum, loc);
  if (bias) {
    Value more = convertScalarToDtype(b, loc, body->addArgument(bias, loc), sum,
                                      /*isUnsignedCast=*/false);
    value = isa<FloatType>(sum)
                ? arith::AddFOp::create(b, loc, value, more).getResult()
                : arith::AddIOp::create(b, loc, value, more).getResult();
  }
  value = convertScalarToDtype(b, loc, value, element,
                               /*isUnsignedCast=*/false);
  loom::YieldOp::create(b, loc, value);
}

Value lower::makeContraction(OpBuilder &b, Location loc, Type type, Value image,
                             Value weight, Value bias, const ContractedSum &sum,
                             const ContractedWindow &window) {
  SmallVector<Value> inputs = {image, weight};
  if (bias)
    inputs.push_back(bias);
  auto contract = loom::ContractOp::create(
      b, loc, type, inputs, window.strides, window.dilations, window.pads,
      sum.zeroPoints.empty() ? DenseI64ArrayAttr()
                             : b.getDenseI64ArrayAttr(sum.zeroPoints),
      /*packed=*/DenseI64ArrayAttr(),
      window.kind == ContractionKind::Products
          ? loom::ContractionKindAttr()
          : loom::ContractionKindAttr::get(b.getContext(), window.kind),
      /*paddingMode=*/loom::PaddingModeAttr(), /*groups=*/IntegerAttr());
  addContractionBody(b, loc, contract.getBody(), sum.type,
                     bias ? getElementTypeOrSelf(bias) : Type(),
                     getElementTypeOrSelf(type));
  return contract->getResult(0);
}

void lower::replaceByContraction(IRRewriter &rewriter, Operation *op,
                                 Value image, Value weight, Value bias,
                                 const ContractedSum &sum,
                                 const ContractedWindow &window) {
  rewriter.replaceOp(op, makeContraction(rewriter, op->getLoc(),
                                         op->getResult(0).getType(), image,
                                         weight, bias, sum, window));
}
