//===- CallSummaries.cpp - what calls give and get ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/CallSummaries.h"
#include "infer/numbers/SymbolExtents.h"

#include "infer/analysis/ShapeWalk.h"
#include "infer/numbers/NumberImporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// How often a cycle of calls is analysed, at most, until its summaries confirm
/// themselves.
static constexpr unsigned kMaxRounds = 4;

namespace {
/// A visitor that only learns facts.
class Simulation : public ShapeWalk::Visitor {
public:
  explicit Simulation(ShapeAnalysis &analysis) : Visitor(analysis) {}
  void visit(Operation *op, bool) override { simulate(op); }
};

/// A function and its callees, or the root, whose callees are all functions.
struct CallNode {
  func::FuncOp func;
  llvm::SetVector<CallNode *> calls;
};
} // namespace

template <> struct llvm::GraphTraits<CallNode *> {
  using NodeRef = CallNode *;
  using ChildIteratorType = llvm::SetVector<CallNode *>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->calls.begin();
  }
  static ChildIteratorType child_end(NodeRef node) { return node->calls.end(); }
};

CallSummaries::CallSummaries(ModuleOp module, const ShapeLibrary *library,
                             bool believes)
    : module(module), library(library), believes(believes) {
  SmallVector<func::FuncOp> functions;
  SmallVector<func::CallOp> known = countUses(functions);
  llvm::MapVector<Operation *, CallNode> nodes;
  for (func::FuncOp func : functions)
    nodes[func].func = func;
  CallNode all;
  for (auto &[op, node] : nodes)
    all.calls.insert(&node);
  for (func::CallOp call : known)
    for (Operation *in = call->getParentOfType<func::FuncOp>(); in;
         in = in->getParentOfType<func::FuncOp>())
      nodes[in].calls.insert(&nodes.find(callees.lookup(call))->second);
  for (auto it = llvm::scc_begin(&all); !it.isAtEnd(); ++it) {
    SmallVector<func::FuncOp> cycle;
    for (CallNode *node : *it)
      if (node->func && !node->func.isExternal())
        cycle.push_back(node->func);
    // The order of the search does not matter.
    std::reverse(cycle.begin(), cycle.end());
    summarise(cycle, it.hasCycle());
    order.insert(order.end(), cycle.begin(), cycle.end());
  }
  std::reverse(order.begin(), order.end());
}

/// Whether `op` has only inherent attributes, of which none names a function. A
/// fast check for most operations of a large program; listing attributes takes
/// time.
static bool namesNoFunction(Operation *op) {
  return op->getDiscardableAttrDictionary().empty() &&
         (isa<loom::MapOp, loom::YieldOp>(op) ||
          isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                          tensor::TensorDialect, tosa::TosaDialect>(
              op->getDialect()));
}

SmallVector<func::CallOp>
CallSummaries::countUses(SmallVectorImpl<func::FuncOp> &functions) {
  SmallVector<func::CallOp> known;
  llvm::DenseSet<Operation *> named;
  module.walk([&](Operation *op) {
    if (auto func = dyn_cast<func::FuncOp>(op)) {
      functions.push_back(func);
      return;
    }
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = tables.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (!callee)
        return;
      callees[call] = callee;
      known.push_back(call);
      ++contexts[callee].numUses;
      return;
    }
    // Any operation that names a function may call it.
    if (namesNoFunction(op))
      return;
    op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
      if (auto func = tables.lookupNearestSymbolFrom<func::FuncOp>(op, symbol))
        named.insert(func);
    });
  });
  for (func::FuncOp func : functions)
    contexts[func].isClosed =
        !func.isPublic() && !func.isExternal() && !named.contains(func);
  return known;
}

//===----------------------------------------------------------------------===//
// Summaries
//===----------------------------------------------------------------------===//

SymbolId CallSummaries::getSymbol(unsigned argument, int64_t axis) {
  auto [it, isNew] = arguments.try_emplace({argument, axis});
  if (isNew) {
    it->second = symbols.create().symbolId();
    axes.push_back({argument, axis});
  }
  return it->second;
}

/// The number for an extent of an argument of `func`.
std::optional<Number> CallSummaries::getArgument(const ShapeAnalysis &analysis,
                                                 func::FuncOp func,
                                                 SymbolId symbol) {
  ExtentSource source = analysis.getFacts().getSource(symbol);
  if (!source.isKnown || source.axis < 0 ||
      getDefinition(analysis.getNumbers(), symbol))
    return std::nullopt;
  auto argument = dyn_cast_or_null<BlockArgument>(
      analysis.getTable().getNode(source.node).value);
  if (!argument || argument.getOwner() != &func.getBody().front())
    return std::nullopt;
  return numberOf(
      numbers, Extent::symbol(getSymbol(argument.getArgNumber(), source.axis)));
}

CallSummaries::Summary CallSummaries::simulate(func::FuncOp func) {
  ShapeAnalysis analysis(library, this);
  analysis.setBelieves(believes);
  Simulation visitor(analysis);
  ShapeWalk walk(visitor);
  walk.simulate(func);
  Summary summary(func.getNumResults());
  std::optional<std::vector<Shape>> returned = walk.getReturned();
  if (!returned)
    return summary;
  for (auto [result, shape] : llvm::zip(summary, *returned)) {
    if (!shape.isRanked())
      continue;
    result.emplace();
    for (Extent extent : shape) {
      NumberImporter importer(
          analysis.getNumbers(), numbers,
          [&](SymbolId symbol) { return getArgument(analysis, func, symbol); });
      result->push_back(
          extent.isDynamic() || extent.isScalable()
              ? std::nullopt
              : importer.get(numberOf(analysis.getNumbers(), extent)));
    }
  }
  return summary;
}

/// What holds of both summaries.
template <typename Summary>
static Summary meet(const Summary &a, const Summary &b) {
  Summary both(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i] || !b[i] || a[i]->size() != b[i]->size())
      continue;
    both[i] = a[i];
    for (size_t axis = 0; axis < a[i]->size(); ++axis)
      if (!((*a[i])[axis] == (*b[i])[axis]))
        (*both[i])[axis].reset();
  }
  return both;
}

void CallSummaries::summarise(ArrayRef<func::FuncOp> cycle, bool isCycle) {
  SmallVector<func::FuncOp> called;
  for (func::FuncOp func : cycle)
    if (!func.isExternal() && contexts[func].numUses > 0)
      called.push_back(func);
  if (isCycle)
    for (func::FuncOp func : called) {
      contexts[func].isClosed = false;
      open.insert(func);
    }
  for (func::FuncOp func : called)
    summaries[func] = simulate(func);
  if (!isCycle)
    return;
  open.clear();
  bool isConfirmed = false;
  for (unsigned round = 0; round < kMaxRounds && !isConfirmed; ++round) {
    isConfirmed = true;
    std::vector<Summary> next;
    for (func::FuncOp func : called)
      next.push_back(meet(summaries[func], simulate(func)));
    for (auto [func, summary] : llvm::zip(called, next)) {
      isConfirmed &= summary == summaries[func];
      summaries[func] = std::move(summary);
    }
  }
  if (!isConfirmed)
    for (func::FuncOp func : called)
      summaries.erase(func);
}

void CallSummaries::apply(func::CallOp call, ShapeAnalysis &analysis) const {
  func::FuncOp callee = callees.lookup(call);
  if (callee && open.contains(callee)) {
    // No summary is known yet, so that the results are open.
    for (Value result : call.getResults())
      analysis.setOpen(result);
    return;
  }
  auto it = summaries.find(callee);
  if (it == summaries.end())
    return;
  NumberImporter importer(
      numbers, analysis.getNumbers(),
      [&](SymbolId symbol) -> std::optional<Number> {
        auto [argument, axis] = axes[symbol];
        if (argument >= call.getNumOperands())
          return std::nullopt;
        Shape shape = analysis.getInfo(call.getOperand(argument)).shape;
        if (!shape.isRanked() || axis >= int64_t(shape.rank()))
          return std::nullopt;
        return numberOf(analysis.getNumbers(), shape[axis]);
      });
  for (auto [result, extents] : llvm::zip(call.getResults(), it->second)) {
    if (!extents || !isa<ShapedType>(result.getType()))
      continue;
    Shape shape;
    for (const std::optional<Number> &extent : *extents) {
      std::optional<Number> here = extent ? importer.get(*extent) : extent;
      shape.push_back(here ? extentOf(analysis.getNumbers(), *here) : Extent());
    }
    analysis.setShape(result, shape);
  }
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// Calls `visit` with the extent of each axis of each value that has a rank.
template <typename Visit>
static void forEachAxis(ValueRange values, ShapeAnalysis &analysis,
                        Visit visit) {
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      for (Extent extent : analysis.getInfo(value).shape)
        visit(extent);
}

void CallSummaries::record(func::CallOp call, ShapeAnalysis &analysis,
                           bool certain) {
  if (certain)
    if (Operation *callee = callees.lookup(call))
      called.insert(callee);
  auto it = contexts.find(callees.lookup(call));
  if (it == contexts.end() || !it->second.isClosed)
    return;
  Context &context = it->second;
  std::map<std::pair<int, int64_t>, unsigned> groups;
  std::map<std::pair<unsigned, unsigned>, unsigned> both;
  size_t i = 0;
  bool isFirst = context.numRecorded++ == 0;
  forEachAxis(call.getOperands(), analysis, [&](Extent extent) {
    Extent known = analysis.getProver().resolve(extent);
    unsigned group =
        groups
            .try_emplace({int(known.kind()), known.isSymbol()
                                                 ? int64_t(known.symbolId())
                                                 : known.value()},
                         groups.size())
            .first->second;
    ExtentRange range = analysis.getSymbols().range(known);
    if (isFirst) {
      context.axes.push_back({group, range});
      return;
    }
    if (i >= context.axes.size())
      return;
    Axis &axis = context.axes[i++];
    axis.group =
        both.try_emplace({axis.group, group}, both.size()).first->second;
    axis.range.notOne = axis.range.excludesOne() && range.excludesOne();
    axis.range.lo = std::min(axis.range.lo, range.lo);
    axis.range.hi = std::max(axis.range.hi, range.hi);
  });
}

void CallSummaries::enter(func::FuncOp func, ShapeAnalysis &analysis) const {
  auto it = contexts.find(func);
  if (it == contexts.end() || !it->second.isClosed ||
      it->second.numRecorded == 0 ||
      it->second.numRecorded != it->second.numUses)
    return;
  const Context &context = it->second;
  std::string origin = "at every call of '" + func.getName().str() + "'";
  std::map<unsigned, Extent> first;
  size_t i = 0;
  Symbols &table = analysis.getSymbols();
  forEachAxis(func.getArguments(), analysis, [&](Extent extent) {
    if (i >= context.axes.size())
      return;
    const Axis &axis = context.axes[i++];
    if (!extent.isSymbol()) {
      first.try_emplace(axis.group, extent);
      return;
    }
    table.assumeBounds(extent, axis.range.lo, axis.range.hi, origin);
    if (axis.range.notOne)
      table.assumeNotOne(extent, origin);
    auto [known, isNew] = first.try_emplace(axis.group, extent);
    if (!isNew)
      table.assumeEqual(known->second, extent, origin);
  });
}
