//===- FunctionFrame.h - where a function keeps what it works on *- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The descriptors of a function's tensors are in memory, each at a slot that
// is known when the function is compiled: in the function's own frame, among
// its arguments, or among its results. The runtime gets slots and not contents,
// so that a launch is one call for any operands and results.
//
// Invariant: the slot of a value is written where the value is defined, and
// never by other values. So it is valid at every use of the value.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H
#define BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H

#include "codegen/abi/RuntimeCalls.h"

#include <optional>

namespace broadloom::codegen {

/// The place of a descriptor or of a BroadloomView (runtime/abi/Abi.h,
/// BroadloomSlot).
struct FrameSlot {
  enum class Base {
    Frame = BROADLOOM_IN_FRAME,
    Arguments = BROADLOOM_IN_ARGUMENTS,
    Results = BROADLOOM_IN_RESULTS
  };
  Base base;
  /// The offset from the base in bytes; a multiple of 8.
  int64_t offset;
  /// The rank of the descriptor; -1 for a view.
  int64_t rank;
};

/// Frames up to this size are on the stack; stacks of threads are small.
constexpr int64_t kMostStackBytes = int64_t(16) << 10;

/// Bytes that a result of this type takes among the results of its function:
/// of a ranked tensor its descriptor, of an unranked one its view, of a scalar
/// eight bytes with itself.
int64_t getResultBytes(mlir::Type type);
/// The offset of each result among those of its function, followed by their
/// end.
llvm::SmallVector<int64_t> getResultOffsets(mlir::TypeRange types);

/// Whether results of the convention Values are too many to be returned: LLVM
/// takes quadratic time for large structs.
bool passInMemory(mlir::TypeRange results);

class FunctionFrame {
public:
  /// How a function takes its arguments and returns its results.
  enum class Convention {
    /// Arguments: the call's state, views of the arguments, and the address of
    /// the results. Uses of the old arguments become uses of loads from the
    /// views.
    Views,
    /// Arguments: the call's state and the arguments themselves. Results follow
    /// the status, or, if passInMemory is true, go to memory to which an
    /// argument after the call's state points. For functions of numbers and
    /// shapes.
    Values,
  };

  /// Gives `func`, which will return a status, the arguments of compiled
  /// functions.
  FunctionFrame(mlir::func::FuncOp func, RuntimeCalls &runtime,
                Convention convention);

  bool isByValue() const { return convention == Convention::Values; }
  /// Whether the results are returned after the status.
  bool returnsResults() const { return isByValue() && resultOffsets.empty(); }

  mlir::Value call() { return func.getArgument(0); }

  /// Space in the frame.
  FrameSlot takeDescriptor(int64_t rank);
  FrameSlot takeView() { return take(sizeof(BroadloomView), -1); }
  /// `bytes` bytes of uninitialised space.
  FrameSlot takeBytes(int64_t bytes) { return take(bytes, 0); }
  /// Space for result `index` of the function.
  FrameSlot resultSlot(unsigned index) const;

  /// Space that is valid until the next call and then reused.
  mlir::Value scratch(mlir::OpBuilder &b, mlir::Location loc, int64_t bytes);

  mlir::Value address(mlir::OpBuilder &b, mlir::Location loc, FrameSlot slot);
  /// The address of the frame, and of the arguments and results.
  mlir::Value base(FrameSlot::Base which);
  /// The address of the descriptor at `slot`, or of the one that the view
  /// there names.
  mlir::Value descriptorAt(mlir::OpBuilder &b, mlir::Location loc,
                           FrameSlot slot);

  /// The slot of `value`, a memref or shape, if it has one.
  std::optional<FrameSlot> find(mlir::Value value) const;
  /// The same; writes a descriptor if there is none. Scalars become tensors of
  /// rank 0.
  FrameSlot describe(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);
  /// The address of an array of views of `values`, or null if there are none.
  mlir::Value makeViews(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange values);

  /// Sets the slot of `value`.
  void record(mlir::Value value, FrameSlot slot) { slots[value] = slot; }
  /// Replaces `old` by the value at `slot`.
  void replace(mlir::OpBuilder &b, mlir::Location loc, mlir::Value old,
               FrameSlot slot);

  /// To be called after lowering: removes slots without readers and allocates
  /// the space. `failure` returns the status that it is given.
  void finish(llvm::function_ref<mlir::Block *()> failure);

private:
  FrameSlot take(int64_t bytes, int64_t rank);
  /// Writes the descriptor of a scalar.
  FrameSlot describeNumber(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value value);
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc, FrameSlot slot,
                   mlir::Type type);
  /// Replaces the placeholders by loads of their slots.
  void readPlaceholders();
  void takeViews();
  void readArguments(mlir::ArrayRef<mlir::Type> types);
  void moveOffStack(llvm::function_ref<mlir::Block *()> failure);

  mlir::func::FuncOp func;
  RuntimeCalls &runtime;
  Convention convention;
  /// The allocations of the frame and of the scratch space; their sizes are set
  /// at the end.
  mlir::LLVM::AllocaOp frame, passing;
  int64_t frameBytes = 0, passingBytes = 0;
  llvm::SmallVector<int64_t> resultOffsets;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::DenseMap<mlir::Value, FrameSlot> slots;
  /// The arguments that are numbers, and how often they were described.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// The values of replace(). The runtime reads most of them by their slots;
  /// finish() loads only the others.
  llvm::SmallVector<mlir::Operation *> placeholders;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_FUNCTIONFRAME_H
