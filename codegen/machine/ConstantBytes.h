//===- ConstantBytes.h - large constants as arrays of bytes -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM IR keeps an array with several axes as a constant for each innermost
// array, and writes numbers to an object file one by one, but arrays of bytes
// as a whole. For the weights of a model that is a sixth of the compile time.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_CONSTANTBYTES_H
#define BROADLOOM_CODEGEN_MACHINE_CONSTANTBYTES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
} // namespace llvm

namespace broadloom::codegen {

/// While an object of this class lives, the large constants of a module in the
/// LLVM dialect are arrays of zero bytes, which translation to LLVM IR reads in
/// no time. Their addresses, sizes and alignments are those of the constants.
class ConstantBytes {
public:
  /// `isLittleEndian` describes the target: only if it is, bytes in memory are
  /// those that MLIR keeps.
  ConstantBytes(mlir::ModuleOp module, bool isLittleEndian);
  ~ConstantBytes();
  ConstantBytes(const ConstantBytes &) = delete;
  ConstantBytes &operator=(const ConstantBytes &) = delete;

  /// Gives the constants in `translated`, which is the module translated to
  /// LLVM IR, their bytes.
  void defineIn(llvm::Module &translated) const;

private:
  struct Constant {
    mlir::LLVM::GlobalOp global;
    mlir::Type type;
    mlir::Attribute value;
    llvm::ArrayRef<char> bytes;
  };
  llvm::SmallVector<Constant> constants;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_CONSTANTBYTES_H
