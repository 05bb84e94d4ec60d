//===- InsertGuards.cpp - obligations to guards ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/AnnotateKinds.h"
#include "infer/CallSummaries.h"
#include "infer/GuardBuilder.h"
#include "infer/GuardMessage.h"
#include "infer/Passes.h"
#include "infer/ShapeWalk.h"
#include "shape/Message.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
  GuardInserter(FunctionOpInterface func, ShapeAnalysis &analysis,
                GuardReport *report)
      : Visitor(analysis), func(func), guards(func, analysis), report(report) {}

  LogicalResult run() {
    // Whether a private function is called at all is not known here.
    ShapeWalk(*this).run(func, /*certain=*/func.isPublic());
    eraseObligations();
    return failure(failed);
  }

private:
  void visit(Operation *op, bool certain) override {
    if (isShapeObligation(op)) {
      visitShapes(op, certain);
      obligations.push_back(op);
      return;
    }
    if (auto oblige = dyn_cast<loom::ObligeOp>(op)) {
      visitCondition(oblige, certain);
      obligations.push_back(op);
      return;
    }
    rehearse(op);
    if (auto map = dyn_cast<loom::MapOp>(op))
      annotateKinds(map, analysis);
    if (isa<loom::ShapeOfOp, loom::BroadcastOp>(op))
      shapeOps.push_back(op);
  }

  void visitCondition(loom::ObligeOp op, bool certain) {
    ConditionId condition =
        analysis.getScalars().getCondition(op.getCondition());
    Answer answer = analysis.getNumbers().decide(condition);
    GuardStatus status = answer.isProved()    ? GuardStatus::Proved
                         : answer.isRefuted() ? GuardStatus::Refuted
                                              : GuardStatus::RunTime;
    if (report)
      addRow(op, -1, "not: " + op.getMessage().str(), status,
             condition == Numbers::kUnknown
                 ? "it depends on data"
                 : analysis.getProver().explain(answer));
    if (answer.isProved())
      return;
    if (answer.isRefuted() && certain) {
      failed = true;
      emitError(op.getLoc())
          << withSite("", op.getOrigin().str(), describe(op));
      return;
    }
    guards.insert(op);
    analysis.learn(condition, getFactOrigin(op));
  }

  /// The message, with what is known of its values.
  std::string describe(loom::ObligeOp op) {
    std::string text;
    StringRef rest = op.getMessage();
    while (!rest.empty()) {
      if (rest.consume_front("{{")) {
        text += '{';
        continue;
      }
      StringRef after = rest;
      uint64_t place;
      if (after.consume_front("{") && !after.consumeInteger(10, place) &&
          after.consume_front("}") && place < op.getValues().size()) {
        Value value = op.getValues()[place];
        Number number = analysis.getScalars().getNumber(value);
        Bounds bounds = analysis.getNumbers().boundsOf(number);
        text += bounds.lo == bounds.hi ? std::to_string(bounds.lo) : "?";
        rest = after;
        continue;
      }
      text += rest.front();
      rest = rest.drop_front();
    }
    return text;
  }

  void visitShapes(Operation *op, bool certain) {
    Inquiry inquiry = inquire(analysis, op);
    if (inquiry.error)
      return refuse(op, inquiry, *inquiry.error, inquiry.answer, certain);
    if (report && inquiry.open.empty())
      addRow(op, -1,
             isa<loom::ObligeResultOp>(op)
                 ? "the operands give the declared result shape"
                 : "the operands broadcast",
             GuardStatus::Proved, explainProof(analysis, inquiry));
    for (const Obligation &obligation : inquiry.open) {
      // One guard per fact: those before it may have settled this one. rt-8
      Answer answer = askAgain(analysis, inquiry, obligation);
      if (answer.isRefuted()) {
        refuse(op, inquiry, obligation, answer, certain);
        continue;
      }
      if (report)
        addRow(op, obligation.axis,
               makeStatement(analysis, inquiry, obligation),
               answer.isProved() ? GuardStatus::Proved : GuardStatus::RunTime,
               analysis.getProver().explain(answer));
      if (answer.isProved())
        continue;
      guards.insert(op, inquiry, obligation);
      establish(analysis, inquiry, obligation, getFactOrigin(op));
    }
  }

  static std::string getFactOrigin(Operation *op) {
    std::string location = getLocationText(op->getLoc());
    return "by the guard of '" + getObliger(op).str() + "'" +
           (location.empty() ? "" : " at " + location);
  }

  /// ext-2: an error where the operation must be reached; else a guard that
  /// fails whenever it is.
  void refuse(Operation *op, const Inquiry &inquiry,
              const Obligation &obligation, Answer answer, bool certain) {
    if (report)
      addRow(op, obligation.axis, makeStatement(analysis, inquiry, obligation),
             GuardStatus::Refuted, analysis.getProver().explain(answer));
    if (!certain)
      return guards.insert(op, inquiry, obligation, /*never=*/true);
    failed = true;
    InFlightDiagnostic error =
        emitError(op->getLoc()) << withSite(
            "", getObliger(op).str(), makeError(analysis, inquiry, obligation));
    // Types speak for themselves; a fact learned elsewhere does not.
    for (const Side &side : {obligation.a, obligation.b}) {
      const Symbols &symbols = analysis.getSymbols();
      std::string_view origin = symbols.origin(symbols.lastFact(side.extent));
      if (!origin.empty())
        error.attachNote() << "the extent "
                           << toString(symbols.resolve(side.extent))
                           << " is known " << origin;
    }
  }

  /// What was computed for obligations alone goes with them.
  void eraseObligations() {
    SmallVector<Operation *> work;
    auto erase = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (!isa<loom::ShapeOfOp, loom::BroadcastOp>(def))
            work.push_back(def);
      op->erase();
    };
    for (Operation *op : obligations) {
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

  void addRow(Operation *op, int64_t axis, std::string obligation,
              GuardStatus status, std::string reason) {
    report->rows.push_back({func.getName().str(), getObliger(op).str(),
                            getLocationText(op->getLoc()), axis,
                            std::move(obligation), status, std::move(reason)});
  }

  FunctionOpInterface func;
  GuardBuilder guards;
  GuardReport *report;
  SmallVector<Operation *> obligations, shapeOps;
  bool failed = false;
};

struct LoomInsertGuardsPass
    : infer::impl::LoomInsertGuardsBase<LoomInsertGuardsPass> {
  void runOnOperation() override {
    if (!library && !isLoaded) {
      isLoaded = true;
      // Element-wise programs have no use for it.
      auto hasFunction = [](Operation *op) {
        return isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
                       !isa<tosa::ConstShapeOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      };
      if (getOperation().walk(hasFunction).wasInterrupted()) {
        auto loaded = std::make_shared<ShapeLibrary>(&getContext());
        if (failed(loaded->loadTosa()))
          return signalPassFailure();
        library = std::move(loaded);
      }
    }
    if (failed(insertGuards(getOperation(), library.get())))
      signalPassFailure();
  }

  std::shared_ptr<const ShapeLibrary> library;
  bool isLoaded = false;
};

} // namespace

LogicalResult infer::insertGuards(FunctionOpInterface func,
                                  GuardReport *report) {
  if (func.isExternal())
    return success();
  ShapeAnalysis analysis;
  return GuardInserter(func, analysis, report).run();
}

LogicalResult infer::insertGuards(ModuleOp module, const ShapeLibrary *library,
                                  GuardReport *report) {
  CallSummaries calls(module, library, /*believes=*/false);
  llvm::DenseMap<Operation *, GuardReport> reports;
  bool isGood = true;
  for (func::FuncOp func : calls.getCallersFirst()) {
    ShapeAnalysis analysis(library, &calls);
    calls.enter(func, analysis);
    isGood &= succeeded(
        GuardInserter(func, analysis, report ? &reports[func] : nullptr).run());
  }
  // Rows in the order of the text.
  if (report)
    module.walk([&](func::FuncOp func) {
      llvm::append_range(report->rows, reports[func].rows);
    });
  return success(isGood);
}

std::unique_ptr<Pass>
infer::createLoomInsertGuards(std::shared_ptr<const ShapeLibrary> library) {
  auto pass = std::make_unique<LoomInsertGuardsPass>();
  pass->library = std::move(library);
  pass->isLoaded = true;
  return pass;
}
