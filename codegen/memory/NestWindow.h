//===- NestWindow.h - loop nests that are convolutions ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction whose first factor is read by a window: images `[n, s..., c]`,
// a weight `[t..., c, o]` and sums `[n, s..., o]`. Its strides, dilations and
// padding are constants, and its conditions leave out what is beyond the image.
// Without conditions they may be numbers of the call, for one that has no
// strides and dilations but 1.
// A window adds the channels of a step before those of the next one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_NESTWINDOW_H
#define BROADLOOM_CODEGEN_MEMORY_NESTWINDOW_H

#include "codegen/memory/LinearIndex.h"
#include "codegen/memory/NestProduct.h"

namespace broadloom::codegen {

struct NestWindow {
  /// Nothing if the nest is no convolution, or has another layout.
  static std::optional<NestWindow> get(const NestProduct &nest);

  /// For each axis of the window, its numbers, and the loops of the positions
  /// and of the steps.
  llvm::SmallVector<int64_t> strides, dilations, padding;
  llvm::SmallVector<unsigned> positions, steps;
  /// For each axis, whether stride and dilation are 1 in some calls alone, in
  /// which the window begins with the first element that the nest reads.
  llvm::SmallVector<bool> isOpen;
  /// The loops of the batch, and of the channels of the image and the sums.
  unsigned batch = 0, channels = 0, features = 0;

private:
  bool readAxes(const NestProduct &nest);
  bool readIndex(const NestProduct &nest, size_t axis);
  bool readOpenIndex(const NestProduct &nest, size_t axis);
  bool keepsOrder() const;
  bool isBeyond(const NestProduct &nest, mlir::Value condition) const;
  bool isPartBeyond(const NestProduct &nest, mlir::Value condition) const;
  bool isInsideOf(const NestProduct &nest, const LinearIndex &least) const;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_NESTWINDOW_H
