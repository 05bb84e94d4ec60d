//===- LooseTypes.h - types that say less for a while -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's definitions of TOSA reject extents of 0, and some verifiers of
// tensors reject static extents where they accept dynamic ones. They run on
// less precise types.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_LOOSETYPES_H
#define BROADLOOM_READ_STRUCTURE_LOOSETYPES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace broadloom::read {

/// Makes types less precise while it lives.
class LooseTypes {
public:
  LooseTypes() = default;
  LooseTypes(const LooseTypes &) = delete;
  ~LooseTypes();

  /// Makes the extents of `value` dynamic for which `isLoose` is true.
  void loosen(mlir::Value value, llvm::function_ref<bool(int64_t)> isLoose);

  /// The same for `use` alone, which gets a separate value.
  void loosen(mlir::OpOperand &use, llvm::function_ref<bool(int64_t)> isLoose);

private:
  llvm::SmallVector<std::pair<mlir::Value, mlir::Type>> changed;
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Value>> replaced;
};

/// Makes all extents of 0 dynamic in the operands and results of `op`, and in
/// the arguments and yields of its regions.
void loosenZeros(mlir::Operation *op, LooseTypes &types);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_LOOSETYPES_H
