//===- ExtentEmitter.h - extents as values of a program ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the numbers of symbols and the shapes of unknown rank that guards need,
// each once, as early as its parts are there: what follows from a function's
// arguments stands at its entry (rt-1).
//
// Invariant: at one place everything stands in the order in which it was asked
// for, so that a value stands before whoever asked for it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_EXTENTEMITTER_H
#define BROADLOOM_INFER_EXTENTEMITTER_H

#include "infer/ShapeAnalysis.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

/// Right after an operation, or, where that is null, at a block's start.
struct Place {
  mlir::Block *block = nullptr;
  mlir::Operation *after = nullptr;
};

class ExtentEmitter {
public:
  ExtentEmitter(mlir::FunctionOpInterface func, const ShapeAnalysis &analysis);

  /// An index; `extent` is static or a symbol of the analysis.
  mlir::Value getExtent(mlir::Location loc, Extent extent);
  /// A `!loom.shape`.
  mlir::Value getShape(mlir::Location loc, NodeId node);
  mlir::Value getConstant(mlir::Location loc, int64_t value);
  mlir::Value getFalse(mlir::Location loc);

  /// Where the value becomes available; only once it has been asked for.
  Place getPlace(Extent extent) const;
  Place getPlace(NodeId node) const;
  /// The later of two places of which one dominates the other.
  Place getLater(Place a, Place b);
  mlir::Block *getEntry() { return entry; }

  /// Emits an operation behind all others that were emitted at `place`.
  template <typename OpT, typename... Args>
  OpT create(Place place, mlir::Location loc, Args &&...args) {
    setInsertionPoint(place);
    OpT op = OpT::create(builder, loc, std::forward<Args>(args)...);
    last[{place.block, place.after}] = op;
    return op;
  }

private:
  void setInsertionPoint(Place place);
  void emitSymbol(mlir::Location loc, SymbolId symbol);
  void emitNode(mlir::Location loc, NodeId node);

  const ShapeAnalysis &analysis;
  mlir::Block *entry;
  mlir::OpBuilder builder;
  mlir::DominanceInfo dominance;
  // Operations in the order of the text, before anything is emitted.
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Operation *>, mlir::Operation *>
      last;
  struct Emitted {
    mlir::Value value;
    Place place;
  };
  llvm::DenseMap<SymbolId, Emitted> symbols;
  llvm::DenseMap<NodeId, Emitted> shapes;
  std::map<int64_t, mlir::Value> constants;
  mlir::Value falseValue;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_EXTENTEMITTER_H
