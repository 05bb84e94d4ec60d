//===- DefineWords.h - arithmetic that upstream leaves open -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on integers for which upstream has no result for some operands, or
// a wrong one, become operations with the result of the rules: shifts by the
// width and beyond (el-3), quotients of `index` that are rounded, affine maps
// that divide by a value, and `affine.linearize_index` and its counterpart, for
// which upstream has no lowering.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_DEFINEWORDS_H
#define BROADLOOM_LEGALIZE_DEFINEWORDS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Replaces `op` if it is one of these. Its operands have been constrained
/// before (rt-11).
void defineWords(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_DEFINEWORDS_H
