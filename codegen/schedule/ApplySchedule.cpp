//===- ApplySchedule.cpp - a script that edits loops ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a schedule (sch-1) and runs its edits by MLIR's interpreter. A script
// is a list of edits without control flow, which is checked first, so that the
// interpreter ends and knows each operation.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/schedule/ScheduleOps.h"
#include "codegen/schedule/ScheduleTree.h"
#include "dialect/MemoryFunction.h"
#include "read/structure/ParserDefects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMAPPLYSCHEDULE
#define GEN_PASS_DEF_LOOMPRINTSCHEDULE
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr llvm::StringLiteral kMain = "__transform_main";

namespace {

/// A schedule as a module.
class Script {
public:
  OwningOpRef<ModuleOp> module;
  transform::NamedSequenceOp main;

  LogicalResult read(const std::string &path, MLIRContext *context) {
    auto refuse = [&](const Twine &text) {
      return emitError(UnknownLoc::get(context))
             << "cannot read the schedule '" << path << "': " << text;
    };
    // A device may have no end.
    if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
      return refuse("it is no file with a text");
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!file)
      return refuse(file.getError().message());
    Location place = FileLineColLoc::get(context, path, 1, 1);
    if ((*file)->getBuffer().starts_with("ML\xefR"))
      return emitError(place) << "a schedule is text, not bytecode";
    if (failed(read::checkParsable(**file, context)))
      return failure();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
    module = parseSourceFile<ModuleOp>(sources, context);
    return success(module && succeeded(check(place)));
  }

private:
  LogicalResult check(Location place) {
    for (Operation &op : *module->getBody()) {
      auto sequence = dyn_cast<transform::NamedSequenceOp>(op);
      if (!sequence || sequence.getName() != kMain || main)
        return op.emitError("a schedule has one sequence, '@")
               << kMain << "', and nothing else";
      main = sequence;
    }
    if (!main)
      return emitError(place)
             << "the schedule has no sequence '@" << kMain << "'";
    if (main.isExternal() || main.getBody().getNumArguments() != 1 ||
        !isa<transform::AnyOpType>(main.getArgumentTypes()[0]) ||
        main.getFunctionType().getNumResults() != 0)
      return main.emitError("the sequence of a schedule has one argument of "
                            "type !transform.any_op, the program, and no "
                            "results");
    for (Operation &op : main.getBody().front().without_terminator())
      if (!isScheduleOp(&op))
        return op.emitError("'")
               << op.getName()
               << "' is no edit; a schedule is a list of edits of loops";
    return success();
  }
};

struct LoomApplySchedulePass
    : codegen::impl::LoomApplyScheduleBase<LoomApplySchedulePass> {
  using LoomApplyScheduleBase::LoomApplyScheduleBase;

  LogicalResult initialize(MLIRContext *context) override {
    script = std::make_shared<Script>();
    return script->read(file, context);
  }

  void runOnOperation() override {
    ModuleOp program = getOperation();
    SmallVector<func::FuncOp> functions = loom::getMemoryFunctions(program);
    if (prints)
      for (func::FuncOp func : functions) {
        numberStatements(func);
        printSchedule(func, llvm::outs());
      }
    auto prepare = [&](transform::TransformState &state) {
      if (prints)
        state.addExtension<StepPrinter>(llvm::outs());
    };
    // Edits themselves tell which handles have no loop any more.
    transform::TransformOptions options;
    options.enableExpensiveChecks(false);
    if (failed(transform::applyTransforms(program, script->main, {}, options,
                                          /*enforceToplevelTransformOp=*/false,
                                          prepare)))
      return signalPassFailure();
    if (prints)
      llvm::for_each(functions, eraseNumbers);
  }

  std::shared_ptr<Script> script;
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
