//===- CheckProgram.cpp - is the input a program? -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/CheckProgram.h"

#include "dialect/BroadcastableOpInterface.h"
#include "dialect/PolicyValues.h"
#include "dialect/ShapeConversion.h"
#include "infer/analysis/RefineRanks.h"
#include "infer/constraints/DeclaredResults.h"
#include "infer/report/CollectedReport.h"
#include "infer/report/OperationNumber.h"
#include "infer/report/ReportRow.h"
#include "legalize/BlockOrder.h"
#include "legalize/CheckDataLayout.h"
#include "legalize/Elementwise.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/TosaConstants.h"
#include "legalize/UnsupportedOperations.h"
#include "legalize/memory/FreedMemory.h"
#include "legalize/memory/SharedPlaces.h"
#include "read/structure/UpstreamDefects.h"
#include "read/structure/VerifyLoosely.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCHECKPROGRAM
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

namespace {

/// Visits producers before their users where dominance orders them, because
/// upstream's verifiers read the operations that define their operands.
class ProgramCheck {
public:
  ProgramCheck(ModuleOp module, DynamicToStatic policy,
               infer::GuardReport *report, infer::ShapeLibraries *libraries)
      : module(module), policy(policy), report(report), libraries(libraries) {}

  /// Checks `op` and all that is in it.
  bool check(Operation *op) {
    if (!isReady(op))
      return false;
    if (failed(report ? record(op) : checkOperation(op)) || !checkRegions(op))
      return false;
    // Region invariants read nested operations, so that these are checked
    // first.
    if (op->isRegistered() && !isa<BroadcastableOpInterface>(op) &&
        failed(read::verifyRegionsLoosely(op)))
      return false;
    if (op->getNumResults() != 0)
      checked.insert(op);
    return true;
  }

  UnsupportedOperations unsupported;

  /// Upstream's checks of an operation that is not element-wise, less strict.
  static LogicalResult verifyByRules(Operation *op) {
    return read::hasComputedPadding(op) ? checkPad(cast<tosa::PadOp>(op))
                                        : read::verifyLoosely(op);
  }

private:
  /// Whether the producers of all operands of `op` are valid. If not, an error
  /// is already reported, except for cycles in graph regions and unreachable
  /// code.
  bool isReady(Operation *op) {
    visited.insert(op);
    bool inOrder = true;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || checked.contains(producer))
        continue;
      if (producer != op && visited.contains(producer))
        return false;
      inOrder = false;
    }
    if (!inOrder && isa_and_nonnull<tosa::TosaDialect>(op->getDialect())) {
      op->emitOpError("uses a value that is defined after it");
      return false;
    }
    return true;
  }

  bool checkRegions(Operation *op) {
    bool sound = true;
    for (Region &region : op->getRegions())
      for (Block *block : getBlocksInDominanceOrder(region))
        for (Operation &inner : *block)
          sound &= check(&inner);
    return sound;
  }

  /// Adds an error to the report. An error that follows from another one is
  /// dropped.
  LogicalResult record(Operation *op) {
    bool follows = llvm::any_of(op->getOperands(), [&](Value operand) {
      return refuted.contains(operand.getDefiningOp());
    });
    std::string message;
    ScopedDiagnosticHandler collect(op->getContext(), [&](Diagnostic &told) {
      if (message.empty())
        message = told.str();
      return success(follows);
    });
    LogicalResult result = checkOperation(op);
    if (follows)
      refuted.insert(op);
    if (failed(result) && !message.empty()) {
      infer::GuardReport::Row row =
          infer::makeRow(op, op->getName().getStringRef());
      row.constraint = "the operation is valid";
      row.status = infer::GuardStatus::Refuted;
      row.reason = message;
      report->rows.push_back(std::move(row));
    }
    return result;
  }

  LogicalResult checkOperation(Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (Dialect *dialect = attribute.getNameDialect();
          dialect && failed(dialect->verifyOperationAttribute(op, attribute)))
        return failure();
    if (failed(checkDataLayout(op)))
      return failure();
    if (auto elementwise = dyn_cast<BroadcastableOpInterface>(op))
      return checkElementwise(elementwise);

    std::optional<RegisteredOperationName> info =
        op->getName().getRegisteredInfo();
    if (!info)
      return checkUnknown(op);
    if (isa<tosa::ConstOp>(op)) {
      unsupported.note(op);
      return checkValue(op);
    }
    if (failed(read::checkBeforeVerifier(op)))
      return failure();
    if (failed(verify(op)))
      return failure();
    unsupported.note(op);
    if (failed(freed.check(op)) || failed(sharedPlaces.check(op)))
      return failure();
    if (auto func = dyn_cast<func::FuncOp>(op);
        func && func.getName().contains('\0'))
      return op->emitOpError("has a name with a byte of 0, which ends the name "
                             "for those who call it; rename it");
    return isa<arith::ConstantOp, memref::GlobalOp>(op) ? checkValue(op)
                                                        : success();
  }

  /// A model that was printed without its weights has many elided values, which
  /// one error counts.
  LogicalResult checkValue(Operation *op) {
    if (!wasLeftOut(op))
      return checkConstant(op);
    if (std::exchange(toldLeftOut, true))
      return failure();
    size_t count = 0;
    module->walk([&](Operation *other) { count += wasLeftOut(other); });
    return reportLeftOut(op, count);
  }

  /// Makes upstream's checks, with this project's message if there is one.
  LogicalResult verify(Operation *op) {
    if (!libraries || !isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) ||
        read::hasComputedPadding(op))
      return verifyByRules(op);
    std::string words;
    {
      ScopedDiagnosticHandler collect(op->getContext(), [&](Diagnostic &told) {
        if (words.empty() && told.getSeverity() == DiagnosticSeverity::Error)
          words = told.str();
        return success();
      });
      if (succeeded(read::verifyLoosely(op)))
        return success();
    }
    FailureOr<SharedLibrary> library = libraries->load(op->getContext());
    if (failed(library) || failed(explainRefusal(op, **library)))
      return failure();
    return op->emitError(words);
  }

  /// Makes upstream's checks of a `tosa.pad`; its shape function has the
  /// others.
  static LogicalResult checkPad(tosa::PadOp pad) {
    Operation *padding = pad.getPadding().getDefiningOp();
    if (!padding || !padding->hasTrait<OpTrait::tosa::TosaShapeOperator>())
      return pad.emitOpError("has padding that no operation on shapes gives; "
                             "compute it from 'tosa.dim' and "
                             "'tosa.const_shape'");
    Type type = getElementTypeOrSelf(pad.getInput1().getType());
    auto check = [&](Type other, StringRef what) -> LogicalResult {
      if (getElementTypeOrSelf(other) == type)
        return success();
      return pad.emitOpError("has an input of ")
             << pad.getInput1().getType() << " but " << what << " " << other
             << "; their elements must be of one type";
    };
    if (failed(check(pad.getPadConst().getType(), "a padding value of")))
      return failure();
    return check(pad.getOutput().getType(), "a result of");
  }

  LogicalResult checkElementwise(BroadcastableOpInterface op) {
    if (failed(op.verifyElementwise()))
      return failure();
    // Upstream's verifiers for TOSA reject programs that the rules allow.
    if (!isa<tosa::TosaDialect>(op->getDialect()) &&
        failed(op->getName().verifyInvariants(op)))
      return failure();
    SmallVector<Value> operands = getBroadcastingValues(op);
    ShapesOf shapes{ValueRange(operands).getTypes()};
    VerifyOptions options = getVerifyOptions(policy);
    options.broadcast.listConstraints = false;
    LogicalResult result = reportRefuted(
        op,
        verifyBroadcast(shapes, *shapeOf(op->getResult(0).getType()),
                        staticProver(), options),
        shapes);
    // The row is made with the operation's constraints.
    if (!report || succeeded(result))
      return result;
    report->contradicted.insert(infer::getOperationNumber(op->getLoc()));
    refuted.insert(op);
    return success();
  }

  LogicalResult checkUnknown(Operation *op) {
    Dialect *dialect = op->getDialect();
    if (dialect ? dialect->allowsUnknownOperations()
                : op->getContext()->allowsUnregisteredDialects())
      return success();
    if (dialect)
      return op->emitError("the dialect '")
             << dialect->getNamespace() << "' has no operation '"
             << op->getName() << "'";
    return op->emitError("'")
           << op->getName() << "' is of a dialect that is not known";
  }

  ModuleOp module;
  DynamicToStatic policy;
  infer::GuardReport *report;
  infer::ShapeLibraries *libraries;
  /// Whether elided values have been reported.
  bool toldLeftOut = false;
  DenseSet<Operation *> visited, checked;
  FreedMemory freed;
  SharedPlaces sharedPlaces;
  /// With a report: operations that broadcasting refutes, and their users.
  DenseSet<Operation *> refuted;
};

} // namespace

LogicalResult legalize::checkProgram(ModuleOp module, DynamicToStatic policy,
                                     bool forCompilation,
                                     infer::GuardReport *report,
                                     infer::ShapeLibraries *libraries) {
  ProgramCheck program(module, policy, report, libraries);
  bool sound = program.check(module);
  // Only a sound program has shapes to infer.
  if (forCompilation && sound && libraries &&
      program.unsupported.dependOnRanks()) {
    FailureOr<SharedLibrary> library = libraries->load(module.getContext());
    if (failed(library))
      return failure();
    refineRanks(module, **library, ProgramCheck::verifyByRules);
    program.unsupported.update();
    if (failed(program.unsupported.explain(**library)))
      return failure();
  }
  if (forCompilation && failed(program.unsupported.report()) && !report)
    return failure();
  return success(sound);
}

namespace {

struct LoomCheckProgramPass
    : legalize::impl::LoomCheckProgramBase<LoomCheckProgramPass> {
  using LoomCheckProgramBase::LoomCheckProgramBase;

  LogicalResult initialize(MLIRContext *) override {
    if (!shared)
      shared = std::make_shared<infer::ShapeLibraries>(
          std::vector<std::string>(libraries.begin(), libraries.end()));
    return success();
  }

  LogicalResult apply(ModuleOp module) override {
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    ScopedDiagnosticHandler listener(&getContext(), [&](Diagnostic &told) {
      if (report && told.getSeverity() == DiagnosticSeverity::Error)
        report->isRefused = true;
      return failure();
    });
    return checkProgram(module, dynamicToStatic, /*forCompilation=*/true,
                        report, shared.get());
  }

  infer::SharedLibraries shared;
};

} // namespace

std::unique_ptr<Pass>
legalize::createLoomCheckProgram(infer::SharedLibraries libraries,
                                 DynamicToStatic policy) {
  auto pass = std::make_unique<LoomCheckProgramPass>(
      LoomCheckProgramOptions{policy, {}});
  pass->shared = std::move(libraries);
  return pass;
}
