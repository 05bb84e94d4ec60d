//===- ConstantData.cpp - constant arrays and structs of a module ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/ConstantData.h"

using namespace mlir;
using namespace broadloom::codegen;

/// LLVM copies an array for each inserted element, so that large tables are
/// built from chunks of this many records. The layout in memory is that of one
/// array.
static constexpr size_t kChunk = 64;

static Value insert(OpBuilder &b, Location loc, Value into, Value value,
                    int64_t offset) {
  return LLVM::InsertValueOp::create(b, loc, into, value,
                                     ArrayRef<int64_t>{offset});
}

LLVM::GlobalOp ConstantData::makeGlobal(Location loc, Type type, StringRef name,
                                        Attribute value) {
  std::string own =
      name.empty() ? prefix + std::to_string(nextName++) : name.str();
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, own, value);
}

FlatSymbolRefAttr
ConstantData::build(Location loc, Type type, StringRef name,
                    llvm::function_ref<Value(OpBuilder &)> makeValue) {
  OpBuilder::InsertionGuard guard(builder);
  auto global = makeGlobal(loc, type, name, Attribute());
  builder.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, makeValue(builder));
  return FlatSymbolRefAttr::get(global.getSymNameAttr());
}

FlatSymbolRefAttr ConstantData::string(Location loc, StringRef text) {
  FlatSymbolRefAttr &symbol = strings[text];
  if (symbol)
    return symbol;
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = makeGlobal(loc, type, "", builder.getStringAttr(bytes));
  return symbol = FlatSymbolRefAttr::get(global.getSymNameAttr());
}

template <typename Number>
FlatSymbolRefAttr ConstantData::array(Location loc, Type element,
                                      ArrayRef<Number> values,
                                      FlatSymbolRefAttr &symbol) {
  if (symbol)
    return symbol;
  int64_t count = values.size();
  auto global = makeGlobal(
      loc, LLVM::LLVMArrayType::get(element, count), "",
      DenseElementsAttr::get(RankedTensorType::get({count}, element), values));
  return symbol = FlatSymbolRefAttr::get(global.getSymNameAttr());
}

template <typename Number>
static std::vector<Number> orZero(ArrayRef<Number> values) {
  return values.empty() ? std::vector<Number>{0} : values.vec();
}

FlatSymbolRefAttr ConstantData::numbers(Location loc,
                                        ArrayRef<int32_t> values) {
  std::vector<int32_t> all = orZero(values);
  return array<int32_t>(loc, builder.getI32Type(), all, arrays[all]);
}

FlatSymbolRefAttr ConstantData::bigNumbers(Location loc,
                                           ArrayRef<int64_t> values) {
  std::vector<int64_t> all = orZero(values);
  return array<int64_t>(loc, builder.getI64Type(), all, bigArrays[all]);
}

FlatSymbolRefAttr ConstantData::record(Location loc, const Record &record,
                                       StringRef name) {
  return build(loc, record.getType(builder.getContext()), name,
               [&](OpBuilder &b) { return record.build(b, loc); });
}

FlatSymbolRefAttr ConstantData::publicRecord(Location loc, const Record &record,
                                             StringRef name) {
  FlatSymbolRefAttr symbol = this->record(loc, record, name);
  auto global = cast<LLVM::GlobalOp>(builder.getInsertionBlock()->back());
  global.setLinkage(LLVM::Linkage::External);
  return symbol;
}

FlatSymbolRefAttr ConstantData::tableOf(Location loc,
                                        ArrayRef<const Record *> records,
                                        StringRef name) {
  MLIRContext *context = builder.getContext();
  if (records.empty()) {
    Type none = LLVM::LLVMStructType::getLiteral(context, builder.getI32Type());
    return build(loc, none, name, [&](OpBuilder &b) -> Value {
      return LLVM::ZeroOp::create(b, loc, none);
    });
  }
  Type row = records.front()->getType(context);
  SmallVector<Type> chunks;
  for (size_t i = 0; i < records.size(); i += kChunk)
    chunks.push_back(
        LLVM::LLVMArrayType::get(row, std::min(kChunk, records.size() - i)));
  auto type = LLVM::LLVMStructType::getLiteral(context, chunks);
  return build(loc, type, name, [&](OpBuilder &b) -> Value {
    Value all = LLVM::UndefOp::create(b, loc, type);
    for (auto [number, chunk] : llvm::enumerate(chunks)) {
      Value rows = LLVM::UndefOp::create(b, loc, chunk);
      size_t first = number * kChunk;
      for (size_t i = first; i < std::min(first + kChunk, records.size()); ++i)
        rows = insert(b, loc, rows, records[i]->build(b, loc), i - first);
      all = insert(b, loc, all, rows, number);
    }
    return all;
  });
}
