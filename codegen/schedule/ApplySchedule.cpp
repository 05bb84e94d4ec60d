//===- ApplySchedule.cpp - a script that edits loops ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that edit loops by a schedule (ScheduleScript.h), and that print
// them as trees.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/schedule/AutoSchedule.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/ScheduleScript.h"
#include "codegen/schedule/ScheduleTree.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMAPPLYSCHEDULE
#define GEN_PASS_DEF_LOOMPRINTSCHEDULE
#define GEN_PASS_DEF_LOOMSCHEDULENESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

struct LoomApplySchedulePass
    : codegen::impl::LoomApplyScheduleBase<LoomApplySchedulePass> {
  using LoomApplyScheduleBase::LoomApplyScheduleBase;

  LogicalResult initialize(MLIRContext *context) override {
    script = std::make_shared<ScheduleScript>();
    return script->read(file, context);
  }

  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (!prints) {
      if (failed(script->apply(program)))
        signalPassFailure();
      return;
    }
    SmallVector<func::FuncOp> functions = loom::getMemoryFunctions(program);
    for (func::FuncOp func : functions) {
      numberStatements(func);
      printSchedule(func, llvm::outs());
    }
    auto print = [](Operation *step, func::FuncOp edited) {
      if (!edited)
        return;
      llvm::outs() << "// " << *step << '\n';
      printSchedule(edited, llvm::outs());
    };
    if (failed(script->apply(program, print)))
      return signalPassFailure();
    llvm::for_each(functions, eraseNumbers);
  }

  std::shared_ptr<ScheduleScript> script;
};

struct LoomScheduleNestsPass
    : codegen::impl::LoomScheduleNestsBase<LoomScheduleNestsPass> {
  void runOnOperation() override { scheduleNests(getOperation()); }
};

struct LoomPrintSchedulePass
    : codegen::impl::LoomPrintScheduleBase<LoomPrintSchedulePass> {
  void runOnOperation() override {
    for (func::FuncOp func : loom::getMemoryFunctions(getOperation())) {
      numberStatements(func);
      printSchedule(func, llvm::outs());
      eraseNumbers(func);
    }
  }
};

} // namespace
