//===- LowerAllocations.cpp - memory that a program manages ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations, frees and copies of functions over memory, as calls of the
// runtime.
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionContext.h"
#include "codegen/layout/Storage.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LocationText.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static Value makeSite(FunctionContext &c, StringRef operation) {
  return c.runtime.site(c.b, c.loc, operation, /*axis=*/-1, /*numValues=*/0,
                        "");
}

void broadloom::codegen::lower(FunctionContext &c, memref::AllocOp op) {
  MemRefType type = op.getType();
  int64_t rank = type.getRank();
  Value extents = c.frame.scratch(
      c.b, c.loc, int64_t(sizeof(int64_t)) * std::max<int64_t>(rank, 1));
  c.storeExtents(extents, type, op.getDynamicSizes());
  bool isOfScope = op->hasAttr(kOfScope);
  FrameSlot slot = c.frame.takeDescriptor(rank);
  c.checkedCall(abi::broadloomMemoryAllocate,
                {c.frame.call(),
                 makeSite(c, isOfScope ? "memref.alloca" : "memref.alloc"),
                 c.number(isOfScope ? BROADLOOM_OWNED_BY_SCOPE
                                    : BROADLOOM_OWNED_BY_PROGRAM),
                 c.bigNumber(getStorageBytes(type.getElementType())),
                 c.bigNumber(rank), extents, c.address(slot)});
  c.replace(op, slot);
}

void broadloom::codegen::lower(FunctionContext &c, memref::DeallocOp op) {
  FrameSlot slot = c.frame.describe(c.b, c.loc, op.getMemref());
  c.checkedCall(abi::broadloomMemoryFree,
                {c.frame.call(), makeSite(c, "memref.dealloc"),
                 c.number(op->hasAttr(kOfScope) ? BROADLOOM_OWNED_BY_SCOPE
                                                : BROADLOOM_OWNED_BY_PROGRAM),
                 c.frame.descriptorAt(c.b, c.loc, slot)});
  op.erase();
}

void broadloom::codegen::lowerMemoryCopy(FunctionContext &c,
                                         memref::CopyOp op) {
  auto type = cast<BaseMemRefType>(op.getSource().getType());
  Value place = c.runtime.addressOf(
      c.b, c.loc, c.runtime.data.string(c.loc, getLocationText(c.loc)));
  Value views = c.makeViews({op.getSource(), op.getTarget()});
  c.checkedCall(abi::broadloomMemoryCopy,
                {c.frame.call(), place,
                 c.bigNumber(getStorageBytes(type.getElementType())), views,
                 c.runtime.offset(c.b, c.loc, views, sizeof(BroadloomView))});
  op.erase();
}
