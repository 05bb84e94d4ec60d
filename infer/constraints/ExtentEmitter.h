//===- ExtentEmitter.h - extents as values of a program ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the numbers, conditions and shapes of unknown rank that guards need,
// each once and as early as its parts are available: values that follow from a
// function's arguments stand at its entry (rt-1). An extent that cannot be
// computed from others is read from a tensor.
//
// Invariant: operations at one point are in the order of the requests, so that
// a value stands before its users.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_EXTENTEMITTER_H
#define BROADLOOM_INFER_CONSTRAINTS_EXTENTEMITTER_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/NumberEmitter.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

/// The point right after an operation, or, if that is null, at the start of a
/// block.
struct EmissionPoint {
  mlir::Block *block = nullptr;
  mlir::Operation *after = nullptr;

  bool operator==(const EmissionPoint &other) const {
    return block == other.block && after == other.after;
  }
};

class ExtentEmitter {
public:
  ExtentEmitter(mlir::FunctionOpInterface func, ShapeAnalysis &analysis);
  ~ExtentEmitter();

  /// An index; `extent` is static or a symbol of the analysis.
  mlir::Value getExtent(mlir::Location loc, Extent extent);
  /// A `!loom.shape`.
  mlir::Value getShape(mlir::Location loc, NodeId node);
  mlir::Value getConstant(mlir::Location loc, int64_t value);
  mlir::Value getFalse(mlir::Location loc);

  /// Whether all parts are available at run time. Only such numbers can be
  /// emitted.
  bool canEmit(const Number &number);
  bool canEmitCondition(ConditionId condition);
  /// An index, and an i1. `point` is the result of getPoint or later.
  mlir::Value getNumber(mlir::Location loc, const Number &number,
                        EmissionPoint point);
  mlir::Value getCondition(mlir::Location loc, ConditionId condition,
                           EmissionPoint point);
  /// A number in a message (NumberEmitter::emitShown).
  mlir::Value getShown(mlir::Location loc, const Number &number,
                       EmissionPoint point);

  /// The point from which the value is available. Extents and shapes must have
  /// been requested before.
  EmissionPoint getPoint(Extent extent) const;
  EmissionPoint getPoint(NodeId node) const;
  EmissionPoint getPoint(mlir::Location loc, const Number &number);
  EmissionPoint getConditionPoint(mlir::Location loc, ConditionId condition);
  /// The later of two points of which one dominates the other.
  EmissionPoint getLater(EmissionPoint a, EmissionPoint b);
  mlir::Block *getEntry() { return entry; }

  /// Emits an operation after all others that were emitted at `point`.
  template <typename OpT, typename... Args>
  OpT create(EmissionPoint point, mlir::Location loc, Args &&...args) {
    setInsertionPoint(point);
    OpT op = OpT::create(builder, loc, std::forward<Args>(args)...);
    last[{point.block, point.after}] = op;
    return op;
  }

private:
  /// Emits numbers at one point.
  struct Site;

  Site &getSite(EmissionPoint point);
  void setInsertionPoint(EmissionPoint point);
  void emitSymbol(mlir::Location loc, SymbolId symbol);
  bool isComputed(SymbolId symbol);
  bool isAvailable(SymbolId symbol);
  /// The point of a symbol or an unknown number, which is emitted if need be.
  EmissionPoint getLeafPoint(mlir::Location loc, AtomId leaf);
  void emitNode(mlir::Location loc, NodeId node);
  bool emitBefore(mlir::Location loc, NodeId node);
  bool isKnownBefore(const ShapeInfo &info);

  ShapeAnalysis &analysis;
  mlir::Block *entry;
  mlir::OpBuilder builder;
  mlir::DominanceInfo dominance;
  // Operations in the order of the text, before anything is emitted.
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Operation *>, mlir::Operation *>
      last;
  struct Emitted {
    mlir::Value value;
    EmissionPoint point;
  };
  llvm::DenseMap<SymbolId, Emitted> symbols;
  llvm::DenseMap<NodeId, Emitted> shapes;
  std::map<int64_t, mlir::Value> constants;
  llvm::DenseMap<SymbolId, bool> computed;
  std::map<std::pair<mlir::Block *, mlir::Operation *>, std::unique_ptr<Site>>
      sites;
  mlir::Value falseValue;
  /// How many shapes are being emitted, each for an extent of the next.
  unsigned depth = 0;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_EXTENTEMITTER_H
