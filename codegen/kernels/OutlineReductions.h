//===- OutlineReductions.h - launches over rows to programs -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the kernels and tables of runtime/abi/Abi.h (BroadloomReduction) for
// launches with axes. Equal stages share a kernel, and equal reductions too.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_OUTLINEREDUCTIONS_H
#define BROADLOOM_CODEGEN_KERNELS_OUTLINEREDUCTIONS_H

#include "codegen/kernels/KernelKey.h"
#include "codegen/kernels/RowPartition.h"
#include "codegen/layout/ConstantData.h"
#include "codegen/target/CodeTarget.h"

namespace broadloom::codegen {

class RowOutliner {
public:
  RowOutliner(mlir::ModuleOp module, const VectorUnit &unit)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())),
        data(module, "loom_row_table_"), unit(unit) {}

  /// The program of `launch`, which has axes.
  mlir::FlatSymbolRefAttr outline(loom::LaunchOp launch);

private:
  /// The program for operands that have one element per row if `perRow` is
  /// true. `likely` (bits) are operands that may have one element per row;
  /// `narrow` is the program for that case.
  mlir::FlatSymbolRefAttr outline(loom::LaunchOp launch,
                                  llvm::ArrayRef<bool> perRow, uint64_t likely,
                                  mlir::FlatSymbolRefAttr narrow);
  mlir::FlatSymbolRefAttr getKernel(mlir::Location loc, const RowStage &stage);
  mlir::FlatSymbolRefAttr getFinish(mlir::Location loc, loom::ReduceOp reduce);
  mlir::FlatSymbolRefAttr getFold(mlir::Location loc, loom::ReduceOp reduce);
  mlir::FlatSymbolRefAttr getNeutral(mlir::Location loc,
                                     mlir::TypedAttr neutral);
  /// Null if the launch cannot have one.
  mlir::FlatSymbolRefAttr
  getShortKernel(loom::LaunchOp launch, const RowPartition &partition,
                 const llvm::DenseMap<mlir::Value, int32_t> &numbers);
  ReductionStageRecord
  makeStage(mlir::Location loc, const RowStage &stage,
            const RowPartition &partition,
            const llvm::DenseMap<mlir::Value, int32_t> &numbers);

  mlir::OpBuilder builder;
  ConstantData data;
  VectorUnit unit;
  std::map<Key, mlir::FlatSymbolRefAttr> kernels, finishes, folds, shortKernels;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> neutrals;
  unsigned numPrograms = 0;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_OUTLINEREDUCTIONS_H
