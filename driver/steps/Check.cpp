//===- Check.cpp - the constraints of a program, as a report --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/memory/ProductReport.h"
#include "codegen/schedule/ScheduleReport.h"
#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"
#include "driver/inspect/Listing.h"
#include "driver/inspect/Signatures.h"
#include "driver/steps/Reachable.h"
#include "driver/steps/Steps.h"
#include "infer/functions/Library.h"
#include "infer/report/OperationNumber.h"
#include "legalize/memory/LoopReport.h"
#include "legalize/user/Unimplemented.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace broadloom;

bool CheckedProgram::hasFunction(const std::string &name) const {
  return name.empty() || llvm::any_of(functions, [&](const Function &function) {
           return function.name == name;
         });
}

std::string CheckedProgram::describeNoFunction(const std::string &name) const {
  std::string names;
  for (const Function &function : functions)
    names += (names.empty() ? "; it has: " : ", ") + function.name;
  return "the program has no function '" + name + "'" + names;
}

/// The row for an error that is about no operation.
static infer::GuardReport::Row
makeErrorRow(std::string location, StringRef constraint, std::string reason) {
  infer::GuardReport::Row row;
  row.location = std::move(location);
  row.constraint = constraint.str();
  row.status = infer::GuardStatus::Refuted;
  row.reason = std::move(reason);
  return row;
}

static constexpr StringLiteral kCanBeRead = "the program can be read",
                               kCanBeCalled = "the function can be called";

/// steps::parse(); errors in reading the program become rows of `report`.
static OwningOpRef<ModuleOp> parseForReport(Session &session,
                                            infer::GuardReport &report) {
  // Errors in libraries are not about the program.
  if (failed(session.libraries->getUsers(session.context.get())))
    return nullptr;
  std::vector<infer::GuardReport::Row> rows;
  ScopedDiagnosticHandler listen(session.context.get(), [&](Diagnostic &told) {
    if (told.getSeverity() == DiagnosticSeverity::Error)
      rows.push_back(makeErrorRow(getLocationText(told.getLocation()),
                                  kCanBeRead, told.str()));
    return failure();
  });
  const std::string &text = session.diagnostics.text;
  size_t before = text.size();
  OwningOpRef<ModuleOp> module = steps::parse(session);
  if (module)
    return module;
  // Errors of bytecode come from the helper process, as text.
  if (rows.empty())
    rows.push_back(
        makeErrorRow("", kCanBeRead,
                     StringRef(text).substr(before).split('\n').first.str()));
  report.rows = std::move(rows);
  return nullptr;
}

/// Whether the types of public functions have forms outside the program; adds a
/// row if not.
static bool checkInterface(ModuleOp module, infer::GuardReport &report) {
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &told) {
    if (told.getSeverity() == DiagnosticSeverity::Error)
      report.rows.push_back(makeErrorRow(getLocationText(told.getLocation()),
                                         kCanBeCalled, told.str()));
    return failure();
  });
  std::vector<FunctionSignature> functions;
  return readSignatures(module, functions);
}

/// The program that is compiled, with the guards that it has then; null where a
/// pass fails. What there is to tell has been told.
static OwningOpRef<ModuleOp> makeGuarded(Session &session, ModuleOp written) {
  OwningOpRef<ModuleOp> module = written.clone();
  infer::numberOperations(*module);
  Pipeline pipeline = session.getPipeline(Goal::LLVM);
  pipeline.stages = {Stage::Legalize, Stage::Guard};
  ScopedDiagnosticHandler listen(module->getContext(),
                                 [](Diagnostic &) { return success(); });
  return session.runStages(*module, pipeline) ? std::move(module) : nullptr;
}

/// Adds what becomes of loops over memory: with its guards, since a loop in
/// which a check is left is in order. The program is of no more use.
static void reportLoops(ModuleOp guarded, infer::GuardReport &report) {
  ScopedDiagnosticHandler listen(guarded.getContext(),
                                 [](Diagnostic &) { return success(); });
  legalize::reportLoops(guarded, report);
  codegen::reportProducts(guarded, report);
}

/// Adds what becomes of the edits of the schedule of the options. False if one
/// of them is refused.
static bool reportSchedule(Session &session, ModuleOp guarded,
                           infer::GuardReport &report) {
  {
    ScopedDiagnosticHandler listen(guarded.getContext(),
                                   [](Diagnostic &) { return success(); });
    PassManager pm(guarded.getContext());
    addLoopsToSchedule(pm, session.getPipeline(Goal::LLVM).options);
    if (failed(pm.run(guarded)))
      return false;
  }
  if (!codegen::reportSchedule(guarded, session.options.schedule, report))
    return false;
  bool isMade = true;
  for (const infer::GuardReport::Edit &edit : report.edits) {
    if (edit.outcome != infer::GuardReport::Edit::Outcome::Refused)
      continue;
    isMade = false;
    report.rows.push_back(
        makeErrorRow(edit.location, "the loops can be edited", edit.reason));
    report.rows.back().operation = edit.operation;
  }
  return isMade;
}

bool steps::check(Session &session, CheckedProgram &program,
                  const std::string &function) {
  OwningOpRef<ModuleOp> module = parseForReport(session, program.report);
  if (!module)
    return false;
  keepReachable(*module, function);
  // The listing shows the program as it was written, not as the passes leave
  // it.
  OwningOpRef<ModuleOp> written = module->clone();
  Pipeline pipeline = session.getPipeline(Goal::Check);
  pipeline.options.report = &program.report;
  program.isAccepted = session.runStages(*module, pipeline);
  program.isComplete = program.report.isComplete;
  if (program.isAccepted)
    program.isAccepted = checkInterface(*module, program.report);
  if (program.isAccepted) {
    (void)legalize::reportUnimplemented(*module, DiagnosticSeverity::Warning);
    (void)codegen::checkCalls(*module, DiagnosticSeverity::Warning);
    bool hasLoops = !loom::getMemoryFunctions(*module).empty(),
         hasSchedule = !session.options.schedule.empty();
    OwningOpRef<ModuleOp> guarded, scheduled;
    if (hasLoops || hasSchedule)
      guarded = makeGuarded(session, *written);
    if (guarded && hasSchedule)
      scheduled = hasLoops ? OwningOpRef<ModuleOp>(guarded->clone())
                           : std::move(guarded);
    if (guarded && hasLoops)
      reportLoops(*guarded, program.report);
    if (hasSchedule)
      program.isAccepted =
          scheduled && reportSchedule(session, *scheduled, program.report);
  }
  makeListing(*written, session.getBuffer(), session.form, program);
  program.report.finish();
  return true;
}
