//===- ViewPatterns.h - parts and expansions of buffers ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_VIEWPATTERNS_H
#define BROADLOOM_CODEGEN_MACHINE_VIEWPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

/// Makes `memref.reinterpret_cast` of `memref.subview` and
/// `memref.expand_shape`, ahead of upstream's patterns.
void addViewPatterns(mlir::RewritePatternSet &patterns);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_VIEWPATTERNS_H
