//===- ProductReport.h - which nests are contractions -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report says of loop nests that add products.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_PRODUCTREPORT_H
#define BROADLOOM_CODEGEN_MEMORY_PRODUCTREPORT_H

#include "infer/report/GuardReport.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// Adds to the loops of `report`, which is about the program that `module` has
/// behind its guards, whether kernels compute them, or why not (mem-16).
void reportProducts(mlir::ModuleOp module, infer::GuardReport &report);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_PRODUCTREPORT_H
