//===- EffectNests.h - declared sets as loop nests --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_EFFECTNESTS_H
#define BROADLOOM_LEGALIZE_MEMORY_EFFECTNESTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// Gives `func`, which has no body and declares verified sets (ffi-4), a body
/// whose loads and stores are the sets. Fails, with an error, where numbers of
/// one do not fit the loops' arithmetic.
llvm::LogicalResult buildEffectNests(mlir::func::FuncOp func);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_EFFECTNESTS_H
