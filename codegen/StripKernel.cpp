//===- StripKernel.cpp - one stage as a function over a run ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/StripKernel.h"
#include "codegen/KernelParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom::codegen;

unsigned broadloom::codegen::getStorageBytes(Type elementType) {
  if (isa<IndexType>(elementType))
    return 8;
  if (!elementType.isIntOrFloat())
    return 0;
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

Type broadloom::codegen::getStorageType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (isa<IndexType>(elementType))
    return IntegerType::get(context, 64);
  if (isa<Float16Type, Float32Type, Float64Type>(elementType))
    return elementType;
  // i1 takes a byte of its own; the other float formats are opaque bits.
  return IntegerType::get(context, getStorageBytes(elementType) * 8);
}

Value broadloom::codegen::fromStorage(OpBuilder &builder, Location loc,
                                      Value stored, Type type) {
  if (stored.getType() == type)
    return stored;
  if (type.isInteger(1)) {
    // Any byte but 0 is true, so that no input can make an i1 of other bits.
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(stored.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored,
                                 zero);
  }
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, loc, type, stored);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, loc, type, stored);
  return UnrealizedConversionCastOp::create(builder, loc, type, stored)
      .getResult(0);
}

Value broadloom::codegen::toStorage(OpBuilder &builder, Location loc,
                                    Value value) {
  Type stored = getStorageType(value.getType());
  if (stored == value.getType())
    return value;
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(builder, loc, stored, value);
  if (isa<IndexType>(value.getType()))
    return arith::IndexCastOp::create(builder, loc, stored, value);
  if (isa<FloatType>(value.getType()))
    return arith::BitcastOp::create(builder, loc, stored, value);
  return UnrealizedConversionCastOp::create(builder, loc, stored, value)
      .getResult(0);
}

LLVM::LLVMFuncOp broadloom::codegen::buildStripKernel(OpBuilder &builder,
                                                      Location loc,
                                                      StringRef name,
                                                      const Stage &stage) {
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *context = builder.getContext();
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {ptr, ptr, i64});
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                       LLVM::Linkage::Internal);

  Block *entry = func.addEntryBlock(builder);
  Block *loop = func.addBlock();
  Block *exit = func.addBlock();
  loop->addArgument(i64, loc);

  builder.setInsertionPointToStart(entry);
  SmallVector<Value> inputs =
      loadPointers(builder, loc, entry->getArgument(0), stage.inputs.size());
  SmallVector<Value> outputs =
      loadPointers(builder, loc, entry->getArgument(1), stage.outputs.size());
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  };
  Value zero = constant(0), one = constant(1);
  Value length = asWholeStrips(builder, loc, entry->getArgument(2));
  LLVM::BrOp::create(builder, loc, ValueRange{zero}, loop);

  builder.setInsertionPointToStart(loop);
  Value index = loop->getArgument(0);
  AliasScopes scopes(context, stage.outputs.size());
  IRMapping mapping;
  auto element = [&](Value base, Type storage) -> Value {
    return LLVM::GEPOp::create(builder, loc, ptr, storage, base,
                               ArrayRef<LLVM::GEPArg>{index},
                               LLVM::GEPNoWrapFlags::inbounds);
  };
  for (auto [value, base] : llvm::zip_equal(stage.inputs, inputs)) {
    Type storage = getStorageType(value.getType());
    auto load =
        LLVM::LoadOp::create(builder, loc, storage, element(base, storage),
                             getStorageBytes(value.getType()));
    scopes.applyToLoad(load);
    mapping.map(value, fromStorage(builder, loc, load, value.getType()));
  }
  cloneOperations(builder, stage.operations, mapping);
  for (auto [i, value] : llvm::enumerate(stage.outputs)) {
    Value stored = toStorage(builder, loc, mapping.lookup(value));
    auto store = LLVM::StoreOp::create(builder, loc, stored,
                                       element(outputs[i], stored.getType()),
                                       getStorageBytes(value.getType()));
    scopes.applyToStore(store, i);
  }
  Value next = LLVM::AddOp::create(builder, loc, index, one,
                                   LLVM::IntegerOverflowFlags::nuw |
                                       LLVM::IntegerOverflowFlags::nsw);
  // "Not equal" gives a trip count that is the length itself, where "less"
  // would make it the larger of that and one.
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, next, length);
  LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange{next}, exit,
                         ValueRange{});
  builder.setInsertionPointToStart(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange{});
  return func;
}
