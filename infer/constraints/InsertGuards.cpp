//===- InsertGuards.cpp - constraints to guards ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/Passes.h"
#include "infer/analysis/AnnotateAccess.h"
#include "infer/analysis/CallSummaries.h"
#include "infer/analysis/NameExtents.h"
#include "infer/analysis/ShapeWalk.h"
#include "infer/constraints/ExtentOrigins.h"
#include "infer/constraints/GuardBuilder.h"
#include "infer/constraints/GuardMessage.h"
#include "infer/constraints/ReportStatements.h"
#include "infer/constraints/ValueReport.h"
#include "infer/numbers/Conditions.h"
#include "infer/report/CollectedReport.h"
#include "infer/report/OperationNumber.h"
#include "shape/Message.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMINSERTGUARDS
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class GuardInserter : public ShapeWalk::Visitor {
public:
  /// Calls are recorded in `calls`. Constraints that already have a row in
  /// `report` (findRow) get their status there. Both may be null.
  GuardInserter(FunctionOpInterface func, ShapeAnalysis &analysis,
                CallSummaries *calls, GuardReport *report,
                bool namesExtents = false)
      : Visitor(analysis), func(func), guards(func, analysis), calls(calls),
        report(report), namesExtents(namesExtents) {
    if (report)
      values.emplace(func, analysis, *report);
  }

  LogicalResult run() {
    if (values)
      values->addArguments();
    ShapeWalk walk(*this);
    walk.run(func, isCertain());
    if (namesExtents && !failed)
      if (std::optional<std::vector<Shape>> returned = walk.getReturned())
        nameExtents(func, analysis, *returned);
    if (values)
      values->addSymbols();
    eraseConstraints();
    return failure(failed);
  }

private:
  bool isCertain() {
    auto ours = dyn_cast<func::FuncOp>(*func);
    return calls && ours ? calls->isCertain(ours) : func.isPublic();
  }

  void visit(Operation *op, bool certain) override {
    if (isShapeConstraint(op)) {
      visitShapes(op, certain);
      constraints.push_back(op);
      return;
    }
    if (auto constrain = dyn_cast<loom::ConstrainOp>(op)) {
      visitCondition(constrain, certain);
      constraints.push_back(op);
      return;
    }
    if (report && isOwnGuard(op))
      addOwnGuard(op);
    if (auto function = dyn_cast<loom::RequireFunctionOp>(op);
        function && guards.hoist(function)) {
      constraints.push_back(op);
      return;
    }
    simulate(op);
    if (auto call = dyn_cast<func::CallOp>(op); call && calls)
      calls->record(call, analysis, certain);
    if (isa<loom::AssumeOp>(op))
      constraints.push_back(op);
    if (values)
      values->addResults(op);
    if (auto map = dyn_cast<loom::MapOp>(op))
      annotateAccess(map, analysis);
    if (isa<loom::ShapeOfOp, loom::BroadcastOp>(op))
      shapeOps.push_back(op);
  }

  void visitCondition(loom::ConstrainOp op, bool certain) {
    ConditionId condition =
        analysis.getScalars().getCondition(op.getCondition());
    Answer answer = decide(analysis.getNumbers(), condition);
    GuardStatus status = getStatus(answer, certain);
    if (GuardReport::Row *row = report ? findRow(*report, op) : nullptr) {
      row->status = status;
      row->reason =
          withReach(makeReason(analysis, op, answer), answer, certain);
      // Uses the names that the rest of the report has.
      if (answer.isUnknown())
        row->constraint = makeStatement(analysis, op);
    } else if (report) {
      addRow(op, -1, makeStatement(analysis, op), status,
             withReach(makeReason(analysis, op, answer), answer, certain),
             !hasLeaves(condition));
    }
    if (answer.isProved())
      return;
    if (answer.isRefuted() && certain) {
      failed = true;
      emitError(op.getLoc())
          << withSite("", op.getOrigin().str(), makeError(analysis, op));
      return;
    }
    guards.insert(op);
    analysis.learn(op.getCondition(), getFactOrigin(op));
  }

  bool hasLeaves(ConditionId condition) const {
    bool has = false;
    forEachLeafOf(analysis.getNumbers(), condition,
                  [&](AtomId) { has = true; });
    return has;
  }

  /// Adds the row of a guard of the program itself, which does not change.
  void addOwnGuard(Operation *op) {
    std::string because = "the program checks it itself";
    auto require = dyn_cast<loom::RequireOp>(op);
    if (!require)
      return addRow(op, -1,
                    isa<loom::RequireBroadcastOp>(op)
                        ? "the operands broadcast"
                        : "its shape function accepts the operands",
                    GuardStatus::RunTime, because);
    Answer answer =
        decide(analysis.getNumbers(),
               analysis.getScalars().getCondition(require.getCondition()));
    if (!answer.isUnknown())
      because = analysis.getProver().explain(answer);
    addRow(op, require.getAxis(), makeStatement(analysis, require),
           getStatus(answer, /*certain=*/false),
           withReach(because, answer, /*certain=*/false));
  }

  void visitShapes(Operation *op, bool certain) {
    certain |= isContradicted(op);
    ConstraintAnswer answered = answerConstraint(analysis, op);
    std::vector<ShapeConstraint> statements =
        report ? listStatements(analysis, answered) : std::move(answered.open);
    if (answered.error)
      return refuseAll(op, answered, statements, certain);
    if (report && statements.empty())
      addRow(op, -1,
             isa<loom::ConstrainResultOp>(op)
                 ? "the operands give the declared result shape"
                 : "the operands broadcast",
             GuardStatus::Proved, explainProof(analysis, answered));
    for (const ShapeConstraint &constraint : statements) {
      // Decides the statement again: the guards before it may have proved it.
      // rt-8
      Answer answer = answerAgain(analysis, answered, constraint);
      if (answer.isRefuted()) {
        refuse(op, answered, constraint, answer, certain);
        continue;
      }
      addRow(op, answered, constraint, answer, certain);
      if (answer.isProved())
        continue;
      guards.insert(op, answered, constraint);
      establish(analysis, answered, constraint, getFactOrigin(op));
    }
  }

  bool isContradicted(Operation *op) const {
    return report && !report->contradicted.empty() &&
           report->contradicted.count(getOperationNumber(op->getLoc())) != 0;
  }

  /// A refuted constraint is an error only if it is certainly reached; else it
  /// becomes a guard that always fails. ext-2
  static GuardStatus getStatus(const Answer &answer, bool certain) {
    return answer.isProved()               ? GuardStatus::Proved
           : answer.isRefuted() && certain ? GuardStatus::Refuted
                                           : GuardStatus::RunTime;
  }
  static std::string withReach(std::string reason, const Answer &answer,
                               bool certain) {
    if (answer.isRefuted() && !certain)
      reason += "; it fails wherever it is reached";
    return reason;
  }

  /// Without a report, only the first error is reported.
  void refuseAll(Operation *op, const ConstraintAnswer &answered,
                 ArrayRef<ShapeConstraint> statements, bool certain) {
    if (!report)
      return refuse(op, answered, *answered.error, answered.answer, certain);
    for (const ShapeConstraint &statement : statements)
      if (isSameStatement(statement, *answered.error))
        refuse(op, answered, statement, answered.answer, certain);
      else
        addRow(op, answered, statement,
               answerAgain(analysis, answered, statement), certain);
  }

  static bool isSameStatement(const ShapeConstraint &a,
                              const ShapeConstraint &b) {
    return a.axis == b.axis && a.a.party == b.a.party && a.b.party == b.b.party;
  }

  /// Reports an error if the operation is certainly reached; else inserts a
  /// guard that always fails. ext-2
  void refuse(Operation *op, const ConstraintAnswer &answered,
              const ShapeConstraint &constraint, Answer answer, bool certain) {
    addRow(op, answered, constraint, answer, certain);
    if (!certain)
      return guards.insert(op, answered, constraint, /*never=*/true);
    failed = true;
    // With a report, later errors of the same operation become rows only.
    if (report && lastRefused == op->getLoc())
      return;
    lastRefused = op->getLoc();
    InFlightDiagnostic error =
        emitError(op->getLoc())
        << withSite("", getConstrainedOperation(op).str(),
                    makeError(analysis, answered, constraint));
    // The note explains an extent that is known by a fact and not by a type.
    for (const Side &side : {constraint.a, constraint.b}) {
      const Symbols &symbols = analysis.getSymbols();
      std::string_view origin = symbols.origin(symbols.lastFact(side.extent));
      if (!origin.empty())
        error.attachNote() << "the extent "
                           << toString(symbols.resolve(side.extent))
                           << " is known " << origin;
    }
  }

  /// Erases the constraints and the values that only they use.
  void eraseConstraints() {
    SmallVector<Operation *> work;
    auto erase = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (!isa<loom::ShapeOfOp, loom::BroadcastOp>(def))
            work.push_back(def);
      op->erase();
    };
    for (Operation *op : constraints) {
      erase(op);
      llvm::SmallDenseSet<Operation *> gone;
      while (!work.empty()) {
        Operation *def = work.pop_back_val();
        if (!gone.contains(def) && isOpTriviallyDead(def)) {
          gone.insert(def);
          erase(def);
        }
      }
    }
    for (Operation *op : llvm::reverse(shapeOps))
      if (op->use_empty())
        op->erase();
  }

  void addRow(Operation *op, int64_t axis, std::string constraint,
              GuardStatus status, std::string reason, bool isStatic = false) {
    GuardReport::Row row = makeRow(op, getConstrainedOperation(op));
    row.axis = axis;
    row.constraint = std::move(constraint);
    row.status = status;
    row.reason = std::move(reason);
    row.isStatic = isStatic;
    report->rows.push_back(std::move(row));
  }

  /// Used only with a report.
  void addRow(Operation *op, const ConstraintAnswer &answered,
              const ShapeConstraint &constraint, const Answer &answer,
              bool certain) {
    if (!report)
      return;
    addRow(op, constraint.axis, makeStatement(analysis, answered, constraint),
           getStatus(answer, certain),
           withReach(makeReason(analysis, answered, constraint, answer), answer,
                     certain),
           constraint.a.extent.isFixed() && constraint.b.extent.isFixed());
  }

  FunctionOpInterface func;
  GuardBuilder guards;
  CallSummaries *calls;
  GuardReport *report;
  /// Used only with a report.
  std::optional<ValueReport> values;
  bool namesExtents;
  SmallVector<Operation *> constraints, shapeOps;
  bool failed = false;
  /// The location of the last error.
  std::optional<Location> lastRefused;
};

struct LoomInsertGuardsPass
    : infer::impl::LoomInsertGuardsBase<LoomInsertGuardsPass> {
  using LoomInsertGuardsBase::LoomInsertGuardsBase;

  void runOnOperation() override {
    FailureOr<SharedLibrary> library = libraries->get(getOperation());
    if (failed(library))
      return signalPassFailure();
    GuardReport *report =
        CollectedReport::get(getCachedAnalysis<CollectedReport>());
    LogicalResult result =
        insertGuards(getOperation(), library->get(), report, nameExtents);
    // This is the last pass that adds to a report.
    if (report)
      report->isComplete = true;
    if (failed(result) || (report && report->isRefused))
      signalPassFailure();
  }

  SharedLibraries libraries = std::make_shared<ShapeLibraries>();
};

} // namespace

LogicalResult infer::insertGuards(FunctionOpInterface func,
                                  GuardReport *report) {
  if (func.isExternal())
    return success();
  ShapeAnalysis analysis;
  return GuardInserter(func, analysis, /*calls=*/nullptr, report).run();
}

/// Sorts what was added to `entries` behind the first `kept`, function by
/// function.
template <typename Entry>
static void sortByFunction(std::vector<Entry> &entries, size_t kept,
                           const llvm::StringMap<size_t> &order) {
  std::map<size_t, std::vector<Entry>> byFunction;
  for (Entry &entry : llvm::drop_begin(entries, kept))
    byFunction[order.lookup(entry.function)].push_back(std::move(entry));
  entries.erase(entries.begin() + kept, entries.end());
  for (auto &[function, added] : byFunction)
    llvm::append_range(entries, added);
}

LogicalResult infer::insertGuards(ModuleOp module, const ShapeLibrary *library,
                                  GuardReport *report, bool nameExtents) {
  CallSummaries calls(module, library, /*believes=*/false);
  // Functions are analysed callers first, but the report has rows in the order
  // of the text.
  size_t rows = report ? report->rows.size() : 0,
         values = report ? report->values.size() : 0,
         symbols = report ? report->symbols.size() : 0;
  bool isGood = true;
  for (func::FuncOp func : calls.getCallersFirst()) {
    ShapeAnalysis analysis(library, &calls);
    calls.enter(func, analysis);
    isGood &= succeeded(
        GuardInserter(func, analysis, &calls, report, nameExtents).run());
  }
  if (report) {
    llvm::StringMap<size_t> order;
    module.walk([&](func::FuncOp func) {
      order.try_emplace(func.getName(), order.size());
    });
    sortByFunction(report->rows, rows, order);
    sortByFunction(report->values, values, order);
    sortByFunction(report->symbols, symbols, order);
  }
  return success(isGood);
}

std::unique_ptr<Pass> infer::createLoomInsertGuards(SharedLibraries libraries,
                                                    bool nameExtents) {
  LoomInsertGuardsOptions options;
  options.nameExtents = nameExtents;
  auto pass = std::make_unique<LoomInsertGuardsPass>(options);
  pass->libraries = std::move(libraries);
  return pass;
}
