//===- AbiTypes.h - the interface as types of LLVM --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs and functions of runtime/abi/Abi.def as types of MLIR's LLVM
// dialect. Compiled code has its layouts and signatures from here alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_LAYOUT_ABITYPES_H
#define BROADLOOM_CODEGEN_LAYOUT_ABITYPES_H

#include "runtime/abi/Description.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// The MLIR type of a type in Abi.def other than `Dims`.
mlir::Type getAbiType(mlir::MLIRContext *context, abi::Type type);

/// The struct that has these fields, none of which is `Dims`.
mlir::LLVM::LLVMStructType getAbiStruct(mlir::MLIRContext *context,
                                        llvm::ArrayRef<abi::FieldInfo> fields);

/// The struct `Described` of the description: getAbiStruct<abi::View>(context).
template <typename Described>
mlir::LLVM::LLVMStructType getAbiStruct(mlir::MLIRContext *context) {
  static_assert(Described::kFields[Described::kNumFields - 1].type != abi::Dims,
                "getDescriptorStruct has the type of a descriptor");
  return getAbiStruct(context, Described::kFields);
}

/// The descriptor of a tensor with `rank` axes: BroadloomDescriptor, where the
/// extents and the strides are an array each, as MLIR lowers a memref.
mlir::LLVM::LLVMStructType getDescriptorStruct(mlir::MLIRContext *context,
                                               int64_t rank);

/// The numbers of the fields of that struct after those of abi::Descriptor.
enum DescriptorField : int32_t {
  kExtentsField = abi::Descriptor::dims,
  kStridesField = kExtentsField + 1,
};

/// The offset of the extent of `axis` in any descriptor, in bytes.
inline int64_t getExtentOffset(int64_t axis) {
  return int64_t(offsetof(BroadloomDescriptor, dims)) +
         int64_t(sizeof(int64_t)) * axis;
}

/// The signature of a function that compiled code calls or defines.
mlir::LLVM::LLVMFunctionType getAbiSignature(mlir::MLIRContext *context,
                                             const abi::Call &call);
/// The same as the type of a func.func.
mlir::FunctionType getAbiFunctionType(mlir::MLIRContext *context,
                                      const abi::Call &call);

/// The block (BroadloomBlock) of memory that is in the LLVM dialect: of a
/// descriptor, or, where its rank is not known, of a view of one.
mlir::Value getMemoryBlock(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value memory, bool isRanked);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_LAYOUT_ABITYPES_H
