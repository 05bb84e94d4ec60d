//===- LoopReport.cpp - which loops are parallel --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/LoopReport.h"

#include "dialect/ArgumentName.h"
#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "infer/report/OperationNumber.h"
#include "infer/report/ReportRow.h"
#include "legalize/memory/LoopDependences.h"
#include "legalize/memory/NestReport.h"
#include "shape/Message.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

std::string legalize::describeElement(const LoopAccesses::Conflict &conflict) {
  std::string text;
  for (int64_t index : conflict.meeting.element)
    text += (text.empty() ? "" : ", ") + std::to_string(index);
  return "element [" + text + "] of " +
         infer::describeMemory(conflict.first.memory);
}

std::string legalize::describeAccess(Operation *op) {
  std::string at = getFileLocationText(op->getLoc());
  StringRef name = infer::getOriginalName(op);
  // What a library's function accesses is told of the function.
  if (name == op->getName().getStringRef() ||
      name == func::FuncOp::getOperationName())
    name = infer::getOrigin(op);
  return "'" + name.str() + "'" + (at.empty() ? "" : " at " + at);
}

std::vector<std::string>
legalize::describeSymbols(const LoopAccesses &accesses,
                          const LoopAccesses::Conflict &conflict) {
  auto isOf = [](const LoopAccesses::Access &access, const NestSymbol &symbol) {
    return llvm::any_of(access.reader->getSymbols(), [&](const auto &entry) {
      return entry.second == symbol;
    });
  };
  std::vector<std::string> values;
  // A meeting has no values of symbols behind those of its accesses.
  for (auto [symbol, value] :
       llvm::zip(accesses.symbols, conflict.meeting.symbols))
    if (isOf(conflict.first, symbol) || isOf(conflict.second, symbol))
      values.push_back(describe(symbol) + " is " + std::to_string(value));
  return values;
}

std::string legalize::getVariableName(Operation *loop) {
  return loom::getValueName(loop->getRegion(0).getArgument(0));
}

/// Whether the accesses surely happen: not where what a called function
/// accesses is not known exactly.
static bool isSure(const LoopDependences::Conflict &conflict) {
  return !conflict.first.reader->mayHaveFewer() &&
         !conflict.second.reader->mayHaveFewer();
}

/// "iterations %i = 0 and %i = 1 meet at element 3 of argument 'a': ...".
static std::string describeConflict(const LoopDependences &facts) {
  const LoopDependences::Conflict &conflict = *facts.conflict;
  const poly::Meeting &meeting = conflict.meeting;
  SmallVector<Operation *> loops;
  if (facts.level > 0)
    loops = llvm::to_vector(
        llvm::reverse(NestReader::getLoopsAround(facts.getLoop())));
  std::string name = getVariableName(facts.getLoop()),
              is = name.empty() ? "" : name + " = ";
  std::string text = "iterations " + is +
                     std::to_string(meeting.first[facts.level]) + " and " + is +
                     std::to_string(meeting.second[facts.level]) +
                     (isSure(conflict) ? " meet at " : " may meet at ") +
                     describeElement(conflict) + ", " +
                     describeAccess(conflict.first.op) + " in the first";
  text += conflict.first.op == conflict.second.op
              ? " and again in the second"
              : " and " + describeAccess(conflict.second.op) + " in the second";
  std::vector<std::string> values;
  for (unsigned i = 0; i < facts.level; ++i) {
    std::string outer = getVariableName(loops[i]);
    values.push_back(
        (outer.empty() ? "loop " + std::to_string(i + 1) + " around it is in "
                       : outer + " is ") +
        std::to_string(meeting.first[i]));
  }
  llvm::append_range(values, describeSymbols(facts, conflict));
  return text + (values.empty() ? "" : ", where " + joinWithAnd(values));
}

std::string legalize::describeOrder(const LoopDependences &facts) {
  return facts.conflict ? describeConflict(facts) : facts.because;
}

/// Why the loop is parallel, with what a call compares.
static std::string describeParallel(const LoopDependences &facts) {
  std::vector<std::string> written, read;
  for (auto &[memref, isWritten] : facts.memory)
    (isWritten ? written : read).push_back(infer::describeMemory(memref));
  if (written.empty())
    return "nothing is written";
  std::string text = "each iteration writes elements of " +
                     joinWithAnd(written) + " that no other one touches";
  if (facts.memory.size() > 1) {
    text += ", where no memory that is written overlaps with other memory of "
            "the loop, which a call compares";
  }
  if (facts.hasCalls())
    text += ", and where no check in a function that it calls fails";
  return text;
}

static void add(Operation *loop, bool isParallel, std::string reason,
                infer::GuardReport &report) {
  infer::GuardReport::Row row =
      infer::makeRow(loop, infer::getOriginalName(loop));
  report.loops.push_back({row.function, row.operation, row.location,
                          row.operationNumber, isParallel, std::move(reason)});
}

static void reportLoop(Operation *loop, const ExtentRoots &roots,
                       const CallEffects &effects, infer::GuardReport &report) {
  LoopDependences facts(loop, roots, effects);
  bool isParallel = facts.areIndependent();
  std::string reason =
      isParallel ? describeParallel(facts) : describeOrder(facts);
  // What a parallel loop of the program promises. eff-4
  StringRef operation = infer::getOriginalName(loop);
  if (facts.conflict &&
      (operation.ends_with(".parallel") || operation == "scf.forall"))
    reason = std::string("its iterations are not ") +
             (isSure(*facts.conflict) ? "" : "known to be ") +
             "independent, as its name says: " + reason;
  add(loop, isParallel, std::move(reason), report);
}

/// Whether it calls a function of a library behind its loops, which are those
/// that tell what the library accesses and none of the program's (ffi-1).
static bool isOfLibrary(func::FuncOp func) {
  return func.walk([](loom::ExternalCallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

// eff-5
void legalize::reportLoops(ModuleOp module, infer::GuardReport &report) {
  const CallEffects effects(module);
  for (func::FuncOp func : loom::getMemoryFunctions(module)) {
    if (isOfLibrary(func))
      continue;
    const ExtentRoots roots(func);
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr(loom::kFindsFailure))
        return WalkResult::skip();
      if (isa<scf::WhileOp>(op))
        add(op, /*isParallel=*/false,
            "each iteration decides whether there is another one", report);
      if (!NestReader::isLoop(op))
        return WalkResult::advance();
      reportLoop(op, roots, effects, report);
      return report.loops.back().isParallel ? WalkResult::skip()
                                            : WalkResult::advance();
    });
  }
}
