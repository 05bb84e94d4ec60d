//===- UpstreamDefects.h - what upstream's verifiers miss -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs on which upstream's verifiers crash, or which they accept although
// upstream's lowerings cannot handle them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_UPSTREAMDEFECTS_H
#define BROADLOOM_READ_STRUCTURE_UPSTREAMDEFECTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Checks what the verifier of `op` assumes without checking, before it runs.
/// The structure of the module is valid. Reports the first error.
llvm::LogicalResult checkBeforeVerifier(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_UPSTREAMDEFECTS_H
