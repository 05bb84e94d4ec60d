//===- InsertGuards.cpp - obligations to guards ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/AnnotateKinds.h"
#include "infer/ConditionOps.h"
#include "infer/GuardMessage.h"
#include "infer/Passes.h"
#include "shape/Message.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMINSERTGUARDS
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class GuardInserter {
public:
  GuardInserter(FunctionOpInterface func, GuardReport *report)
      : func(func), emitter(func, analysis), report(report) {}

  LogicalResult run() {
    // Whether a private function is called at all is not known here.
    processRegion(func.getFunctionBody(), /*certain=*/func.isPublic());
    for (Operation *op : obligations)
      op->erase();
    for (Operation *op : llvm::reverse(shapeOps))
      if (op->use_empty())
        op->erase();
    return failure(failed);
  }

private:
  //===--------------------------------------------------------------------===//
  // The walk
  //===--------------------------------------------------------------------===//

  /// `certain`: whoever calls the function gets to the region's entry.
  void processRegion(Region &region, bool certain) {
    for (Block &block : region) {
      // What the entry learns holds in the whole region, what another block
      // learns only where it dominates.
      if (block.isEntryBlock()) {
        processBlock(block, certain);
        continue;
      }
      ShapeAnalysis::Scope scope(analysis);
      processBlock(block, /*certain=*/false);
    }
  }

  void processBlock(Block &block, bool certain) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isShapeObligation(&op)) {
        processObligation(&op, certain);
        obligations.push_back(&op);
        continue;
      }
      if (auto oblige = dyn_cast<loom::ObligeOp>(op)) {
        requireData(oblige);
        continue;
      }
      analysis.visit(&op);
      if (auto map = dyn_cast<loom::MapOp>(op))
        annotateKinds(map, analysis);
      if (isa<loom::ShapeOfOp, loom::BroadcastOp>(op))
        shapeOps.push_back(&op);
      if (op.hasTrait<OpTrait::IsIsolatedFromAbove>())
        continue;
      for (Region &region : op.getRegions()) {
        ShapeAnalysis::Scope scope(analysis);
        processRegion(region, /*certain=*/false);
      }
    }
  }

  /// A condition on data is checked where it is computed.
  void requireData(loom::ObligeOp op) {
    OpBuilder builder(op);
    loom::RequireOp::create(builder, op.getLoc(), op.getCondition(),
                            op.getOriginAttr(), op.getMessageAttr(),
                            builder.getI64IntegerAttr(-1), op.getValues());
    if (report)
      addRow(op, op.getOrigin(), -1, "not: " + op.getMessage().str(),
             GuardStatus::RunTime, "it depends on data");
    op.erase();
  }

  void processObligation(Operation *op, bool certain) {
    Inquiry inquiry = inquire(analysis, op);
    if (inquiry.error)
      return refuse(op, inquiry, *inquiry.error, inquiry.answer, certain);
    if (report && inquiry.open.empty())
      addRow(op, getOrigin(op), -1,
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
        addRow(op, getOrigin(op), obligation.axis,
               makeStatement(analysis, inquiry, obligation),
               answer.isProved() ? GuardStatus::Proved : GuardStatus::RunTime,
               analysis.getProver().explain(answer));
      if (answer.isProved())
        continue;
      insertGuard(op, inquiry, obligation);
      establish(analysis, inquiry, obligation, getFactOrigin(op));
    }
  }

  static StringRef getOrigin(Operation *op) {
    if (auto broadcast = dyn_cast<loom::ObligeBroadcastOp>(op))
      return broadcast.getOrigin();
    return cast<loom::ObligeResultOp>(op).getOrigin();
  }

  static std::string getFactOrigin(Operation *op) {
    std::string location = getLocationText(op->getLoc());
    return "by the guard of '" + getOrigin(op).str() + "'" +
           (location.empty() ? "" : " at " + location);
  }

  //===--------------------------------------------------------------------===//
  // What does not hold
  //===--------------------------------------------------------------------===//

  /// ext-2: an error where the operation must be reached; else a guard that
  /// fails whenever it is.
  void refuse(Operation *op, const Inquiry &inquiry,
              const Obligation &obligation, Answer answer, bool certain) {
    if (report)
      addRow(op, getOrigin(op), obligation.axis,
             makeStatement(analysis, inquiry, obligation), GuardStatus::Refuted,
             analysis.getProver().explain(answer));
    if (!certain)
      return insertGuard(op, inquiry, obligation, /*never=*/true);
    failed = true;
    InFlightDiagnostic error =
        emitError(op->getLoc()) << withSite(
            "", getOrigin(op).str(), makeError(analysis, inquiry, obligation));
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

  //===--------------------------------------------------------------------===//
  // Guards
  //===--------------------------------------------------------------------===//

  Place place(Operation *op, Place needed) {
    // Values from other blocks dominate this one as a whole. rt-1
    return needed.block == op->getBlock() ? needed
                                          : Place{op->getBlock(), nullptr};
  }

  void insertGuard(Operation *op, const Inquiry &inquiry,
                   const Obligation &obligation, bool never = false) {
    Location loc = op->getLoc();
    Place needed{emitter.getEntry(), nullptr};
    if (obligation.kind == Obligation::Kind::Shapes)
      return insertUnrankedGuard(op, inquiry);

    std::vector<TemplateValue> template_;
    std::string message =
        makeTemplate(analysis, inquiry, obligation, template_);
    SmallVector<Value> values;
    for (const TemplateValue &wanted : template_) {
      if (wanted.isRank) {
        values.push_back(getRank(loc, wanted.node));
        needed = emitter.getLater(needed, emitter.getPlace(wanted.node));
        continue;
      }
      values.push_back(emitter.getExtent(loc, wanted.extent));
      needed = emitter.getLater(needed, emitter.getPlace(wanted.extent));
    }
    Value condition;
    if (never) {
      condition = emitter.getFalse(loc);
      needed = place(op, needed);
    } else {
      condition = emitCondition(op, inquiry, obligation, needed);
    }
    OpBuilder builder(op);
    emitter.create<loom::RequireOp>(
        needed, loc, condition, builder.getStringAttr(getOrigin(op)),
        builder.getStringAttr(message),
        builder.getI64IntegerAttr(obligation.axis), values);
  }

  /// Emits the condition, and moves `needed` to where it is known.
  Value emitCondition(Operation *op, const Inquiry &inquiry,
                      const Obligation &obligation, Place &needed) {
    Location loc = op->getLoc();
    using Kind = Obligation::Kind;
    if (obligation.kind == Kind::ResultRank) {
      Value rank = getRank(loc, inquiry.inferred.node);
      Value declared = emitter.getConstant(loc, obligation.b.axis);
      needed = place(op, emitter.getLater(
                             needed, emitter.getPlace(inquiry.inferred.node)));
      return ConditionOps{emitter, needed, loc}.equal(rank, declared);
    }
    Extent extents[] = {obligation.a.extent, obligation.b.extent};
    Value sides[2];
    for (auto [side, extent] : llvm::zip_equal(sides, extents)) {
      side = emitter.getExtent(loc, extent);
      needed = emitter.getLater(needed, emitter.getPlace(extent));
    }
    needed = place(op, needed);
    ConditionOps ops{emitter, needed, loc};
    switch (obligation.kind) {
    case Kind::Compatible:
      return compatibleFormula(ops, sides[0], sides[1]);
    case Kind::OneOrEqual:
      return ops.either(ops.equal(sides[0], ops.one()),
                        ops.equal(sides[0], sides[1]));
    default:
      return ops.equal(sides[0], sides[1]);
    }
  }

  /// rt-7: the runtime checks shapes whose rank is not known.
  void insertUnrankedGuard(Operation *op, const Inquiry &inquiry) {
    Place needed{emitter.getEntry(), nullptr};
    SmallVector<Value> shapes;
    for (const ShapeInfo &operand : inquiry.operands) {
      shapes.push_back(emitter.getShape(op->getLoc(), operand.node));
      needed = emitter.getLater(needed, emitter.getPlace(operand.node));
    }
    emitter.create<loom::RequireBroadcastOp>(place(op, needed), op->getLoc(),
                                             getOrigin(op), shapes);
  }

  Value getRank(Location loc, NodeId node) {
    Value shape = emitter.getShape(loc, node);
    Value &rank = ranks[node];
    if (!rank)
      rank = emitter.create<loom::RankOp>(emitter.getPlace(node), loc, shape);
    return rank;
  }

  //===--------------------------------------------------------------------===//
  // The report
  //===--------------------------------------------------------------------===//

  void addRow(Operation *op, StringRef operation, int64_t axis,
              std::string obligation, GuardStatus status, std::string reason) {
    report->rows.push_back({func.getName().str(), operation.str(),
                            getLocationText(op->getLoc()), axis,
                            std::move(obligation), status, std::move(reason)});
  }

  FunctionOpInterface func;
  ShapeAnalysis analysis;
  ExtentEmitter emitter;
  GuardReport *report;
  SmallVector<Operation *> obligations, shapeOps;
  llvm::DenseMap<NodeId, Value> ranks;
  bool failed = false;
};

struct LoomInsertGuardsPass
    : infer::impl::LoomInsertGuardsBase<LoomInsertGuardsPass> {
  void runOnOperation() override {
    if (failed(insertGuards(getOperation())))
      signalPassFailure();
  }
};

} // namespace

LogicalResult infer::insertGuards(FunctionOpInterface func,
                                  GuardReport *report) {
  if (func.isExternal())
    return success();
  return GuardInserter(func, report).run();
}
