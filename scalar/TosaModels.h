//===- TosaModels.h - TOSA's element-wise operations ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes upstream's 36 element-wise TOSA operations, and sin and cos, implement
// BroadcastableOpInterface, with the semantics of docs/spec.md, section 5.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_TOSAMODELS_H
#define BROADLOOM_SCALAR_TOSAMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace broadloom {

/// Attaches the interface when the `tosa` dialect is loaded. The `arith` and
/// `math` dialects, which the scalar bodies are made of, are loaded with it.
void registerTosaBroadcastableModels(mlir::DialectRegistry &registry);

} // namespace broadloom

#endif // BROADLOOM_SCALAR_TOSAMODELS_H
