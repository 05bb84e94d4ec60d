//===- FunctionFrame.h - where a function keeps what it works on *- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The descriptors of a function's tensors are in memory, each at a slot that
// is known when the function is compiled: in the function's own frame, among
// its arguments, or among its results. The runtime is told slots and not
// contents, so that a launch is one call whatever it reads and makes.
//
// Invariant: what is at the slot of a value is written where the value is
// defined and never changed by others. It is therefore what the value is
// wherever the value may be used.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H
#define BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H

#include "codegen/abi/RuntimeCalls.h"

#include <optional>

namespace broadloom::codegen {

/// Where a descriptor is, or a BroadloomView (runtime/abi/Abi.h,
/// BroadloomSlot).
struct FrameSlot {
  enum class Base {
    Frame = BROADLOOM_IN_FRAME,
    Arguments = BROADLOOM_IN_ARGUMENTS,
    Results = BROADLOOM_IN_RESULTS
  };
  Base base;
  /// Bytes from there; a multiple of 8.
  int64_t offset;
  /// Of the descriptor; -1 for a view.
  int64_t rank;
};

/// Frames up to this size are on the stack, which is not large in threads.
constexpr int64_t kMostStackBytes = int64_t(16) << 10;

/// Bytes that a result of this type takes among the results of its function:
/// of a ranked tensor its descriptor, of an unranked one its view, of a scalar
/// eight bytes with itself.
int64_t getResultBytes(mlir::Type type);
/// Where each result is among those of its function, and at last where they
/// end.
llvm::SmallVector<int64_t> getResultOffsets(mlir::TypeRange types);

/// Whether results of the convention Values are too many to be returned: LLVM
/// takes quadratic time for large structs.
bool passInMemory(mlir::TypeRange results);

class FunctionFrame {
public:
  /// How a function gets its arguments and gives its results.
  enum class Convention {
    /// The call's state, the arguments as views, and where the results go; uses
    /// of the old arguments become uses of what the views say.
    Views,
    /// The call's state and then the arguments themselves; the results stand
    /// behind the status, or, where passInMemory says so, where an argument
    /// behind the call's state points. For functions of numbers and shapes.
    Values,
  };

  /// Gives `func`, which is to return a status, the arguments of compiled
  /// functions.
  FunctionFrame(mlir::func::FuncOp func, RuntimeCalls &runtime,
                Convention convention);

  bool isByValue() const { return convention == Convention::Values; }
  /// Whether the results stand behind the status.
  bool returnsResults() const { return isByValue() && resultOffsets.empty(); }

  mlir::Value call() { return func.getArgument(0); }

  /// Space that is the frame's own.
  FrameSlot takeDescriptor(int64_t rank);
  FrameSlot takeView() { return take(sizeof(BroadloomView), -1); }
  /// `bytes` bytes that hold nothing in particular.
  FrameSlot takeBytes(int64_t bytes) { return take(bytes, 0); }
  /// Space for result `index` of the function.
  FrameSlot resultSlot(unsigned index) const;

  /// Space that is used until the next call only, and then again.
  mlir::Value scratch(mlir::OpBuilder &b, mlir::Location loc, int64_t bytes);

  mlir::Value address(mlir::OpBuilder &b, mlir::Location loc, FrameSlot slot);
  /// The address of the frame, and of the arguments and results.
  mlir::Value base(FrameSlot::Base which);
  /// The address of the descriptor at `slot`, or of the one that the view
  /// there names.
  mlir::Value descriptorAt(mlir::OpBuilder &b, mlir::Location loc,
                           FrameSlot slot);

  /// Where `value`, a memref or shape, is described, if that is known.
  std::optional<FrameSlot> find(mlir::Value value) const;
  /// The same, written now where it is not. Scalars become tensors of rank 0.
  FrameSlot describe(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);
  /// The address of an array of views of `values`, or null where there are
  /// none.
  mlir::Value makeViews(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange values);

  /// Says where `value` is going to be described.
  void record(mlir::Value value, FrameSlot slot) { slots[value] = slot; }
  /// Makes `old` what is at `slot`.
  void replace(mlir::OpBuilder &b, mlir::Location loc, mlir::Value old,
               FrameSlot slot);

  /// Called once all is lowered: removes slots without readers and makes the
  /// space. `failure` returns the status that it is given.
  void finish(llvm::function_ref<mlir::Block *()> failure);

private:
  FrameSlot take(int64_t bytes, int64_t rank);
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc, FrameSlot slot,
                   mlir::Type type);
  /// Replaces the placeholders by what is at their slots.
  void readPlaceholders();
  void takeViews();
  void readArguments(mlir::ArrayRef<mlir::Type> types);
  void moveOffStack(llvm::function_ref<mlir::Block *()> failure);

  mlir::func::FuncOp func;
  RuntimeCalls &runtime;
  Convention convention;
  /// The addresses of both; their sizes are set at the end.
  mlir::LLVM::AllocaOp frame, passing;
  int64_t frameBytes = 0, passingBytes = 0;
  llvm::SmallVector<int64_t> resultOffsets;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::DenseMap<mlir::Value, FrameSlot> slots;
  /// What replace() made. Most are read by the runtime alone, which knows the
  /// slot; only the others are loaded, and only at the end.
  llvm::SmallVector<mlir::Operation *> placeholders;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H
