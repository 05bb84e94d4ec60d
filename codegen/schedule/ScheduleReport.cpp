//===- ScheduleReport.cpp - what a schedule would do ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An edit that is refused leaves the program in some state. So each refusal
// begins again with the program as it was, and without that edit.
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ScheduleReport.h"

#include "codegen/Passes.h"
#include "codegen/schedule/AutoSchedule.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/ScheduleScript.h"
#include "dialect/LocationText.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using Edit = infer::GuardReport::Edit;

/// Refusals that are told of one schedule: each takes a run of the script.
static constexpr size_t kMostRefusals = 32;

namespace {

class ScheduleRuns {
public:
  ScheduleRuns(ModuleOp program, const ScheduleScript &script)
      : program(program), script(script), operations(script.getOperations()) {
    edits.resize(operations.size());
    for (auto [number, op] : llvm::enumerate(operations)) {
      numbers[op] = number;
      edits[number].location = getLocationText(op->getLoc());
      edits[number].operation = op->getName().getStringRef().str();
    }
  }

  void run() {
    for (size_t refusals = 0; !runOnce(); ++refusals)
      if (refusals == kMostRefusals)
        for (Edit &edit : edits)
          if (edit.outcome == Edit::Outcome::Made)
            leaveOut(edit, "the schedule has more refused edits than " +
                               std::to_string(kMostRefusals));
  }

  std::vector<Edit> edits;

private:
  static void leaveOut(Edit &edit, std::string reason) {
    edit.outcome = Edit::Outcome::LeftOut;
    edit.reason = std::move(reason);
  }

  /// Whether no operation of those that are left is refused.
  bool runOnce() {
    OwningOpRef<ModuleOp> copy = program.clone();
    for (func::FuncOp func : loom::getMemoryFunctions(*copy))
      numberStatements(func);
    ScheduleScript some = script.clone();
    SmallVector<Operation *> left = some.getOperations();
    llvm::DenseMap<Operation *, size_t> steps;
    for (size_t number = left.size(); number-- > 0;) {
      if (edits[number].outcome == Edit::Outcome::Made)
        steps[left[number]] = number;
      else
        left[number]->erase();
    }
    std::string error;
    std::optional<Location> place;
    ScopedDiagnosticHandler listen(program.getContext(), [&](Diagnostic &told) {
      if (told.getSeverity() != DiagnosticSeverity::Error || !error.empty())
        return success();
      error = told.str();
      for (Diagnostic &note : told.getNotes())
        place = note.getLocation();
      return success();
    });
    llvm::SmallDenseSet<size_t> done;
    LogicalResult result =
        some.apply(*copy, [&](Operation *step, func::FuncOp edited) {
          size_t number = steps.lookup(step);
          done.insert(number);
          edits[number].tree.clear();
          if (!edited)
            return;
          llvm::raw_string_ostream stream(edits[number].tree);
          printSchedule(edited, stream);
        });
    if (failed(result)) {
      for (size_t number = 0; number < edits.size(); ++number)
        if (edits[number].outcome == Edit::Outcome::Made &&
            !done.contains(number))
          return refuse(number, error);
      return true;
    }
    // What runs on threads is made of loops behind all edits.
    PassManager pm(copy->getContext());
    pm.addPass(createLoomParallelizeNests());
    if (succeeded(pm.run(*copy)))
      return true;
    for (auto [number, op] : llvm::enumerate(operations))
      if (edits[number].outcome == Edit::Outcome::Made && op->getLoc() == place)
        return refuse(number, error);
    return true;
  }

  bool refuse(size_t number, const std::string &reason) {
    edits[number].outcome = Edit::Outcome::Refused;
    edits[number].reason = reason;
    leaveOutUsers(number);
    return false;
  }

  /// Leaves out what is about loops that the operation would make.
  void leaveOutUsers(size_t refused) {
    for (size_t number = refused + 1; number < operations.size(); ++number)
      for (Value operand : operations[number]->getOperands()) {
        Operation *maker = operand.getDefiningOp();
        if (maker &&
            edits[numbers.lookup(maker)].outcome != Edit::Outcome::Made &&
            edits[number].outcome == Edit::Outcome::Made)
          leaveOut(edits[number], "the edit at " +
                                      edits[numbers.lookup(maker)].location +
                                      " makes no loop for it");
      }
  }

  ModuleOp program;
  const ScheduleScript &script;
  SmallVector<Operation *> operations;
  llvm::DenseMap<Operation *, size_t> numbers;
};

} // namespace

static std::string printTrees(ModuleOp program) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (func::FuncOp func : loom::getMemoryFunctions(program))
    printSchedule(func, stream);
  return text;
}

/// The schedule that is found, as one edit of the loops of `tree`.
static Edit reportFound(ModuleOp program, const std::string &tree) {
  scheduleNests(program);
  Edit edit;
  edit.operation = kAutoSchedule.str();
  edit.tree = printTrees(program);
  if (edit.tree == tree) {
    edit.outcome = Edit::Outcome::Unchanged;
    edit.reason = "no other order of these loops is both allowed and faster by "
                  "what it estimates";
    edit.tree.clear();
  }
  return edit;
}

bool codegen::reportSchedule(ModuleOp program, const std::string &path,
                             infer::GuardReport &report) {
  // No pass has loaded it.
  program.getContext()->loadDialect<transform::TransformDialect>();
  ScheduleScript script;
  bool isFound = path == kAutoSchedule;
  if (!isFound && failed(script.read(path, program.getContext())))
    return false;
  OwningOpRef<ModuleOp> start = program.clone();
  for (func::FuncOp func : loom::getMemoryFunctions(*start))
    numberStatements(func);
  report.tree = printTrees(*start);
  if (isFound) {
    report.edits = {reportFound(*start, report.tree)};
    return true;
  }
  ScheduleRuns runs(program, script);
  runs.run();
  report.edits = std::move(runs.edits);
  return true;
}
