//===- WhenPresent.h - passes only where they have work ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions build their patterns and traverse the whole program
// several times, even if they have nothing to convert. A check whether they
// have takes one walk, and where names decide, one for several passes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_WHENPRESENT_H
#define BROADLOOM_DRIVER_PASSES_WHENPRESENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassManager.h"

#include <functional>

namespace broadloom {

/// What a pass is run on: the module, or each `func.func` in it.
enum class RunOn { Module, Functions };

/// Runs `pass` on a module in which `concerns` is true of some operation.
void addPassWhenPresent(mlir::OpPassManager &pm,
                        std::function<bool(mlir::Operation *)> concerns,
                        std::unique_ptr<mlir::Pass> pass,
                        RunOn runOn = RunOn::Module);

/// Runs `pass` on a module that has an operation of such a name, and of which
/// `concerns` is true of some operation, if it is given. One walk finds the
/// names for all such passes up to the next one that has work.
void addPassWhenName(mlir::OpPassManager &pm,
                     std::function<bool(mlir::OperationName)> isName,
                     std::unique_ptr<mlir::Pass> pass,
                     RunOn runOn = RunOn::Module,
                     std::function<bool(mlir::Operation *)> concerns = nullptr);

/// Whether a name is of one of the operations `Ops`.
template <typename... Ops> bool isNameOf(mlir::OperationName name) {
  return ((name.getTypeID() == mlir::TypeID::get<Ops>()) || ...);
}

/// The same as addPassWhenPresent() for functions of the module, which takes no
/// walk.
void addPassWhenFunction(mlir::OpPassManager &pm,
                         std::function<bool(mlir::func::FuncOp)> concerns,
                         std::unique_ptr<mlir::Pass> pass,
                         RunOn runOn = RunOn::Module);

/// Runs `pass` on each function of a module that has many. Setting up a
/// conversion takes longer than a few functions need.
void addPassWhenMany(mlir::OpPassManager &pm, std::unique_ptr<mlir::Pass> pass);

/// The same as addPassWhenName() for operations of the dialect `name`.
void addPassWhenDialect(mlir::OpPassManager &pm, llvm::StringRef name,
                        std::unique_ptr<mlir::Pass> pass,
                        RunOn runOn = RunOn::Module);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_WHENPRESENT_H
