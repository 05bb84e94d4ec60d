//===- RuntimeCalls.h - emitting calls of the runtime's C ABI ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs of runtime/Abi.h as LLVM types, and the functions as calls. This
// is the only place that knows their layout on the compiler's side.
//
// Invariant: stack space is made in the entry block of the function, so that a
// call in a loop does not grow the stack.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_RUNTIMECALLS_H
#define BROADLOOM_CODEGEN_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

class RuntimeCalls {
public:
  /// Names of globals begin with `prefix`.
  explicit RuntimeCalls(mlir::ModuleOp module, llvm::StringRef prefix = "loom");

  mlir::Type ptr, i32, i64;
  /// BroadloomView: {i64 rank, ptr descriptor}; also the layout of unranked
  /// memrefs and of run-time shapes.
  mlir::Type view;

  /// The ranked descriptor struct of `rank`.
  mlir::Type descriptorType(int64_t rank) const;

  /// Space for `count` values of `type` on the stack of `func`.
  mlir::Value stack(mlir::func::FuncOp func, mlir::Location loc,
                    mlir::Type type, int64_t count = 1);

  mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       int64_t value);
  mlir::Value null(mlir::OpBuilder &b, mlir::Location loc);
  mlir::Value element(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      mlir::Value base, llvm::ArrayRef<int32_t> indices);
  void store(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
             mlir::Value pointer);

  /// `value`, a memref, a run-time shape or a scalar, as its LLVM struct, and
  /// back.
  mlir::Value asStruct(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value);
  mlir::Value fromStruct(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

  /// A BroadloomView of a memref (ranked or not), of a shape or of a scalar,
  /// written to `place`.
  void storeView(mlir::OpBuilder &b, mlir::Location loc,
                 mlir::func::FuncOp func, mlir::Value value, mlir::Value place);

  /// Calls `name`, declaring it if need be; returns the status (an i32).
  mlir::Value call(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name,
                   mlir::ValueRange arguments);

  /// The address of a zero-terminated constant string; equal ones are shared.
  mlir::Value string(mlir::OpBuilder &b, mlir::Location loc,
                     llvm::StringRef text);

  /// The address of a constant BroadloomGuardSite.
  mlir::Value site(mlir::OpBuilder &b, mlir::Location loc,
                   llvm::StringRef operation, int64_t axis, int64_t numValues,
                   llvm::StringRef message);

  /// The address of a constant array of 64-bit numbers.
  mlir::Value bigNumbers(mlir::OpBuilder &b, mlir::Location loc,
                         llvm::ArrayRef<int64_t> values);

  /// The address of a constant array of 32-bit numbers.
  mlir::Value numbers(mlir::OpBuilder &b, mlir::Location loc,
                      llvm::ArrayRef<int32_t> values);

private:
  std::string numbersName();
  mlir::FlatSymbolRefAttr stringSymbol(mlir::Location loc,
                                       llvm::StringRef text);

  mlir::ModuleOp module;
  std::string prefix;
  mlir::OpBuilder moduleBuilder;
  llvm::StringMap<mlir::FlatSymbolRefAttr> strings;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions;
  unsigned nextGlobal = 0;
};

/// `file:line:column` of a location as MLIR's diagnostics write it, or "".
std::string describeLocation(mlir::Location loc);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_RUNTIMECALLS_H
