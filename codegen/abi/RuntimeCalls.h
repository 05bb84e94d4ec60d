//===- RuntimeCalls.h - emitting calls of the runtime's C ABI ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes of the structs of runtime/abi/Abi.def, and calls of its
// functions, as operations of the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_RUNTIMECALLS_H
#define BROADLOOM_CODEGEN_ABI_RUNTIMECALLS_H

#include "codegen/layout/ConstantData.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module);

  mlir::Type ptr, i32, i64;
  /// BroadloomView; also the layout of unranked memrefs and of run-time shapes.
  mlir::Type view;

  /// The ranked descriptor struct of `rank`.
  mlir::Type descriptorType(int64_t rank) const {
    return getDescriptorStruct(ptr.getContext(), rank);
  }

  mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       int64_t value);
  mlir::Value null(mlir::OpBuilder &b, mlir::Location loc);
  /// The address `bytes` bytes after `base`.
  mlir::Value offset(mlir::OpBuilder &b, mlir::Location loc, mlir::Value base,
                     int64_t bytes);
  /// The address of a field of the struct at `base`.
  mlir::Value element(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      mlir::Value base, llvm::ArrayRef<int32_t> indices);
  void store(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
             mlir::Value pointer);

  /// `value`, a memref or a run-time shape, as its LLVM struct, and back.
  mlir::Value asStruct(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value);
  mlir::Value fromStruct(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

  /// The address of the view `index` of `views`, or of a field of it.
  mlir::Value viewAt(mlir::OpBuilder &b, mlir::Location loc, mlir::Value views,
                     int32_t index) {
    return element(b, loc, view, views, {index});
  }
  mlir::Value viewField(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value views, int32_t index,
                        abi::View::Field field) {
    return element(b, loc, view, views, {index, field});
  }
  /// A field of a view that is a value.
  mlir::Value extract(mlir::OpBuilder &b, mlir::Location loc, mlir::Value view,
                      abi::View::Field field);

  /// Calls a function of the runtime, declaring it if need be; returns what it
  /// returns, mostly the status.
  mlir::Value call(mlir::OpBuilder &b, mlir::Location loc,
                   const abi::Call &callee, mlir::ValueRange arguments);

  /// Constants, and their addresses.
  ConstantData data;
  mlir::Value addressOf(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::FlatSymbolRefAttr symbol) {
    return mlir::LLVM::AddressOfOp::create(b, loc, ptr, symbol);
  }

  /// The address of a constant BroadloomGuardSite.
  mlir::Value site(mlir::OpBuilder &b, mlir::Location loc,
                   llvm::StringRef operation, int64_t axis, int64_t numValues,
                   llvm::StringRef message);

  /// The address of a function's code.
  mlir::Value functionAddress(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::FunctionType type,
                              mlir::FlatSymbolRefAttr symbol);

  /// A private function of the module, without a body yet.
  mlir::func::FuncOp makeFunction(mlir::Location loc, const llvm::Twine &name,
                                  mlir::FunctionType type);
  /// Functions that call one of another library, by its symbol and the types of
  /// arguments and results.
  llvm::DenseMap<std::pair<mlir::StringAttr, mlir::Type>, mlir::func::FuncOp>
      libraryCallers;

private:
  mlir::ModuleOp module;
  mlir::OpBuilder moduleBuilder;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions;
};

/// Makes the function one that only this module sees.
void makeInternal(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_RUNTIMECALLS_H
