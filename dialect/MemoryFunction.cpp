//===- MemoryFunction.cpp - functions over memory -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

/// Whether the operations that use the argument take memory of any layout and
/// extents.
static bool takesAny(Value argument) {
  return llvm::all_of(argument.getUsers(), [](Operation *user) {
    return isa<memref::LoadOp, memref::StoreOp, memref::DimOp,
               memref::ExtractAlignedPointerAsIndexOp, affine::AffineLoadOp,
               affine::AffineStoreOp, func::CallOp>(user);
  });
}

bool loom::fitsEffects(func::FuncOp func, func::FuncOp summary) {
  if (func.getNumArguments() != summary.getNumArguments() ||
      (func.getNumResults() != 0 && summary.getNumResults() != 0 &&
       func.getResultTypes() != summary.getResultTypes()))
    return false;
  auto fits = [&](unsigned i) {
    Type type = func.getArgumentTypes()[i],
         told = summary.getArgumentTypes()[i];
    if (type == told)
      return true;
    auto from = dyn_cast<MemRefType>(type), to = dyn_cast<MemRefType>(told);
    return from && to && from.getRank() == to.getRank() &&
           from.getElementType() == to.getElementType() &&
           (summary.isExternal() || takesAny(summary.getArgument(i)));
  };
  return llvm::all_of(llvm::seq(func.getNumArguments()), fits);
}

SmallVector<func::FuncOp> loom::getMemoryFunctions(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(), isOverMemory);
}
