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

void lower::replaceByContraction(IRRewriter &rewriter, Operation *op,
                                 Value image, Value weight, Value bias,
                                 const ContractedSum &sum,
                                 const ContractedWindow &window) {
  Location loc = op->getLoc();
  SmallVector<Value> inputs = {image, weight};
  if (bias)
    inputs.push_back(bias);
  auto contract = loom::ContractOp::create(
      rewriter, loc, op->getResultTypes(), inputs, window.strides,
      window.dilations, window.pads,
      sum.zeroPoints.empty() ? DenseI64ArrayAttr()
                             : rewriter.getDenseI64ArrayAttr(sum.zeroPoints),
      /*packed=*/DenseI64ArrayAttr(), window.depthwise);
  Block *body = rewriter.createBlock(&contract.getBody());
  Value value = body->addArgument(sum.type, loc);
  if (bias) {
    Value more = convertScalarToDtype(
        rewriter, loc, body->addArgument(getElementTypeOrSelf(bias), loc),
        sum.type,
        /*isUnsignedCast=*/false);
    value = isa<FloatType>(sum.type)
                ? arith::AddFOp::create(rewriter, loc, value, more).getResult()
                : arith::AddIOp::create(rewriter, loc, value, more).getResult();
  }
  value = convertScalarToDtype(rewriter, loc, value,
                               getElementTypeOrSelf(op->getResult(0)),
                               /*isUnsignedCast=*/false);
  loom::YieldOp::create(rewriter, loc, value);
  rewriter.replaceOp(op, contract);
}
