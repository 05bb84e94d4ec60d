//===- ShapeAnalysis.h - the shapes of a function's tensors -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward walk gives every tensor and every `!loom.shape` of a function a
// shape of symbols (ext-1), and every index a number (sf-6): extents that a
// shape function or the program computes are sums, products and quotients of
// other extents. The analysis has all facts about symbols and numbers.
//
// Invariant: a static extent in a type is a fact only for function arguments
// and for operations that are not maps. What a map's declared type says beyond
// its operands is learned from the constraint, never from the type (rt-4). What
// a shape function infers is a fact only where all its requirements are proved
// (bcast-6). ShapeWalk calls visit() for each operation after those that
// dominate it, and opens a Scope for each region, so that facts do not leave
// the region (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H
#define BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H

#include "dialect/LoomDialect.h"
#include "infer/analysis/OutcomeCache.h"
#include "infer/analysis/ScalarAnalysis.h"
#include "infer/analysis/ShapeFacts.h"
#include "infer/analysis/ShapeTable.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberProver.h"
#include "shape/Broadcast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace broadloom::infer {

/// The extents of a shaped type, of one that a user's type carries, or of a
/// `!loom.shape`; none where unranked.
std::optional<llvm::ArrayRef<int64_t>> getDeclaredExtents(mlir::Type type);

/// An `i1` that compares a rank: `rank` is `number`.
struct RankCondition {
  loom::RankOp rank;
  unsigned number;
};
/// Nothing if `condition` is not such a comparison, or if no tensor has that
/// rank.
std::optional<RankCondition> matchRank(mlir::Value condition);

class CallSummaries;

class ShapeAnalysis {
public:
  /// Without a library, shape functions are not used. `calls` has the results
  /// of calls; it may be null.
  explicit ShapeAnalysis(const ShapeLibrary *library = nullptr,
                         const CallSummaries *calls = nullptr)
      : library(library), calls(calls), numbers(symbols), prover(numbers),
        scalars(numbers), outcomes(numbers) {}
  ShapeAnalysis(const ShapeAnalysis &) = delete;
  ShapeAnalysis &operator=(const ShapeAnalysis &) = delete;

  /// Whether values of the type have a shape: shaped types, `!loom.shape`, and
  /// users' types that carry a tensor's (S-25).
  static bool hasShape(mlir::Type type);

  /// Computes the shapes and numbers of `op`'s results. Does not enter its
  /// regions.
  void visit(mlir::Operation *op);
  /// Forgets `op`'s results, before it is visited again.
  void forget(mlir::Operation *op);

  /// Whether the library maps `op`, or its traits give a shape function (sf-9).
  bool hasFunction(mlir::Operation *op) const;
  /// Whether a text adds something for `op`, which has its own rules. lib-2
  bool hasAddition(mlir::Operation *op) const;
  /// Evaluates the shape function of `op`, if it has one, without using the
  /// outcome.
  std::optional<Outcome> evaluate(mlir::Operation *op,
                                  EvaluationOptions options = {});
  /// Sets `op`'s results to those of its shape function. The caller guarantees
  /// that its requirements hold.
  void setResults(mlir::Operation *op, const Outcome &outcome);
  /// Sets only results that are lists of numbers, which do not depend on
  /// constraints.
  void setLists(mlir::Operation *op, const Outcome &outcome);

  /// The shape of a tensor or `!loom.shape`, as far as it is known.
  ShapeInfo getInfo(mlir::Value value);
  /// Sets a value's shape; a `?` in it gets a new symbol. Static extents of the
  /// value's type take precedence.
  void setShape(mlir::Value value, const Shape &shape);
  /// Gives a value the shape of another.
  void setSame(mlir::Value value, mlir::Value other);
  /// Gives a value a shape of which only the type is known.
  void setUnknown(mlir::Value value);
  /// The same for a value whose shape will be known later: joins ignore it.
  void setOpen(mlir::Value value);
  bool isOpen(Extent extent) const;
  /// Says that `to` takes the place of `from`, which is about to go.
  void replace(mlir::Value from, mlir::Value to);

  /// Whether requirements of shape functions that are not proved will be
  /// checked, so that their results are facts.
  void setBelieves(bool isChecked) { believes = isChecked; }
  /// Gives extents of results names for users, which name the operation.
  void setNamesResults() { namesResults = true; }
  /// Operations will be visited again: their earlier results are forgotten.
  void setRevisits() { revisits = true; }

  /// Whether two shapes are proved equal with the current facts.
  bool areEqual(const ShapeInfo &a, const ShapeInfo &b) const;

  /// The symbol for an extent of a shape of unknown rank; `axis` is negative.
  Extent getExtentFromRight(NodeId node, int64_t axis);

  /// Records that a condition holds from here on; `origin` says why. rt-8
  void learn(ConditionId condition, std::string_view origin) {
    record(numbers, condition, origin);
  }

  /// The same for an `i1`, including a rank that it compares.
  void learn(mlir::Value condition, std::string_view origin);

  Numbers &getNumbers() { return numbers; }
  const Numbers &getNumbers() const { return numbers; }
  ScalarAnalysis &getScalars() { return scalars; }
  const ScalarAnalysis &getScalars() const { return scalars; }
  const ShapeLibrary *getLibrary() const { return library; }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const NumberProver &getProver() const { return prover; }
  const ShapeTable &getTable() const { return table; }
  ShapeFacts &getFacts() { return facts; }
  const ShapeFacts &getFacts() const { return facts; }

  /// Facts that are learned while it lives are taken back at its end.
  class Scope {
  public:
    explicit Scope(ShapeAnalysis &analysis);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// Keeps the facts beyond the end of the scope.
    void keep();

  private:
    bool isKept = false;
    ShapeAnalysis &analysis;
    Numbers::Scope numbers;
    size_t numbersMark, symbolsMark;
    ShapeFacts::Mark factsMark;
    SymbolId firstNewSymbol;
  };

private:
  /// Visits an operation with a shape function (FunctionTransfer.cpp).
  void visitFunction(mlir::Operation *op);
  bool contradicts(mlir::ShapedType type, const Shape &shape) const;
  /// Visits an operation of loom (LoomTransfer.cpp); false if there is no rule
  /// for it.
  bool visitLoom(mlir::Operation *op);
  void visitFusedReduction(loom::FusedReductionOp op);
  void visitContract(loom::ContractOp op);
  /// The shape of the result of a map or broadcast.
  ShapeInfo getMapShape(mlir::Operation *op);
  /// Sets a result whose type may contradict `shape`.
  void setLoomShape(mlir::Value result, const Shape &shape);
  /// Visits an operation on tensors and shapes (ShapeTransfer.cpp); false if
  /// there is no rule for it.
  bool visitTensor(mlir::Operation *op);
  bool visitMemory(mlir::Operation *op);
  bool visitCollapse(mlir::Value source, mlir::Value result,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups);
  /// Gives `cast` the shape of `source`.
  void visitCast(mlir::Value source, mlir::Value cast);
  bool visitShape(mlir::Operation *op);
  void setNumbers(mlir::Value value, llvm::ArrayRef<Number> extents);
  Number getExtentNumber(mlir::Value value, int64_t axis);
  void setInfo(mlir::ValueRange values, const ShapeInfo &info);
  ShapeInfo makeLeaf(mlir::Value value);
  /// The broadcast of shapes; `rank` is that of the declared type, -1 if none.
  ShapeInfo makeBroadcast(llvm::ArrayRef<ShapeInfo> operands, int64_t rank);
  Extent createSymbol(NodeId node, int64_t axis);
  /// Limits a symbol of `node` if arguments of the function limit it. ext-5
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
  llvm::DenseSet<SymbolId> openSymbols;
  ShapeTable table;
  ShapeFacts facts;
  /// Values of equal shape, such as those along a chain, share one entry.
  std::vector<ShapeInfo> infos;
  llvm::DenseMap<mlir::Value, unsigned> infoOf;
  std::map<std::pair<NodeId, int64_t>, Extent> extentsFromRight;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SHAPEANALYSIS_H
