//===- LowerShapes.cpp - operations on shapes to runtime calls ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionContext.h"
#include "dialect/LoomDialect.h"
#include "runtime/abi/ElementKind.h"
#include "shape/FunctionProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

void broadloom::codegen::lower(FunctionContext &c,
                               loom::RequireBroadcastOp op) {
  std::string owners;
  if (ArrayAttr given = op.getOwnersAttr())
    owners =
        llvm::join(llvm::map_range(given.getAsValueRange<StringAttr>(),
                                   [](StringRef owner) { return owner.str(); }),
                   "\n");
  Value site = c.runtime.site(c.b, c.loc, op.getOrigin(), -1, 0, owners);
  c.checkedCall(abi::broadloomCheckBroadcast,
                {c.frame.call(), site, c.number(op.getShapes().size()),
                 c.makeViews(op.getShapes())});
  op.erase();
}

/// How the runtime reads the elements of an input.
static abi::ElementKind getElementKind(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  Type element = memref ? memref.getElementType() : Type();
  if (!element || !element.isSignlessIntOrIndex())
    return abi::ElementKind::None;
  return abi::getElementKind(ConstantIntRanges::getStorageBitwidth(element));
}

void broadloom::codegen::lower(FunctionContext &c, loom::RequireFunctionOp op) {
  std::string kinds;
  for (Type type : op.getInputs().getTypes())
    kinds += char(getElementKind(type));
  std::vector<std::string> texts;
  for (StringRef text : op.getTexts().getAsValueRange<StringAttr>())
    texts.push_back(text.str());
  auto addressOf = [&](FlatSymbolRefAttr symbol) {
    return c.runtime.addressOf(c.b, c.loc, symbol);
  };
  Value site = c.runtime.site(c.b, c.loc, op.getOrigin(), -1, 0, "");
  c.checkedCall(abi::broadloomCheckFunction,
                {c.frame.call(), site,
                 addressOf(c.runtime.data.bigNumbers(c.loc, op.getProgram())),
                 addressOf(c.runtime.data.bigNumbers(c.loc, packTexts(texts))),
                 c.number(op.getInputs().size()), c.makeViews(op.getInputs()),
                 addressOf(c.runtime.data.string(c.loc, kinds)),
                 c.number(op.getStrict())});
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::AnyOp op) {
  Value any = c.runtime.call(c.b, c.loc, abi::broadloomAny,
                             {c.makeViews(op.getFlags())});
  op.getResult().replaceAllUsesWith(arith::CmpIOp::create(
      c.b, c.loc, arith::CmpIPredicate::ne, any, c.number(0)));
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::ShapeOfOp op) {
  // A shape is a view of a tensor; the data is not read.
  c.replace(op, c.frame.describe(c.b, c.loc, op.getTensor()));
}

void broadloom::codegen::lower(FunctionContext &c, loom::FromExtentsOp op) {
  FrameSlot slot = c.frame.takeDescriptor(op.getExtents().size());
  Value dims =
      c.runtime.offset(c.b, c.loc, c.address(slot), getExtentOffset(0));
  for (auto [axis, extent] : llvm::enumerate(op.getExtents()))
    c.runtime.store(c.b, c.loc, c.asI64(extent),
                    c.runtime.offset(c.b, c.loc, dims,
                                     int64_t(sizeof(int64_t)) * int64_t(axis)));
  c.replace(op, slot);
}

void broadloom::codegen::lower(FunctionContext &c, loom::BroadcastOp op) {
  Value views = c.makeViews(op.getShapes());
  FrameSlot slot = c.frame.takeView();
  c.checkedCall(abi::broadloomBroadcastShape,
                {c.frame.call(), c.number(op.getShapes().size()), views,
                 c.address(slot)});
  c.replace(op, slot);
}

/// Rank (an i64) of a shape.
static Value rankOf(FunctionContext &c, Value shape) {
  Value view = c.runtime.asStruct(c.b, c.loc, shape);
  return c.runtime.extract(c.b, c.loc, view, abi::View::rank);
}

void broadloom::codegen::lower(FunctionContext &c, loom::RankOp op) {
  op.getRank().replaceAllUsesWith(arith::IndexCastOp::create(
      c.b, c.loc, c.b.getIndexType(), rankOf(c, op.getShape())));
  op.erase();
}

void broadloom::codegen::lower(FunctionContext &c, loom::ExtentOp op) {
  Value view = c.runtime.asStruct(c.b, c.loc, op.getShape());
  Value descriptor = c.runtime.extract(c.b, c.loc, view, abi::View::descriptor);
  Value axis = c.bigNumber(op.getAxis()), rank = rankOf(c, op.getShape());
  bool isFromRight = int64_t(op.getAxis()) < 0;
  if (isFromRight)
    axis = arith::AddIOp::create(c.b, c.loc, axis, rank);
  // An extent beyond the rank is 1 (bcast-1). The load must then stay inside
  // the descriptor; it reads the offset, which every descriptor has.
  Value inside =
      isFromRight ? arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::sge,
                                          axis, c.bigNumber(0))
                  : arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::slt,
                                          axis, rank);
  Value dims = c.runtime.offset(c.b, c.loc, descriptor, getExtentOffset(0));
  Value there = LLVM::GEPOp::create(c.b, c.loc, c.runtime.ptr, c.runtime.i64,
                                    dims, ArrayRef<LLVM::GEPArg>{axis});
  constexpr abi::FieldInfo offset =
      abi::Descriptor::kFields[abi::Descriptor::offset];
  static_assert(offset.type == abi::I64, "it is read as an extent is");
  Value slot = arith::SelectOp::create(
      c.b, c.loc, inside, there,
      c.runtime.offset(c.b, c.loc, descriptor, int64_t(offset.offset)));
  Value loaded = LLVM::LoadOp::create(c.b, c.loc, c.runtime.i64, slot);
  Value extent =
      arith::SelectOp::create(c.b, c.loc, inside, loaded, c.bigNumber(1));
  op.getExtent().replaceAllUsesWith(
      arith::IndexCastOp::create(c.b, c.loc, c.b.getIndexType(), extent));
  op.erase();
}

/// Lowers the operation if the descriptor has a slot; upstream lowers the
/// others.
void broadloom::codegen::lower(FunctionContext &c, memref::DimOp op) {
  std::optional<FrameSlot> slot = c.frame.find(op.getSource());
  std::optional<int64_t> axis = op.getConstantIndex();
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!slot || !type || !axis || *axis < 0 || *axis >= type.getRank())
    return;
  Value extent = LLVM::LoadOp::create(
      c.b, c.loc, c.runtime.i64,
      c.runtime.offset(c.b, c.loc, c.frame.descriptorAt(c.b, c.loc, *slot),
                       getExtentOffset(*axis)));
  op.getResult().replaceAllUsesWith(
      arith::IndexCastOp::create(c.b, c.loc, c.b.getIndexType(), extent));
  op.erase();
}
