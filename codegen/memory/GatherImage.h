//===- GatherImage.h - the first factor of a nest, as rows ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_GATHERIMAGE_H
#define BROADLOOM_CODEGEN_MEMORY_GATHERIMAGE_H

#include "codegen/memory/NestProduct.h"

#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

/// Emits loops that gather what the first factor of a nest is in all iterations
/// of its loops, whose axes these are, and returns the memory that it is in.
/// There are parts for all loops of the nest; `first` has the variables of the
/// loops in their first iterations.
mlir::Value gatherImage(mlir::OpBuilder &b, const NestProduct &nest,
                        llvm::ArrayRef<NestPart> parts,
                        const mlir::IRMapping &first);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_GATHERIMAGE_H
