//===- ShapeAnalysis.h - the shapes of a function's tensors -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward walk gives every tensor and every `!loom.shape` of a function a
// shape of symbols (ext-1), with a recipe for each symbol's number.
//
// Invariant: a static extent is a fact only where a type states it that no
// obligation guards: of function arguments and of operations that are not maps.
// What a map's declared type says beyond its operands is learned from the
// obligation, never from the type (rt-4). The walk's user calls visit() for
// each operation after those that dominate it, and opens a Scope for each
// region, so that what is learned inside does not leak out (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_SHAPEANALYSIS_H
#define BROADLOOM_INFER_SHAPEANALYSIS_H

#include "dialect/LoomDialect.h"
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
/// place: it is that of `value` (a tensor or a `!loom.shape`), or, where that
/// is null, the broadcast of `operands`, which have smaller numbers.
struct ShapeNode {
  mlir::Value value;
  llvm::SmallVector<NodeId, 2> operands;
};

/// How a symbol's number comes about: it is the extent of `axis` of `node`
/// (from the right as -1, -2, ... where the rank is not known), or, where
/// `parts` is not empty, their join (bcast-2), of smaller symbols.
struct ExtentSource {
  NodeId node = 0;
  int64_t axis = 0;
  llvm::SmallVector<Extent, 2> parts;
};

/// A shape and its construction.
struct ShapeInfo {
  NodeId node = 0;
  Shape shape;
};

class ShapeAnalysis {
public:
  ShapeAnalysis() : prover(symbols) {}
  ShapeAnalysis(const ShapeAnalysis &) = delete;
  ShapeAnalysis &operator=(const ShapeAnalysis &) = delete;

  /// Computes the shapes of `op`'s results, and of its regions' arguments where
  /// they are operands. Does not enter its regions.
  void visit(mlir::Operation *op);

  /// The shape of a tensor or `!loom.shape`, as far as it is known by now.
  ShapeInfo getInfo(mlir::Value value);

  /// Whether two shapes are proved equal by what is known now.
  bool areEqual(const ShapeInfo &a, const ShapeInfo &b) const;

  /// The symbol for an extent of a shape of unknown rank; `axis` is negative.
  Extent getExtentFromRight(NodeId node, int64_t axis);

  /// The operands of a broadcast without broadcasts among them, sorted and each
  /// once; the broadcasts themselves where there are too many.
  std::vector<NodeId> getLeaves(llvm::ArrayRef<NodeId> nodes) const;

  /// Facts about shapes of unknown rank, beside those of the symbols.
  void learnRank(NodeId node, unsigned rank);
  void learnBroadcast(std::vector<NodeId> leaves);
  bool isKnownToBroadcast(const std::vector<NodeId> &leaves) const;
  /// Whether there are any facts of that kind.
  bool knowsBroadcasts() const { return !knownBroadcasts.empty(); }

  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const Prover &getProver() const { return prover; }
  const ShapeNode &getNode(NodeId node) const { return nodes[node]; }
  const ExtentSource &getSource(SymbolId symbol) const {
    return sources[symbol];
  }

  /// While it lives, what is learned is learned for its time only.
  class Scope {
  public:
    explicit Scope(ShapeAnalysis &analysis);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    ShapeAnalysis &analysis;
    size_t symbolsMark, ranksMark, broadcastsMark;
  };

private:
  void setInfo(mlir::ValueRange values, const ShapeInfo &info);
  ShapeInfo makeLeaf(mlir::Value value);
  /// The broadcast of shapes; `rank` is that of the declared type, -1 if none.
  ShapeInfo makeBroadcast(llvm::ArrayRef<ShapeInfo> operands, int64_t rank);
  NodeId internBroadcast(llvm::ArrayRef<ShapeInfo> operands);
  Extent createSymbol(ExtentSource source);
  /// The shape of unknown rank `node`, once its rank is known.
  Shape viewWithRank(NodeId node, int64_t rank);

  Symbols symbols;
  SymbolProver prover;
  std::vector<ExtentSource> sources;
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
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_SHAPEANALYSIS_H
