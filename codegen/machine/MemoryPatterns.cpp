//===- MemoryPatterns.cpp - accesses to memory of any strides -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's lowering takes strides for unsigned numbers (`nuw`), but the
// strides of a caller's array may be negative. An index that is inside its
// extent, as each has been checked to be, gives an address in memory that
// exists, so that signed arithmetic does not wrap.
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/MemoryPatterns.h"

#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "runtime/abi/Abi.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static Value getNumber(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                  b.getI64IntegerAttr(value));
}

static Value getAddress(OpBuilder &b, Location loc, MemRefType type,
                        Value descriptor, ValueRange indices) {
  MemRefDescriptor memory(descriptor);
  auto [strides, offset] = type.getStridesAndOffset();
  constexpr auto exact = LLVM::IntegerOverflowFlags::nsw;
  Value at;
  auto add = [&](Value term) {
    at = at ? Value(LLVM::AddOp::create(b, loc, at, term, exact)) : term;
  };
  if (ShapedType::isDynamic(offset))
    add(memory.offset(b, loc));
  else if (offset != 0)
    add(getNumber(b, loc, offset));
  for (auto [axis, index, stride] : llvm::enumerate(indices, strides)) {
    if (stride == 1) {
      add(index);
      continue;
    }
    Value by = ShapedType::isDynamic(stride) ? memory.stride(b, loc, axis)
                                             : getNumber(b, loc, stride);
    add(LLVM::MulOp::create(b, loc, index, by, exact));
  }
  Value base = memory.alignedPtr(b, loc);
  if (!at)
    return base;
  return LLVM::GEPOp::create(
      b, loc, base.getType(), getStorageType(type.getElementType()), base,
      ArrayRef<LLVM::GEPArg>{at}, LLVM::GEPNoWrapFlags::inbounds);
}

/// Takes over what an access does not overlap with.
static void takeScopes(Operation *from, LLVM::AliasAnalysisOpInterface to) {
  if (auto scopes = from->getAttrOfType<ArrayAttr>(kAliasScopes))
    to.setAliasScopes(scopes);
  if (auto others = from->getAttrOfType<ArrayAttr>(kNoAlias);
      others && !others.empty())
    to.setNoAliasScopes(others);
}

namespace {

struct LoadElement : ConvertOpToLLVMPattern<memref::LoadOp> {
  explicit LoadElement(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/20) {}

  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kOfAnyStrides))
      return failure();
    Location loc = op.getLoc();
    Value address = getAddress(rewriter, loc, op.getMemRefType(),
                               adaptor.getMemref(), adaptor.getIndices());
    auto stored = LLVM::LoadOp::create(rewriter, loc,
                                       getStorageType(op.getType()), address);
    takeScopes(op, stored);
    rewriter.replaceOp(op, fromStorage(rewriter, loc, stored, op.getType()));
    return success();
  }
};

struct StoreElement : ConvertOpToLLVMPattern<memref::StoreOp> {
  explicit StoreElement(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/20) {}

  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kOfAnyStrides))
      return failure();
    Location loc = op.getLoc();
    Value address = getAddress(rewriter, loc, op.getMemRefType(),
                               adaptor.getMemref(), adaptor.getIndices());
    Value stored = toStorage(rewriter, loc, op.getValue());
    takeScopes(op,
               rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, stored, address));
    return success();
  }
};

/// The slot has a block (BroadloomBlock) in front. Its memory is zeros, because
/// LLVM may take uninitialised memory for any number, another one each time.
struct TakeSlot : ConvertOpToLLVMPattern<memref::AllocaOp> {
  explicit TakeSlot(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/20) {}

  LogicalResult
  matchAndRewrite(memref::AllocaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kStackSlot))
      return failure();
    constexpr int64_t alignment = 64, blockBytes = 64;
    static_assert(sizeof(BroadloomBlock) <= blockBytes);
    Location loc = op.getLoc();
    MemRefType type = op.getType();
    int64_t bytes = blockBytes + getStorageBytes(type);
    Value block = LLVM::AllocaOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(op.getContext()),
        rewriter.getI8Type(), getNumber(rewriter, loc, bytes), alignment);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI8Type(),
                                          rewriter.getI8IntegerAttr(0));
    LLVM::MemsetOp::create(rewriter, loc, block, zero,
                           getNumber(rewriter, loc, bytes),
                           /*isVolatile=*/false);
    auto at = [&](int64_t offset) -> Value {
      return LLVM::GEPOp::create(rewriter, loc, block.getType(),
                                 rewriter.getI8Type(), block,
                                 ArrayRef<LLVM::GEPArg>{int32_t(offset)},
                                 LLVM::GEPNoWrapFlags::inbounds);
    };
    Value owner = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32Type(),
        rewriter.getI32IntegerAttr(BROADLOOM_OWNED_BY_SCOPE));
    LLVM::StoreOp::create(rewriter, loc, owner,
                          at(offsetof(BroadloomBlock, owner)));
    rewriter.replaceOp(op, {MemRefDescriptor::fromStaticShape(
                               rewriter, loc, *getTypeConverter(), type, block,
                               at(blockBytes))});
    return success();
  }
};

struct AskLive : ConvertOpToLLVMPattern<loom::IsLiveOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(loom::IsLiveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    static_assert(offsetof(BroadloomBlock, isFreed) == 0);
    Location loc = op.getLoc();
    Value block =
        MemRefDescriptor(adaptor.getMemref()).allocatedPtr(rewriter, loc);
    Type i32 = rewriter.getI32Type();
    Value freed = LLVM::LoadOp::create(rewriter, loc, i32, block);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i32,
                                          rewriter.getI32IntegerAttr(0));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq,
                                              freed, zero);
    return success();
  }
};

} // namespace

void codegen::addMemoryPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LoadElement, StoreElement, TakeSlot, AskLive>(converter);
}
