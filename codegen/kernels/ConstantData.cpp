//===- ConstantData.cpp - constant arrays and structs of a module ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ConstantData.h"

using namespace mlir;
using namespace broadloom::codegen;

/// LLVM copies an array for each element that is put into it: tables are made
/// of chunks of this many records, which lie in memory as one array would.
static constexpr size_t kChunk = 64;

Type Leaf::getType(MLIRContext *context) const {
  if (kind == Kind::Address)
    return LLVM::LLVMPointerType::get(context);
  return IntegerType::get(context, kind == Kind::I32 ? 32 : 64);
}

Value Leaf::build(OpBuilder &b, Location loc) const {
  Type type = getType(b.getContext());
  if (kind == Kind::Address && !symbol)
    return LLVM::ZeroOp::create(b, loc, type);
  if (kind == Kind::Address)
    return LLVM::AddressOfOp::create(b, loc, type, symbol);
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, number));
}

static Type getType(MLIRContext *context, const Record &leaves) {
  SmallVector<Type> types;
  for (const Leaf &leaf : leaves)
    types.push_back(leaf.getType(context));
  return LLVM::LLVMStructType::getLiteral(context, types);
}

static Value insert(OpBuilder &b, Location loc, Value into, Value value,
                    int64_t position) {
  return LLVM::InsertValueOp::create(b, loc, into, value,
                                     ArrayRef<int64_t>{position});
}

static Value buildRecord(OpBuilder &b, Location loc, Type type,
                         const Record &leaves) {
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, leaf] : llvm::enumerate(leaves))
    value = insert(b, loc, value, leaf.build(b, loc), i);
  return value;
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

FlatSymbolRefAttr ConstantData::numbers(Location loc,
                                        ArrayRef<int32_t> values) {
  return array(loc, builder.getI32Type(), values, arrays[values.vec()]);
}

FlatSymbolRefAttr ConstantData::bigNumbers(Location loc,
                                           ArrayRef<int64_t> values) {
  return array(loc, builder.getI64Type(), values, bigArrays[values.vec()]);
}

FlatSymbolRefAttr ConstantData::record(Location loc, const Record &leaves,
                                       StringRef name) {
  Type type = ::getType(builder.getContext(), leaves);
  return build(loc, type, name,
               [&](OpBuilder &b) { return buildRecord(b, loc, type, leaves); });
}

FlatSymbolRefAttr ConstantData::publicRecord(Location loc, const Record &leaves,
                                             StringRef name) {
  FlatSymbolRefAttr symbol = record(loc, leaves, name);
  auto global = cast<LLVM::GlobalOp>(builder.getInsertionBlock()->back());
  global.setLinkage(LLVM::Linkage::External);
  return symbol;
}

FlatSymbolRefAttr ConstantData::table(Location loc, ArrayRef<Record> records,
                                      StringRef name) {
  MLIRContext *context = builder.getContext();
  Type row = ::getType(context, records.front());
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
        rows = insert(b, loc, rows, buildRecord(b, loc, row, records[i]),
                      i - first);
      all = insert(b, loc, all, rows, number);
    }
    return all;
  });
}
