//===- RuntimeCalls.cpp - emitting calls of the runtime's C ABI -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/RuntimeCalls.h"
#include "codegen/StripKernel.h"
#include "dialect/LoomDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

RuntimeCalls::RuntimeCalls(ModuleOp module, StringRef prefix)
    : module(module), prefix(prefix),
      moduleBuilder(OpBuilder::atBlockEnd(module.getBody())) {
  MLIRContext *context = module.getContext();
  ptr = LLVM::LLVMPointerType::get(context);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
  view = LLVM::LLVMStructType::getLiteral(context, {i64, ptr});
}

Type RuntimeCalls::descriptorType(int64_t rank) const {
  MLIRContext *context = ptr.getContext();
  SmallVector<Type> fields = {ptr, ptr, i64};
  if (rank > 0)
    fields.append(2, LLVM::LLVMArrayType::get(i64, rank));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

Value RuntimeCalls::stack(func::FuncOp func, Location loc, Type type,
                          int64_t count) {
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  Value size = constant(b, loc, i64, count);
  return LLVM::AllocaOp::create(b, loc, ptr, type, size);
}

Value RuntimeCalls::constant(OpBuilder &b, Location loc, Type type,
                             int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value RuntimeCalls::null(OpBuilder &b, Location loc) {
  return LLVM::ZeroOp::create(b, loc, ptr);
}

Value RuntimeCalls::element(OpBuilder &b, Location loc, Type type, Value base,
                            ArrayRef<int32_t> indices) {
  SmallVector<LLVM::GEPArg> args(indices.begin(), indices.end());
  return LLVM::GEPOp::create(b, loc, ptr, type, base, args);
}

void RuntimeCalls::store(OpBuilder &b, Location loc, Value value,
                         Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer);
}

Value RuntimeCalls::asStruct(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), result;
  if (auto ranked = dyn_cast<MemRefType>(type))
    result = descriptorType(ranked.getRank());
  else if (isa<UnrankedMemRefType, loom::ShapeType>(type))
    result = view;
  else
    return value;
  return UnrealizedConversionCastOp::create(b, loc, result, value).getResult(0);
}

Value RuntimeCalls::fromStruct(OpBuilder &b, Location loc, Value value,
                               Type type) {
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

void RuntimeCalls::storeView(OpBuilder &b, Location loc, func::FuncOp func,
                             Value value, Value place) {
  Type type = value.getType();
  if (isa<UnrankedMemRefType, loom::ShapeType>(type) || type == view) {
    store(b, loc, asStruct(b, loc, value), place);
    return;
  }
  int64_t rank = 0;
  Value descriptor;
  if (auto ranked = dyn_cast<MemRefType>(type)) {
    rank = ranked.getRank();
    descriptor = stack(func, loc, descriptorType(rank));
    store(b, loc, asStruct(b, loc, value), descriptor);
  } else {
    // A scalar is a tensor of rank 0 on the stack.
    value = toStorage(b, loc, value);
    Value data = stack(func, loc, value.getType());
    store(b, loc, value, data);
    Type descriptorStruct = descriptorType(0);
    descriptor = stack(func, loc, descriptorStruct);
    store(b, loc, data, element(b, loc, descriptorStruct, descriptor, {0, 0}));
    store(b, loc, data, element(b, loc, descriptorStruct, descriptor, {0, 1}));
    store(b, loc, constant(b, loc, i64, 0),
          element(b, loc, descriptorStruct, descriptor, {0, 2}));
  }
  store(b, loc, constant(b, loc, i64, rank),
        element(b, loc, view, place, {0, 0}));
  store(b, loc, descriptor, element(b, loc, view, place, {0, 1}));
}

Value RuntimeCalls::call(OpBuilder &b, Location loc, StringRef name,
                         ValueRange arguments) {
  LLVM::LLVMFuncOp &callee = functions[name];
  if (!callee) {
    auto type =
        LLVM::LLVMFunctionType::get(i32, llvm::to_vector(arguments.getTypes()));
    callee =
        LLVM::LLVMFuncOp::create(moduleBuilder, module.getLoc(), name, type);
  }
  return LLVM::CallOp::create(b, loc, callee, arguments).getResult();
}

FlatSymbolRefAttr RuntimeCalls::stringSymbol(Location loc, StringRef text) {
  FlatSymbolRefAttr &symbol = strings[text];
  if (symbol)
    return symbol;
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(moduleBuilder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      moduleBuilder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      prefix + "_string_" + std::to_string(strings.size() - 1),
      moduleBuilder.getStringAttr(bytes));
  symbol = FlatSymbolRefAttr::get(global.getSymNameAttr());
  return symbol;
}

Value RuntimeCalls::string(OpBuilder &b, Location loc, StringRef text) {
  return LLVM::AddressOfOp::create(b, loc, ptr, stringSymbol(loc, text));
}

Value RuntimeCalls::site(OpBuilder &b, Location loc, StringRef operation,
                         int64_t axis, int64_t numValues, StringRef message) {
  FlatSymbolRefAttr name = stringSymbol(loc, operation);
  FlatSymbolRefAttr where = stringSymbol(loc, describeLocation(loc));
  FlatSymbolRefAttr text = stringSymbol(loc, message);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               {ptr, ptr, i32, i32, ptr});
  OpBuilder::InsertionGuard guard(moduleBuilder);
  auto global = LLVM::GlobalOp::create(
      moduleBuilder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      prefix + "_site_" + std::to_string(nextGlobal++), Attribute());
  moduleBuilder.setInsertionPointToStart(
      moduleBuilder.createBlock(&global.getInitializerRegion()));
  Value value = LLVM::UndefOp::create(moduleBuilder, loc, type);
  auto insert = [&](Value leaf, int64_t position) {
    value = LLVM::InsertValueOp::create(moduleBuilder, loc, value, leaf,
                                        ArrayRef<int64_t>{position});
  };
  auto address = [&](FlatSymbolRefAttr symbol) -> Value {
    return LLVM::AddressOfOp::create(moduleBuilder, loc, ptr, symbol);
  };
  insert(address(name), 0);
  insert(address(where), 1);
  insert(constant(moduleBuilder, loc, i32, axis), 2);
  insert(constant(moduleBuilder, loc, i32, numValues), 3);
  insert(address(text), 4);
  LLVM::ReturnOp::create(moduleBuilder, loc, value);
  return LLVM::AddressOfOp::create(
      b, loc, ptr, FlatSymbolRefAttr::get(global.getSymNameAttr()));
}

template <typename Number>
static LLVM::GlobalOp buildNumbers(OpBuilder &b, Location loc, Type element,
                                   ArrayRef<Number> values,
                                   const std::string &name) {
  auto type = LLVM::LLVMArrayType::get(element, values.size());
  auto data = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, element), values);
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name, data);
}

std::string RuntimeCalls::numbersName() {
  return prefix + "_numbers_" + std::to_string(nextGlobal++);
}

Value RuntimeCalls::numbers(OpBuilder &b, Location loc,
                            ArrayRef<int32_t> values) {
  auto global = buildNumbers(moduleBuilder, loc, i32, values, numbersName());
  return LLVM::AddressOfOp::create(b, loc, global);
}

Value RuntimeCalls::bigNumbers(OpBuilder &b, Location loc,
                               ArrayRef<int64_t> values) {
  if (values.empty())
    return null(b, loc);
  auto global = buildNumbers(moduleBuilder, loc, i64, values, numbersName());
  return LLVM::AddressOfOp::create(b, loc, global);
}

std::string broadloom::codegen::describeLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  return "";
}
