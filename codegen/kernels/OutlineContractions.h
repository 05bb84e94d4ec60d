//===- OutlineContractions.h - contractions to programs ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the kernels and tables of runtime/abi/ContractStructs.h
// (BroadloomContraction) for launches of contractions. Equal ones share a
// kernel, and a program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_OUTLINECONTRACTIONS_H
#define BROADLOOM_CODEGEN_KERNELS_OUTLINECONTRACTIONS_H

#include "codegen/kernels/ContractKernel.h"
#include "codegen/kernels/KernelKey.h"
#include "codegen/layout/ConstantData.h"

#include <map>

namespace broadloom::codegen {

/// The memory to which the operation behind a contraction copies its result, in
/// a function over memory; null if there is none. The result is written there,
/// which may also be an operand of the body.
mlir::Value getDestination(loom::LaunchOp launch);

class ContractOutliner {
public:
  ContractOutliner(mlir::ModuleOp module, const VectorUnit &unit)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())),
        data(module, "loom_contract_table_"), unit(unit) {}

  /// The program of `launch`, whose body is that of a contraction.
  mlir::FlatSymbolRefAttr outline(loom::LaunchOp launch);

private:
  mlir::FlatSymbolRefAttr
  getKernel(mlir::Location loc, const ContractShape &shape, mlir::Block &body);

  mlir::OpBuilder builder;
  ConstantData data;
  VectorUnit unit;
  std::map<Key, mlir::FlatSymbolRefAttr> kernels, programs;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_OUTLINECONTRACTIONS_H
