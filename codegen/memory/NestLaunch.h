//===- NestLaunch.h - contractions of memory where it is --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches for a nest that is a contraction. Kernels read the factors in the
// memory of the program and write the sums there, with the strides that it has.
// Axes of memory that are one axis of the contraction are joined, and what a
// window reads is row-major: such memory is copied where it has gaps.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_NESTLAUNCH_H
#define BROADLOOM_CODEGEN_MEMORY_NESTLAUNCH_H

#include "codegen/memory/NestWindow.h"

#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

class NestLaunch {
public:
  /// There are parts for all loops of the nest; `first` has the variables of
  /// the loops in their first iterations.
  NestLaunch(mlir::OpBuilder &b, const NestProduct &nest,
             llvm::ArrayRef<NestPart> parts, const mlir::IRMapping &first);

  /// Adds the products of the parts to the sums, or stores the sums of them.
  /// `gathered` is the memory of a factor that is gathered (gatherImage).
  void addProducts(mlir::Value gathered);
  /// The same for the products of a window over the image.
  void addProducts(const NestWindow &window);

private:
  /// The loops of an axis of the contraction. Without any, the axis has one
  /// element.
  using Axis = llvm::SmallVector<unsigned, 2>;
  /// An axis of a view: of `count` elements along an axis of the memory.
  struct ViewAxis {
    std::optional<unsigned> of;
    mlir::OpFoldResult count;
  };

  template <typename Op> mlir::Value make(mlir::Value x, mlir::Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }
  mlir::Value asValue(mlir::OpFoldResult number);
  /// The extent of the axis.
  mlir::OpFoldResult getExtent(const Axis &axis);

  /// A view of memory from an element on, whose indices are 0 where null.
  mlir::Value makeView(mlir::Value memory, llvm::ArrayRef<mlir::Value> begin,
                       llvm::ArrayRef<ViewAxis> axes);
  /// The part of a plain operand, with an axis for each loop.
  mlir::Value takeLoops(const NestOperand &operand, llvm::ArrayRef<Axis> axes);
  /// The memory, row-major: itself or a copy, until the launch is done.
  mlir::Value makeDense(mlir::Value memory);
  /// A view with an axis for each loop, with these axes: itself, or a copy if
  /// several loops are one axis.
  mlir::Value join(mlir::Value view, llvm::ArrayRef<Axis> axes);
  /// What is gathered, with these axes.
  mlir::Value takeGathered(mlir::Value gathered, llvm::ArrayRef<Axis> axes);
  /// Emits the launch, whose sums have these axes, and what follows it.
  void launch(mlir::Value image, mlir::Value weight,
              llvm::ArrayRef<Axis> sumAxes, const NestWindow *window);

  mlir::OpBuilder &b;
  const NestProduct &nest;
  llvm::ArrayRef<NestPart> parts;
  mlir::IRMapping first;
  mlir::scf::ForOp root;
  mlir::Location loc;
  /// Memory that is released behind the launch.
  llvm::SmallVector<mlir::Value> copies;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_NESTLAUNCH_H
