//===- Passes.h - passes over shape functions -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PASSES_H
#define BROADLOOM_INFER_FUNCTIONS_PASSES_H

#include "dialect/LoomDialect.h"
#include "infer/functions/Library.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::infer {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "infer/functions/Passes.h.inc"

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PASSES_H
