//===- AbiTypes.cpp - the interface as types of LLVM ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/AbiTypes.h"

using namespace mlir;
using namespace broadloom;

Type codegen::getAbiType(MLIRContext *context, abi::Type type) {
  Type i64 = IntegerType::get(context, 64);
  switch (type) {
  case abi::Void:
    return LLVM::LLVMVoidType::get(context);
  case abi::I32:
    return IntegerType::get(context, 32);
  case abi::I64:
    return i64;
  case abi::Pointer:
    return LLVM::LLVMPointerType::get(context);
  case abi::Extents:
    return LLVM::LLVMArrayType::get(i64, BROADLOOM_MAX_RANK);
  case abi::Dims:
    break;
  }
  llvm_unreachable("the size of this type depends on a rank");
}

LLVM::LLVMStructType codegen::getAbiStruct(MLIRContext *context,
                                           ArrayRef<abi::FieldInfo> fields) {
  SmallVector<Type> types;
  for (const abi::FieldInfo &field : fields)
    types.push_back(getAbiType(context, field.type));
  return LLVM::LLVMStructType::getLiteral(context, types);
}

LLVM::LLVMStructType codegen::getDescriptorStruct(MLIRContext *context,
                                                  int64_t rank) {
  auto fields = ArrayRef(abi::Descriptor::kFields);
  SmallVector<Type> types(
      getAbiStruct(context, fields.take_front(kExtentsField)).getBody());
  if (rank > 0)
    types.append(2, LLVM::LLVMArrayType::get(IntegerType::get(context, 64),
                                             uint64_t(rank)));
  return LLVM::LLVMStructType::getLiteral(context, types);
}

static SmallVector<Type> getParameters(MLIRContext *context,
                                       const abi::Call &call) {
  SmallVector<Type> types;
  for (abi::Type type :
       ArrayRef(call.parameters).take_front(call.numParameters))
    types.push_back(codegen::getAbiType(context, type));
  return types;
}

LLVM::LLVMFunctionType codegen::getAbiSignature(MLIRContext *context,
                                                const abi::Call &call) {
  return LLVM::LLVMFunctionType::get(getAbiType(context, call.result),
                                     getParameters(context, call));
}

FunctionType codegen::getAbiFunctionType(MLIRContext *context,
                                         const abi::Call &call) {
  SmallVector<Type> results;
  if (call.result != abi::Void)
    results.push_back(getAbiType(context, call.result));
  return FunctionType::get(context, getParameters(context, call), results);
}

Value codegen::getMemoryBlock(OpBuilder &builder, Location loc, Value memory,
                              bool isRanked) {
  static_assert(offsetof(BroadloomDescriptor, allocated) == 0);
  int64_t field = isRanked ? int64_t(abi::Descriptor::allocated)
                           : int64_t(abi::View::descriptor);
  Value found = LLVM::ExtractValueOp::create(builder, loc, memory,
                                             ArrayRef<int64_t>{field});
  if (isRanked)
    return found;
  return LLVM::LoadOp::create(builder, loc, found.getType(), found);
}
