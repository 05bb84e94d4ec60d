//===- OutlineLoops.h - loops over memory as functions ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations other than maps, fused reductions and contractions are still
// linalg on buffers, and become loops of scalar code. Each such operation goes
// into a function of its own, which equal ones share: LLVM's time for a
// function grows faster than the function (decision 39).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_OUTLINELOOPS_H
#define BROADLOOM_CODEGEN_KERNELS_OUTLINELOOPS_H

#include "codegen/kernels/KernelKey.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace broadloom::codegen {

class LoopOutliner {
public:
  /// New functions are added at the end of `module`.
  explicit LoopOutliner(mlir::ModuleOp module)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())) {}

  /// Replaces operations of linalg in `func` by calls.
  void outline(mlir::func::FuncOp func);

private:
  /// The same for `op`, if its loops can be a function.
  void outline(mlir::linalg::LinalgOp op);
  mlir::func::FuncOp build(mlir::linalg::LinalgOp op,
                           mlir::ArrayRef<mlir::Value> inputs,
                           mlir::ArrayRef<mlir::Operation *> constants);

  mlir::OpBuilder builder;
  std::map<Key, mlir::func::FuncOp> loops;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_OUTLINELOOPS_H
