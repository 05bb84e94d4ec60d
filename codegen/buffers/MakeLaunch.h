//===- MakeLaunch.h - maps to launches --------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the passes from tensors to buffers: which operations read memory
// with any strides, and how operations that compute new tensors become
// launches.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_MAKELAUNCH_H
#define BROADLOOM_CODEGEN_BUFFERS_MAKELAUNCH_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

/// The buffer that a launch or a contiguous copy makes: row-major, no gaps.
mlir::BaseMemRefType getFreshBufferType(mlir::Type tensorType);

/// The launch for a map, a fused reduction or a contraction, whose body it
/// takes; `inputs` are buffers and scalars. A result that already has a buffer
/// type keeps it.
loom::LaunchOp makeLaunch(mlir::RewriterBase &rewriter, loom::MapOp map,
                          mlir::ValueRange inputs);
loom::LaunchOp makeLaunch(mlir::RewriterBase &rewriter,
                          loom::FusedReductionOp rows, mlir::ValueRange inputs);
loom::LaunchOp makeLaunch(mlir::RewriterBase &rewriter,
                          loom::ContractOp contract, mlir::ValueRange inputs);

/// Whether `user` reads a buffer with any strides, through its descriptor.
inline bool readsAnyStrides(mlir::Operation *user) {
  return user->hasTrait<loom::ReadsAnyStrides>() ||
         mlir::isa<mlir::tensor::DimOp, mlir::tensor::RankOp>(user);
}

/// The same for one operand: a contraction without a window reads the image and
/// the weight so, and any contraction a weight that the runtime lays out once.
inline bool isReadWithAnyStrides(mlir::OpOperand &use) {
  if (auto contract = mlir::dyn_cast<loom::ContractOp>(use.getOwner()))
    return use.getOperandNumber() < 2 &&
           (contract.getStrides().empty() ||
            (use.getOperandNumber() == 1 && contract.getPacked() &&
             mlir::isa<mlir::BlockArgument>(use.get())));
  return readsAnyStrides(use.getOwner()) ||
         mlir::isa<loom::TransposedOp, loom::SortOp, loom::LinearAlgebraOp>(
             use.getOwner());
}

/// Walks all operations but those in the bodies of maps, which are scalar and
/// most of a large program.
inline void walkAroundMaps(mlir::func::FuncOp func,
                           llvm::function_ref<void(mlir::Operation *)> visit) {
  func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    visit(op);
    return op->hasTrait<loom::ScalarBody>() ? mlir::WalkResult::skip()
                                            : mlir::WalkResult::advance();
  });
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_MAKELAUNCH_H
