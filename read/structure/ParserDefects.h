//===- ParserDefects.h - what MLIR's parser crashes on ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's text parser crashes on some invalid texts. This check finds them
// before the parser runs (abi-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_PARSERDEFECTS_H
#define BROADLOOM_READ_STRUCTURE_PARSERDEFECTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir {
class MLIRContext;
}

namespace broadloom::read {

/// Reports the first part of a text that the parser would crash on: an array
/// of `index`, as in `array<index: 1, 0>`, which has no width; brackets that
/// are nested deeper than the parser's recursion can go; and
/// `linalg.batch_matmul` and `linalg.batch_reduce_matmul` of operands that
/// cannot be multiplied, such as tensors of unknown rank. A byte-order mark and
/// UTF-16, which the parser calls an unexpected character, are reported by
/// name. Bytecode is not checked.
mlir::LogicalResult checkParsable(const llvm::MemoryBuffer &buffer,
                                  mlir::MLIRContext *context);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_PARSERDEFECTS_H
