//===- FunctionContext.h - one function while it is lowered -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the lowering of every operation needs: the insertion point,
// the slots of values, and the failure block. Invariant: after check(), `b`
// inserts code that runs only if the checked call succeeded.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_FUNCTIONCONTEXT_H
#define BROADLOOM_CODEGEN_ABI_FUNCTIONCONTEXT_H

#include "codegen/abi/FunctionFrame.h"

namespace mlir::memref {
class AllocOp;
class CopyOp;
class DeallocOp;
class DimOp;
} // namespace mlir::memref

namespace broadloom::loom {
class AllocOp;
class AnyOp;
class BroadcastOp;
class ContiguousOp;
class ExtentOp;
class ExternalCallOp;
class FromExtentsOp;
class RankOp;
class RequireBroadcastOp;
class RequireFunctionOp;
class ReleaseOp;
class RetainOp;
class RunOp;
class ShapeOfOp;
class LinearAlgebraOp;
class SortOp;
} // namespace broadloom::loom

namespace broadloom::codegen {

struct FunctionContext {
  FunctionContext(mlir::func::FuncOp func, RuntimeCalls &runtime,
                  FunctionFrame::Convention convention)
      : func(func), runtime(runtime), resultTypes(func.getResultTypes()),
        frame(func, runtime, convention), b(func.getContext()),
        loc(func.getLoc()) {}

  /// A block that returns `status`, its only argument.
  mlir::Block *getFailureBlock();
  /// Moves the operations before `op` to a new block, which has no terminator
  /// yet and replaces the old block as a successor. Each operation moves once,
  /// however often this is called. The block's arguments move to the new block.
  mlir::Block *splitBefore(mlir::Operation *op);
  /// Emits a branch to the failure block unless `status` is 0.
  void check(mlir::Value status);
  void checkedCall(const abi::Call &callee, mlir::ValueRange arguments) {
    check(runtime.call(b, loc, callee, arguments));
  }

  mlir::Value number(int64_t value) {
    return runtime.constant(b, loc, runtime.i32, value);
  }
  mlir::Value bigNumber(int64_t value) {
    return runtime.constant(b, loc, runtime.i64, value);
  }
  /// An integer or index as an i64.
  mlir::Value asI64(mlir::Value value);
  mlir::Value address(FrameSlot slot) { return frame.address(b, loc, slot); }
  mlir::Value makeViews(mlir::ValueRange values) {
    return frame.makeViews(b, loc, values);
  }
  /// Stores the extents of a memref of `type`, an i64 each, from `to` on;
  /// `dynamic` has those that the type leaves open.
  void storeExtents(mlir::Value to, mlir::MemRefType type,
                    mlir::ValueRange dynamic);
  /// Replaces the only result of `op` by the value at `slot`, and erases `op`.
  void replace(mlir::Operation *op, FrameSlot slot);

  mlir::func::FuncOp func;
  RuntimeCalls &runtime;
  /// The types of the results before lowering.
  llvm::SmallVector<mlir::Type> resultTypes;
  FunctionFrame frame;
  mlir::OpBuilder b;
  mlir::Location loc;

private:
  mlir::Value makeNothing(mlir::Type type);

  mlir::Block *failure = nullptr;
};

/// Lowers operations on memory to calls of the runtime (LowerMemory.cpp).
/// Launches, releases and sites one after another, with nothing but casts
/// between them, are one call.
void lower(FunctionContext &context, llvm::ArrayRef<mlir::Operation *> ops);
void lower(FunctionContext &context, loom::RetainOp op);
void lower(FunctionContext &context, loom::AllocOp op);
void lower(FunctionContext &context, loom::ContiguousOp op);
void lower(FunctionContext &context, loom::LinearAlgebraOp op);
void lower(FunctionContext &context, loom::SortOp op);
void lower(FunctionContext &context, mlir::memref::CopyOp op);

/// The same in functions over memory (LowerAllocations.cpp).
void lower(FunctionContext &context, mlir::memref::AllocOp op);
void lower(FunctionContext &context, mlir::memref::DeallocOp op);
void lowerMemoryCopy(FunctionContext &context, mlir::memref::CopyOp op);

/// The same for a call of another library (LowerLibraryCalls.cpp).
void lower(FunctionContext &context, loom::ExternalCallOp op);

/// The same for an operation on shapes (LowerShapes.cpp).
void lower(FunctionContext &context, loom::RequireBroadcastOp op);
void lower(FunctionContext &context, loom::RequireFunctionOp op);
void lower(FunctionContext &context, loom::AnyOp op);
void lower(FunctionContext &context, loom::ShapeOfOp op);
void lower(FunctionContext &context, loom::FromExtentsOp op);
void lower(FunctionContext &context, loom::BroadcastOp op);
void lower(FunctionContext &context, loom::RankOp op);
void lower(FunctionContext &context, loom::ExtentOp op);
void lower(FunctionContext &context, mlir::memref::DimOp op);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_FUNCTIONCONTEXT_H
