//===- ScheduleScript.cpp - a schedule as a module ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ScheduleScript.h"

#include "codegen/schedule/ScheduleOps.h"
#include "infer/functions/Library.h"
#include "read/structure/ParserDefects.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr llvm::StringLiteral kMain = "__transform_main";

LogicalResult ScheduleScript::read(const std::string &path,
                                   MLIRContext *context) {
  auto refuse = [&](const Twine &text) {
    return emitError(UnknownLoc::get(context))
           << "cannot read the schedule '" << path << "': " << text;
  };
  if (infer::isNoFile(path))
    return refuse("it is not a regular file");
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

LogicalResult ScheduleScript::check(Location place) {
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
  for (Operation *op : getOperations())
    if (!isScheduleOp(op))
      return op->emitError("'")
             << op->getName()
             << "' is no edit; a schedule is a list of edits of loops";
  return success();
}

ScheduleScript ScheduleScript::clone() const {
  ScheduleScript copy;
  copy.module = ModuleOp(module.get()).clone();
  copy.main = *copy.module->getOps<transform::NamedSequenceOp>().begin();
  return copy;
}

SmallVector<Operation *> ScheduleScript::getOperations() const {
  SmallVector<Operation *> operations;
  transform::NamedSequenceOp sequence = main;
  for (Operation &op : sequence.getBody().front().without_terminator())
    operations.push_back(&op);
  return operations;
}

LogicalResult ScheduleScript::apply(ModuleOp program,
                                    const StepListener::Notify &notify) const {
  // Edits themselves tell which handles have no loop any more.
  transform::TransformOptions options;
  options.enableExpensiveChecks(false);
  return transform::applyTransforms(
      program, main, {}, options, /*enforceToplevelTransformOp=*/false,
      [&](transform::TransformState &state) {
        if (notify)
          state.addExtension<StepListener>(notify);
      });
}
