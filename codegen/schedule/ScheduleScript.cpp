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

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr llvm::StringLiteral kMain = "__transform_main";

/// Whether an error of MLIR's parser is about an operation that it has not.
static bool isOfNames(StringRef error) {
  return error.starts_with("custom op") ||
         error.contains("not found for custom op");
}

static std::string listOperations(MLIRContext *context) {
  SmallVector<StringRef> names;
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef().starts_with("transform.loom."))
      names.push_back(name.getStringRef());
  llvm::sort(names);
  return "the operations of a schedule are " + llvm::join(names, ", ");
}

/// Says what to write in place of an operation that is no edit.
static LogicalResult refuse(Operation &op) {
  InFlightDiagnostic error = op.emitError("'")
                             << op.getName() << "' is no edit of loops; ";
  if (auto target = op.getAttrOfType<SymbolRefAttr>("target");
      target && isa<transform::IncludeOp>(op))
    return error << "write the edits of '" << target << "' in its place";
  if (op.getNumRegions() != 0)
    return error << "write the edits in it one behind the other in the "
                    "sequence itself, which runs all of them or fails";
  return error << listOperations(op.getContext());
}

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
  ScopedDiagnosticHandler explain(context, [&](Diagnostic &told) {
    if (told.getSeverity() == DiagnosticSeverity::Error &&
        isOfNames(told.str()))
      told.attachNote(place) << listOperations(context);
    return failure();
  });
  module = parseSourceFile<ModuleOp>(
      sources, ParserConfig(context, /*verifyAfterParse=*/false));
  if (!module)
    return failure();
  // Only a module that is well formed has a body to look at.
  if (failed((*module)->getName().verifyInvariants(*module)))
    return failure();
  (*module)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                     UnitAttr::get(context));
  return success(succeeded(checkOperations()) && succeeded(verify(*module)) &&
                 succeeded(check(place)));
}

LogicalResult ScheduleScript::checkOperations() {
  for (Operation &op : *module->getBody()) {
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!isa<transform::NamedSequenceOp>(op))
      return op.emitError("a schedule has one sequence, '@")
             << kMain << "', and nothing else";
    if (!name || name.getValue() != kMain || main)
      return op.emitError("a schedule has one sequence, '@")
             << kMain << "', and no other one; write the edits there";
    main = cast<transform::NamedSequenceOp>(op);
    for (Region &region : op.getRegions())
      for (Operation &edit : region.getOps())
        if (!isScheduleOp(&edit) && !isa<transform::YieldOp>(edit))
          return refuse(edit);
  }
  return success();
}

LogicalResult ScheduleScript::check(Location place) {
  if (!main)
    return emitError(place)
           << "the schedule has no sequence '@" << kMain << "'";
  if (main.isExternal() || main.getBody().getNumArguments() != 1 ||
      !isa<transform::AnyOpType>(main.getArgumentTypes()[0]) ||
      main.getFunctionType().getNumResults() != 0)
    return main.emitError("the sequence of a schedule has one argument of "
                          "type !transform.any_op, the program, and no "
                          "results");
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
