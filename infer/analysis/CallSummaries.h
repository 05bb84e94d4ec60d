//===- CallSummaries.h - what calls give and get ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each called function: the extents of its results as numbers of its
// arguments' extents, from which a caller knows the results of a call; and what
// all calls of a private function have in common, which is a fact in that
// function (sf-8).
//
// Invariant: a recursive function gets a summary only if the summary confirms
// itself: if it holds for the inner calls, it holds for the outer one. Nothing
// is assumed of the arguments of recursive functions.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_CALLSUMMARIES_H
#define BROADLOOM_INFER_ANALYSIS_CALLSUMMARIES_H

#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace broadloom::infer {

class CallSummaries {
public:
  /// Analyses all functions of the module. `believes`: whether each requirement
  /// of a shape function that is not proved will be checked.
  CallSummaries(mlir::ModuleOp module, const ShapeLibrary *library,
                bool believes);

  /// All functions with a body, callers before callees except in cycles of
  /// calls.
  llvm::ArrayRef<mlir::func::FuncOp> getCallersFirst() const { return order; }

  /// Sets the shapes of a call's results.
  void apply(mlir::func::CallOp call, ShapeAnalysis &analysis) const;
  /// Records what is known of a call's operands. `certain`: each run of the
  /// enclosing function reaches the call.
  void record(mlir::func::CallOp call, ShapeAnalysis &analysis, bool certain);
  /// Whether the function is certain to be called: it is public, or a recorded
  /// call of it is certain. Only in such a function is a refuted constraint an
  /// error. ext-2
  bool isCertain(mlir::func::FuncOp func) const {
    return func.isPublic() || called.contains(func);
  }
  /// Adds as facts what all calls have in common, once all of them are
  /// recorded.
  void enter(mlir::func::FuncOp func, ShapeAnalysis &analysis) const;

private:
  using Extents = std::vector<std::optional<Number>>;
  /// The extents of each result; nothing if its rank is not known.
  using Summary = std::vector<std::optional<Extents>>;

  /// What is known of one axis of an argument: a number, or which other axes
  /// have the same extent, and the bounds.
  struct Axis {
    unsigned group = 0;
    ExtentRange range;
  };
  struct Context {
    /// Whether all callers are known. Functions that others may call have no
    /// context.
    bool isClosed = false;
    unsigned numUses = 0;
    unsigned numRecorded = 0;
    std::vector<Axis> axes;
  };

  void summarise(llvm::ArrayRef<mlir::func::FuncOp> cycle, bool isCycle);
  Summary simulate(mlir::func::FuncOp func);
  std::optional<Number> getArgument(const ShapeAnalysis &analysis,
                                    mlir::func::FuncOp func, SymbolId symbol);
  SymbolId getSymbol(unsigned argument, int64_t axis);
  /// Lists `functions` and gives the calls of them, both in the order of the
  /// text.
  llvm::SmallVector<mlir::func::CallOp>
  countUses(llvm::SmallVectorImpl<mlir::func::FuncOp> &functions);

  mlir::ModuleOp module;
  const ShapeLibrary *library;
  bool believes;
  mlir::SymbolTableCollection tables;
  std::vector<mlir::func::FuncOp> order;
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> callees;
  llvm::DenseMap<mlir::Operation *, Context> contexts;
  /// The functions that are certain to be called.
  llvm::DenseSet<mlir::Operation *> called;

  // One table for all summaries; its symbols are arguments' extents.
  Symbols symbols;
  Numbers numbers{symbols};
  std::map<std::pair<unsigned, int64_t>, SymbolId> arguments;
  /// The argument and axis of each symbol.
  std::vector<std::pair<unsigned, int64_t>> axes;
  llvm::DenseMap<mlir::Operation *, Summary> summaries;
  /// Functions whose summary is being made for the first time.
  llvm::DenseSet<mlir::Operation *> open;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_CALLSUMMARIES_H
