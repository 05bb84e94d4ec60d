//===- Phases.h - transposed convolutions by phases -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a transposed convolution's result that differ by a multiple of the
// stride are a convolution of the image as it is, with every stride-th row of
// the kernel. If the kernel's extents are multiples of the strides, these
// phases have kernels of one size, and become the channels of one convolution.
// It skips the products with zeros of lower/contract/Dilate.h and is otherwise
// the same chain of additions.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_PHASES_H
#define BROADLOOM_LOWER_CONTRACT_PHASES_H

#include "lower/contract/MakeContraction.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::lower {

/// Replaces `op` by such a convolution and returns true, if its weight and bias
/// are constants and its kernel and padding fit.
bool replaceByPhases(mlir::IRRewriter &rewriter,
                     mlir::tosa::TransposeConv2DOp op,
                     const ContractedSum &sum);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_PHASES_H
