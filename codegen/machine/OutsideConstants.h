//===- OutsideConstants.h - large constants beside the code -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code that runs in this process refers to large constants, which stay
// where they are: an object file with a model's weights would be several copies
// of them, in LLVM IR, in the file and in the loaded code.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_OUTSIDECONSTANTS_H
#define BROADLOOM_CODEGEN_MACHINE_OUTSIDECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace broadloom::codegen {

/// A constant to which code refers by a symbol.
struct OutsideConstant {
  std::string symbol;
  llvm::StringRef bytes;
  /// Whether the elements are floats or integers of 8 bits, which no code uses
  /// as an address or an index without a check.
  bool isPlain = false;
  /// Keeps the bytes.
  std::shared_ptr<const void> owner;

  /// Replaces the bytes by a copy of its own.
  void copy();
};

/// Makes the large constants of a module in the LLVM dialect declarations, and
/// gives their bytes, aligned to 64 bytes; constants that have a larger
/// alignment stay in the module. Takes memory that a resource owns from it;
/// what resources borrow is copied. Does nothing on a machine whose bytes are
/// in the other order than MLIR's.
std::vector<OutsideConstant> takeConstants(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_OUTSIDECONSTANTS_H
