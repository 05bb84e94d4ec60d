//===- BooleanLoads.cpp - what a byte of an i1 tensor means ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/BooleanLoads.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LoadBoolean : ConvertOpToLLVMPattern<memref::LoadOp> {
  explicit LoadBoolean(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/10) {}

  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      return failure();
    Location loc = op.getLoc();
    Value address =
        getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                             adaptor.getMemref(), adaptor.getIndices());
    Type byte = rewriter.getI8Type();
    Value stored = LLVM::LoadOp::create(rewriter, loc, byte, address);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, byte, 0);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne,
                                              stored, zero);
    return success();
  }
};

} // namespace

void codegen::addBooleanLoads(const LLVMTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LoadBoolean>(converter);
}
