//===- KernelParts.h - what the builders of kernels share -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the functions that compute stages. Invariant: the emitted code is
// defined for all values of the elements.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_KERNELPARTS_H
#define BROADLOOM_CODEGEN_KERNELS_KERNELPARTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

/// Whether `value`, which a body yields, is an operand or constant.
bool isPassedOn(mlir::Value value);

/// An operation whose result equals `value`. Kernels store only results of
/// operations.
mlir::Operation *buildCopy(mlir::OpBuilder &builder, mlir::Value value);

/// The prefix of kernels' names, by which passes recognise them.
inline constexpr llvm::StringLiteral kKernelPrefix = "loom_kernel_";
inline bool isKernelName(llvm::StringRef name) {
  return name.starts_with(kKernelPrefix);
}

/// Attribute of kernels whose loop is already over vectors.
inline constexpr llvm::StringLiteral kVectorsAttribute = "loom-vectors";

/// Alias scopes for the ABI's guarantee that no output overlaps an input or
/// another output.
struct AliasScopes {
  AliasScopes(mlir::MLIRContext *context, size_t numOutputs);
  void applyToLoad(mlir::LLVM::LoadOp load) const;
  /// The same for a load from an output.
  void applyToLoad(mlir::LLVM::LoadOp load, size_t output) const;
  void applyToStore(mlir::LLVM::StoreOp store, size_t output) const;

private:
  llvm::SmallVector<mlir::Attribute> getOthers(size_t output) const;
  mlir::Attribute input;
  llvm::SmallVector<mlir::Attribute> outputs;
};

/// Pointers `array[0..count)`.
llvm::SmallVector<mlir::Value> loadPointers(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            mlir::Value array, size_t count);

/// `n` in a form that shows LLVM the ABI's guarantee: it is a positive multiple
/// of BROADLOOM_STRIP_MULTIPLE.
mlir::Value asWholeStrips(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value n);

/// Clones operations of a stage, and the constants they use, at the insertion
/// point.
void cloneOperations(mlir::OpBuilder &builder,
                     llvm::ArrayRef<mlir::Operation *> operations,
                     mlir::IRMapping &mapping);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_KERNELPARTS_H
