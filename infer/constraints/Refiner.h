//===- Refiner.h - what shape functions say of operations -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies shape functions to operations: a refuted requirement is an error at
// the operation, an unknown one becomes a constraint before it, and types are
// refined to what is inferred. The caller walks over the program and chooses
// the order. The analysis has the facts that hold at each operation.
//
// Invariant: a type is refined, and an inferred shape used, only if all its
// requirements are proved or recorded as constraints (bcast-6).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_REFINER_H
#define BROADLOOM_INFER_CONSTRAINTS_REFINER_H

#include "infer/analysis/RefineTypes.h"
#include "infer/report/GuardReport.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

class NumberEmitter;

class Refiner {
public:
  /// What refine may do to an operation.
  struct Effects {
    /// Whether unknown requirements are recorded as `loom.constrain`.
    bool constraints = true;
    /// Whether operands and result types are changed.
    bool types = true;
    /// Whether facts are taken back at the end of a block or region, as by
    /// ShapeWalk. If so, the operation's constraints are facts even in nested
    /// code (rt-8), and operands get casts to what facts say.
    bool isWalk = true;
    /// Whether a refuted requirement is an error; else nothing is learned from
    /// the operation.
    bool errors = true;
    /// Whether the function is certain to be called, and each call reaches the
    /// operation. Otherwise a refuted requirement becomes a constraint that
    /// never holds.
    bool certain = false;
  };

  /// The library is that of `analysis`. With `report`, each constraint of an
  /// operation whose constraints are recorded becomes a row.
  explicit Refiner(ShapeAnalysis &analysis, GuardReport *report = nullptr)
      : analysis(analysis), numbers(analysis.getNumbers()), types(analysis),
        guardReport(report) {
    if (report)
      analysis.setNamesResults();
  }

  /// With a report, gives symbols to the arguments first, so that they have the
  /// first names.
  void nameArguments(mlir::FunctionOpInterface func);

  /// Fails, with an error, if a requirement is refuted; for an operation that
  /// need not run, a refuted requirement becomes a constraint (ext-2). Does
  /// nothing if the library has no function for `op`.
  llvm::LogicalResult refine(mlir::Operation *op, Effects effects);

  /// Applies the function that a text adds for an operation that has its own
  /// rules. Its requirements become constraints before the operation, and the
  /// shapes that it gives become constraints after it, so that no result is
  /// trusted unchecked. lib-2
  llvm::LogicalResult refineAddition(mlir::Operation *op, Effects effects);

  /// Refines a map, which has no shape function: its results get their known
  /// types, and its operands their ranks.
  void refineMap(loom::MapOp map);
  /// Makes `op` read the value with the better type.
  void refineShapeOf(loom::ShapeOfOp op) { types.bypassCasts(op); }

  /// Constrains `to`, which will replace the results of `op`, to the shapes
  /// that its shape function gives. Bounds of extents that depend on data are
  /// checked too (sf-7). If such a constraint is not a condition on extents,
  /// the shape function is evaluated again at run time. Fails, with an error,
  /// if the shapes contradict each other.
  llvm::LogicalResult constrainResults(mlir::Operation *op,
                                       mlir::ValueRange to);

  /// Replaces an operation without implementation by tensors of the shapes that
  /// its shape function gives; their elements have no meaning. Only for
  /// questions about shapes. An extent that depends on data is read from data.
  /// False if a result is not a tensor or has no known rank.
  bool replaceByShapes(mlir::Operation *op);

  unsigned numRefined = 0, numConstraints = 0, numOpen = 0;

private:
  bool areSame(const Number &a, const Number &b, unsigned depth = 4);
  void requireWords(mlir::Operation *op, Outcome &outcome);
  using DataExtents = llvm::DenseMap<SymbolId, DataExtent>;

  std::vector<size_t> report(mlir::Operation *op, const Outcome &outcome,
                             Effects effects);
  llvm::LogicalResult constrainResult(mlir::Operation *op, unsigned index,
                                      mlir::Value to, bool &isOpen);
  /// False if the shape that a library claims for the result is not a condition
  /// on extents.
  bool constrainAddition(mlir::OpResult result, const Shape &claimed,
                         const DataExtents &data, bool isWalk);
  /// Emits an evaluation of the shape function of `op` at run time, which
  /// compares the inferred shapes with those of `results`.
  void compareWhenItRuns(mlir::Operation *op, bool isAddition,
                         mlir::ValueRange results);
  void addFunctionRow(mlir::Operation *op, llvm::StringRef constraint,
                      bool runs, llvm::StringRef reason);
  bool constrainAll(mlir::Operation *op, const Outcome &outcome,
                    Effects effects, llvm::ArrayRef<size_t> rows, size_t numOwn,
                    bool isAddition = false);
  void setResults(mlir::Operation *op, const Outcome &outcome,
                  bool refinesTypes);
  mlir::Value emitDataExtent(mlir::OpBuilder &builder, mlir::Location loc,
                             Extent extent, NumberEmitter &emitter);

  ShapeAnalysis &analysis;
  Numbers &numbers;
  TypeRefiner types;
  GuardReport *guardReport;
  /// The bounds of symbols for extents that depend on data.
  DataExtents dataExtents;
};

/// Whether every call of the enclosing function runs `op`.
bool alwaysRuns(mlir::Operation *op);
/// Whether the enclosing function is public and every call of it runs `op`. In
/// a private function an operation is certain to run only if a call is.
bool isCertain(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_REFINER_H
