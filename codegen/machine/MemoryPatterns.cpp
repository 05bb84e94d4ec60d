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

#include "codegen/layout/AbiTypes.h"
#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "runtime/abi/Abi.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static Value getNumber(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                  b.getI64IntegerAttr(value));
}

/// One step for each axis, from the outermost one on: LLVM then sees the
/// address of a row, and that two accesses of a loop differ in their last index
/// alone. Each step is inside the memory, in which 0 is an index of each axis.
static Value getAddress(OpBuilder &b, Location loc, MemRefType type,
                        Value descriptor, ValueRange indices) {
  MemRefDescriptor memory(descriptor);
  auto [strides, offset] = type.getStridesAndOffset();
  Value address = memory.alignedPtr(b, loc);
  Type element = getStorageType(type.getElementType());
  auto step = [&](Value elements) {
    address = LLVM::GEPOp::create(b, loc, address.getType(), element, address,
                                  ArrayRef<LLVM::GEPArg>{elements},
                                  LLVM::GEPNoWrapFlags::inbounds);
  };
  if (ShapedType::isDynamic(offset))
    step(memory.offset(b, loc));
  else if (offset != 0)
    step(getNumber(b, loc, offset));
  for (auto [axis, index, stride] : llvm::enumerate(indices, strides)) {
    if (stride == 1) {
      step(index);
      continue;
    }
    Value by = ShapedType::isDynamic(stride) ? memory.stride(b, loc, axis)
                                             : getNumber(b, loc, stride);
    step(LLVM::MulOp::create(b, loc, index, by,
                             LLVM::IntegerOverflowFlags::nsw));
  }
  return address;
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
    LLVM::StoreOp::create(rewriter, loc, at(blockBytes),
                          at(offsetof(BroadloomBlock, data)));
    LLVM::StoreOp::create(rewriter, loc, at(bytes),
                          at(offsetof(BroadloomBlock, end)));
    rewriter.replaceOp(op, {MemRefDescriptor::fromStaticShape(
                               rewriter, loc, *getTypeConverter(), type, block,
                               at(blockBytes))});
    return success();
  }
};

/// The block's global is made when all is converted (defineBlocks).
struct TakeGlobal : ConvertOpToLLVMPattern<memref::GetGlobalOp> {
  explicit TakeGlobal(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/20) {}

  LogicalResult
  matchAndRewrite(memref::GetGlobalOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kOfProgram))
      return failure();
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(op.getContext());
    Value data =
        LLVM::AddressOfOp::create(rewriter, loc, pointer, op.getName());
    Value block = LLVM::AddressOfOp::create(
        rewriter, loc, pointer, (kBlockPrefix + op.getName()).str());
    rewriter.replaceOp(op, {MemRefDescriptor::fromStaticShape(
                               rewriter, loc, *getTypeConverter(), op.getType(),
                               block, data)});
    return success();
  }
};

/// The address of a field of the block that the memory's descriptor names.
Value getField(OpBuilder &b, Location loc, MemRefDescriptor memory,
               size_t offset) {
  Value block = memory.allocatedPtr(b, loc);
  return LLVM::GEPOp::create(b, loc, block.getType(), b.getI8Type(), block,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

struct AskReach : ConvertOpToLLVMPattern<loom::ReachOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(loom::ReachOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefDescriptor memory(adaptor.getMemref());
    Type i64 = rewriter.getI64Type();
    Value base = LLVM::PtrToIntOp::create(rewriter, loc, i64,
                                          memory.alignedPtr(rewriter, loc));
    auto type = cast<MemRefType>(op.getMemref().getType());
    Value bytes =
        getNumber(rewriter, loc, getStorageBytes(type.getElementType()));
    auto read = [&](size_t offset) -> Value {
      Value at = getField(rewriter, loc, memory, offset);
      Value address = LLVM::LoadOp::create(rewriter, loc, i64, at);
      Value by = LLVM::SubOp::create(rewriter, loc, address, base);
      return LLVM::SDivOp::create(rewriter, loc, by, bytes);
    };
    rewriter.replaceOp(op, {read(offsetof(BroadloomBlock, data)),
                            read(offsetof(BroadloomBlock, end))});
    return success();
  }
};

struct AskWritable : ConvertOpToLLVMPattern<loom::IsWritableOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(loom::IsWritableOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value at = getField(rewriter, loc, MemRefDescriptor(adaptor.getMemref()),
                        offsetof(BroadloomBlock, owner));
    Type i32 = rewriter.getI32Type();
    Value owner = LLVM::LoadOp::create(rewriter, loc, i32, at);
    Value constant = LLVM::ConstantOp::create(
        rewriter, loc, i32,
        rewriter.getI32IntegerAttr(BROADLOOM_OWNED_BY_CONSTANT));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne,
                                              owner, constant);
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
    Value block = getMemoryBlock(rewriter, loc, adaptor.getMemref(),
                                 isa<MemRefType>(op.getMemref().getType()));
    Type i32 = rewriter.getI32Type();
    Value freed = LLVM::LoadOp::create(rewriter, loc, i32, block);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i32,
                                          rewriter.getI32IntegerAttr(0));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq,
                                              freed, zero);
    return success();
  }
};

struct CompareAllocations : ConvertOpToLLVMPattern<loom::SharesAllocationOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(loom::SharesAllocationOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = MemRefDescriptor(adaptor.getA()).allocatedPtr(rewriter, loc);
    Value b = MemRefDescriptor(adaptor.getB()).allocatedPtr(rewriter, loc);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq, a,
                                              b);
    return success();
  }
};

} // namespace

void codegen::addMemoryPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LoadElement, StoreElement, TakeSlot, TakeGlobal, AskLive,
               AskReach, AskWritable, CompareAllocations>(converter);
}

/// A BroadloomBlock for the memory of `global`.
static void defineBlock(LLVM::GlobalOp global, StringRef name) {
  OpBuilder b(global);
  Location loc = global.getLoc();
  Type i32 = b.getI32Type();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {i32, i32, pointer, pointer, pointer, pointer, pointer});
  static_assert(offsetof(BroadloomBlock, owner) == 4 &&
                offsetof(BroadloomBlock, data) == 8 &&
                offsetof(BroadloomBlock, end) == 16 &&
                sizeof(BroadloomBlock) == 48);
  auto block =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, Attribute());
  b.createBlock(&block.getInitializerRegion());
  Value made = LLVM::ZeroOp::create(b, loc, type);
  auto put = [&](Value value, int64_t field) {
    made = LLVM::InsertValueOp::create(b, loc, made, value,
                                       ArrayRef<int64_t>{field});
  };
  int32_t owner = global.getConstant() ? BROADLOOM_OWNED_BY_CONSTANT
                                       : BROADLOOM_OWNED_BY_GLOBAL;
  put(LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(owner)), 1);
  Value data = LLVM::AddressOfOp::create(b, loc, global);
  put(data, 2);
  put(LLVM::GEPOp::create(b, loc, pointer, global.getGlobalType(), data,
                          ArrayRef<LLVM::GEPArg>{1}),
      3);
  LLVM::ReturnOp::create(b, loc, made);
}

void codegen::defineBlocks(ModuleOp module) {
  llvm::StringMap<LLVM::GlobalOp> globals;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    globals[global.getSymName()] = global;
  llvm::StringSet<> defined;
  module.walk([&](LLVM::AddressOfOp op) {
    StringRef name = op.getGlobalName(), of = name;
    if (of.consume_front(kBlockPrefix) && defined.insert(name).second)
      defineBlock(globals.lookup(of), name);
  });
}
