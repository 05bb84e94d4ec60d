//===- RuntimeCalls.cpp - emitting calls of the runtime's C ABI -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/RuntimeCalls.h"
#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

RuntimeCalls::RuntimeCalls(ModuleOp module)
    : data(module, "loom_data_"), module(module),
      moduleBuilder(OpBuilder::atBlockEnd(module.getBody())) {
  MLIRContext *context = module.getContext();
  ptr = LLVM::LLVMPointerType::get(context);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
  view = getAbiStruct<abi::View>(context);
}

Value RuntimeCalls::constant(OpBuilder &b, Location loc, Type type,
                             int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value RuntimeCalls::null(OpBuilder &b, Location loc) {
  return LLVM::ZeroOp::create(b, loc, ptr);
}

Value RuntimeCalls::offset(OpBuilder &b, Location loc, Value base,
                           int64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
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
  Type result = view;
  if (auto ranked = dyn_cast<MemRefType>(value.getType()))
    result = descriptorType(ranked.getRank());
  return UnrealizedConversionCastOp::create(b, loc, result, value).getResult(0);
}

Value RuntimeCalls::fromStruct(OpBuilder &b, Location loc, Value value,
                               Type type) {
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

Value RuntimeCalls::extract(OpBuilder &b, Location loc, Value view,
                            abi::View::Field field) {
  return LLVM::ExtractValueOp::create(b, loc, view, ArrayRef<int64_t>{field});
}

/// It reads what no code of the program sees, so that loads and stores move
/// across it.
static void describePoll(LLVM::LLVMFuncOp poll) {
  auto none = LLVM::ModRefInfo::NoModRef;
  poll.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      poll.getContext(), {/*other=*/none, /*argMem=*/none,
                          /*inaccessibleMem=*/LLVM::ModRefInfo::ModRef,
                          /*errnoMem=*/none, /*targetMem0=*/none,
                          /*targetMem1=*/none}));
  poll.setNoUnwind(true);
  poll.setWillReturn(true);
}

Value RuntimeCalls::call(OpBuilder &b, Location loc, const abi::Call &callee,
                         ValueRange arguments) {
  LLVM::LLVMFuncOp &declared = functions[callee.name];
  bool isNew = !declared;
  if (isNew)
    declared =
        LLVM::LLVMFuncOp::create(moduleBuilder, module.getLoc(), callee.name,
                                 getAbiSignature(module.getContext(), callee));
  if (isNew && StringRef(callee.name) == abi::broadloomPoll.name)
    describePoll(declared);
  assert(llvm::equal(arguments.getTypes(),
                     declared.getFunctionType().getParams()) &&
         "a call has arguments of the types in runtime/abi/Abi.def");
  return LLVM::CallOp::create(b, loc, declared, arguments).getResult();
}

Value RuntimeCalls::site(OpBuilder &b, Location loc, StringRef operation,
                         int64_t axis, int64_t numValues, StringRef message) {
  return addressOf(
      b, loc,
      data.record(loc, GuardSiteRecord()
                           .operation(data.string(loc, operation))
                           .location(data.string(loc, getLocationText(loc)))
                           .axis(axis)
                           .numValues(numValues)
                           .message(data.string(loc, message))));
}

func::FuncOp RuntimeCalls::makeFunction(Location loc, const Twine &name,
                                        FunctionType type) {
  auto func = func::FuncOp::create(moduleBuilder, loc, name.str(), type);
  makeInternal(func);
  return func;
}

Value RuntimeCalls::functionAddress(OpBuilder &b, Location loc,
                                    FunctionType type,
                                    FlatSymbolRefAttr symbol) {
  Value function = func::ConstantOp::create(b, loc, type, symbol);
  return UnrealizedConversionCastOp::create(b, loc, ptr, function).getResult(0);
}

void codegen::makeInternal(func::FuncOp func) {
  func.setPrivate();
  func->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(func.getContext(), LLVM::Linkage::Internal));
}
