//===- ShapeAnalysis.h - the shapes of a function's tensors -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward walk gives every tensor and every `!loom.shape` of a function a
// shape of symbols (ext-1), and every index a number (sf-6): extents that a
// shape function or the program itself computes are sums, products and
// quotients of those that they are computed from. All facts about either are
// here.
//
// Invariant: a static extent is a fact only where a type states it that no
// constraint guards: of function arguments and of operations that are not maps.
// What a map's declared type says beyond its operands is learned from the
// constraint, never from the type (rt-4); what a shape function infers counts
// where all that it requires is proved (bcast-6). ShapeWalk calls visit() for
// each operation after those that dominate it, and opens a Scope for each
// region, so that what is learned inside does not leak out (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H
#define BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H

#include "dialect/LoomDialect.h"
#include "infer/analysis/OutcomeCache.h"
#include "infer/analysis/ScalarAnalysis.h"
#include "infer/numbers/NumberProver.h"
#include "shape/Broadcast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <set>
#include <vector>

namespace broadloom::infer {

/// Number of a shape's construction in its ShapeAnalysis.
using NodeId = unsigned;

/// How a shape comes about, and so how it can be made again at an earlier
/// point: it is that of `value` (a tensor or a `!loom.shape`), or, where that
/// is null, the broadcast of `operands`, which have smaller numbers.
struct ShapeNode {
  mlir::Value value;
  llvm::SmallVector<NodeId, 2> operands;
};

/// Where a symbol's number is read if it cannot be computed: it is the extent
/// of `axis` of `node`, from the right as -1, -2, ... where the rank is not
/// known. `isKnown` is false for symbols that are only ever computed.
struct ExtentSource {
  NodeId node = 0;
  int64_t axis = 0;
  bool isKnown = false;
};

/// A shape and its construction.
struct ShapeInfo {
  NodeId node = 0;
  Shape shape;
};

/// What an `i1` says of a rank: that `rank` is `number`.
struct RankCondition {
  loom::RankOp rank;
  unsigned number;
};
/// Nothing where `condition` is no such comparison, or of a rank that no
/// tensor has.
std::optional<RankCondition> matchRank(mlir::Value condition);

class CallSummaries;

class ShapeAnalysis {
public:
  /// Without a library, only what the program itself says is known. `calls`
  /// says what the results of calls are; it may be null.
  explicit ShapeAnalysis(const ShapeLibrary *library = nullptr,
                         const CallSummaries *calls = nullptr)
      : library(library), calls(calls), numbers(symbols), prover(numbers),
        scalars(numbers), outcomes(numbers) {}
  ShapeAnalysis(const ShapeAnalysis &) = delete;
  ShapeAnalysis &operator=(const ShapeAnalysis &) = delete;

  /// Whether values of the type have a shape: shaped types, `!loom.shape`, and
  /// users' types that carry a tensor's (S-25).
  static bool hasShape(mlir::Type type);

  /// Computes what is known of `op`'s results. Does not enter its regions.
  void visit(mlir::Operation *op);
  /// What was known of `op`'s results before it is visited again.
  void forget(mlir::Operation *op);

  /// Whether the library maps `op`, or its traits say enough (sf-9).
  bool hasFunction(mlir::Operation *op) const;
  /// Whether a text adds something for `op`, which has its own rules. lib-2
  bool hasAddition(mlir::Operation *op) const;
  /// What the shape function of `op` says, if it has one, without believing it.
  std::optional<Outcome> evaluate(mlir::Operation *op,
                                  EvaluationOptions options = {});
  /// Gives `op`'s results what its shape function says. The caller has seen to
  /// it that all it requires holds.
  void setResults(mlir::Operation *op, const Outcome &outcome);
  /// Of that only what results are as lists of numbers, which no constraint
  /// changes.
  void setLists(mlir::Operation *op, const Outcome &outcome);

  /// The shape of a tensor or `!loom.shape`, as far as it is known by now.
  ShapeInfo getInfo(mlir::Value value);
  /// Says what is known of a value's shape; a `?` in it gets a symbol of its
  /// own. Static extents of the value's type, if it has a rank, win.
  void setShape(mlir::Value value, const Shape &shape);
  /// Says that a value has the shape of another.
  void setSame(mlir::Value value, mlir::Value other);
  /// A shape of which no more is known than the type says.
  void setUnknown(mlir::Value value);
  /// The same for what will be known later: joins leave it out of account.
  void setOpen(mlir::Value value);
  bool isOpen(Extent extent) const;
  /// Says that `to` takes the place of `from`, which is about to go.
  void replace(mlir::Value from, mlir::Value to);

  /// Whether what shape functions require will be checked wherever it is not
  /// proved, so that what they say is to be believed.
  void setBelieves(bool isChecked) { believes = isChecked; }
  /// Extents of results get names for users that say whose they are.
  void setNamesResults() { namesResults = true; }
  /// Operations will be visited again: what was known of them is forgotten.
  void setRevisits() { revisits = true; }

  /// Whether two shapes are proved equal by what is known now.
  bool areEqual(const ShapeInfo &a, const ShapeInfo &b) const;

  /// The symbol for an extent of a shape of unknown rank; `axis` is negative.
  Extent getExtentFromRight(NodeId node, int64_t axis);

  /// The operands of a broadcast without broadcasts among them, sorted and each
  /// once; the broadcasts themselves where there are too many.
  std::vector<NodeId> getLeaves(llvm::ArrayRef<NodeId> nodes) const;

  /// Facts about shapes of unknown rank, beside those of the symbols.
  void learnRank(NodeId node, unsigned rank);
  /// Where a symbol is read, with its axis from the left once the rank is
  /// known.
  ExtentSource findSource(SymbolId symbol) const;
  void learnBroadcast(std::vector<NodeId> leaves);
  bool isKnownToBroadcast(const std::vector<NodeId> &leaves) const;
  /// Whether there are any facts of that kind.
  bool knowsBroadcasts() const { return !knownBroadcasts.empty(); }

  /// Records that a condition holds from here on; `origin` says why. rt-8
  void learn(ConditionId condition, std::string_view origin) {
    numbers.record(condition, origin);
  }

  /// The same of an `i1`, with what it says of a rank.
  void learn(mlir::Value condition, std::string_view origin);

  Numbers &getNumbers() { return numbers; }
  const Numbers &getNumbers() const { return numbers; }
  ScalarAnalysis &getScalars() { return scalars; }
  const ScalarAnalysis &getScalars() const { return scalars; }
  const ShapeLibrary *getLibrary() const { return library; }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const NumberProver &getProver() const { return prover; }
  const ShapeNode &getNode(NodeId node) const { return nodes[node]; }
  ExtentSource getSource(SymbolId symbol) const {
    return symbol < sources.size() ? sources[symbol] : ExtentSource();
  }

  /// While it lives, what is learned is learned for its time only.
  class Scope {
  public:
    explicit Scope(ShapeAnalysis &analysis);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// What was learned holds behind it as well.
    void keep();

  private:
    bool isKept = false;
    ShapeAnalysis &analysis;
    Numbers::Scope numbers;
    size_t numbersMark, symbolsMark, ranksMark, broadcastsMark;
    /// The symbols and the sources that there were at first.
    SymbolId firstNewSymbol;
    size_t sourcesMark;
  };

private:
  /// By the operation's shape function, FunctionTransfer.cpp.
  void visitFunction(mlir::Operation *op);
  bool contradicts(mlir::RankedTensorType type, const Shape &shape) const;
  /// Structure of tensors and shapes, ShapeTransfer.cpp; false where there is
  /// nothing to say.
  bool visitTensor(mlir::Operation *op);
  bool visitShape(mlir::Operation *op);
  void setNumbers(mlir::Value value, llvm::ArrayRef<Number> extents);
  Number getExtentNumber(mlir::Value value, int64_t axis);
  void setInfo(mlir::ValueRange values, const ShapeInfo &info);
  ShapeInfo makeLeaf(mlir::Value value);
  /// The broadcast of shapes; `rank` is that of the declared type, -1 if none.
  ShapeInfo makeBroadcast(llvm::ArrayRef<ShapeInfo> operands, int64_t rank);
  NodeId internBroadcast(llvm::ArrayRef<ShapeInfo> operands);
  Extent createSymbol(NodeId node, int64_t axis);
  /// Tells the numbers how large a symbol of `node` can be, where arguments of
  /// the function say so. ext-5
  void limitExtent(Extent symbol, NodeId node);
  bool canConstrain(mlir::Operation *op, const Outcome &outcome);
  void setSource(Extent symbol, NodeId node, int64_t axis);
  /// The shape of unknown rank `node`, once its rank is known.
  Shape viewWithRank(NodeId node, int64_t rank);

  const ShapeLibrary *library;
  const CallSummaries *calls;
  bool believes = false;
  bool namesResults = false;
  bool revisits = false;
  Symbols symbols;
  Numbers numbers;
  NumberProver prover;
  ScalarAnalysis scalars;
  OutcomeCache outcomes;
  std::vector<ExtentSource> sources;
  llvm::DenseSet<SymbolId> openSymbols;
  std::vector<ShapeNode> nodes;
  /// Values of equal shape, such as those along a chain, share one entry.
  std::vector<ShapeInfo> infos;
  llvm::DenseMap<mlir::Value, unsigned> infoOf;
  std::map<std::vector<NodeId>, NodeId> broadcasts;
  std::map<std::pair<NodeId, int64_t>, Extent> extentsFromRight;

  llvm::DenseMap<NodeId, unsigned> ranks;
  std::set<std::vector<NodeId>> knownBroadcasts;
  // What a scope's end takes back, in the order in which it was learned.
  std::vector<NodeId> learnedRanks;
  std::vector<std::vector<NodeId>> learnedBroadcasts;
  /// Symbols in the order in which they got a source.
  std::vector<SymbolId> sourced;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H
