//===- Refiner.h - what shape functions say of operations -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies shape functions to operations: what is refuted is an error at the
// operation, what is unknown a constraint before it, and types become what is
// inferred. The caller walks over the program and chooses the order. The
// analysis has the facts that hold at each operation.
//
// Invariant: a type is refined, and an inferred shape believed, only where all
// that it rests on is proved or has been recorded as a constraint (bcast-6).
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
  /// What may become of an operation.
  struct Effects {
    /// Whether what is unknown is recorded as `loom.constrain`.
    bool constraints = true;
    /// Whether operands and result types are changed.
    bool types = true;
    /// Whether what is learned of an operation is taken back behind its block
    /// or region, as by ShapeWalk. Then its constraints are facts wherever it
    /// stands (rt-8), and operands get casts to what facts say.
    bool isWalk = true;
    /// Whether what is refuted is an error; else nothing is learned of it.
    bool errors = true;
    /// Whether the function is called, and each call gets to the operation.
    /// Otherwise what is refuted becomes a constraint that never holds.
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

  /// Where there is a report, gives symbols to the arguments before all others,
  /// so that they have the first names.
  void nameArguments(mlir::FunctionOpInterface func);

  /// Failure where something is refuted, which has been reported; of an
  /// operation that need not run, it is a constraint (ext-2). Nothing happens
  /// where the library has no function for `op`.
  llvm::LogicalResult refine(mlir::Operation *op, Effects effects);

  /// What a text adds for an operation that has its own rules: what it requires
  /// becomes constraints before the operation, and what it says of results
  /// constraints behind it, so that no result is trusted unchecked. lib-2
  llvm::LogicalResult refineAddition(mlir::Operation *op, Effects effects);

  /// The same as refine for a map, which has no function: its results get the
  /// types that are known of them, and its operands the ranks.
  void refineMap(loom::MapOp map);
  /// Lets a shape query read the value of the better type.
  void refineShapeOf(loom::ShapeOfOp op) { types.bypassCasts(op); }

  /// Records before `op` what its shape function says of its results and is not
  /// known of `to`, which are to take their place. What bounds an extent that
  /// data decides is checked as well (sf-7). Where no condition on extents says
  /// it, the shape function is evaluated once more when the program runs.
  /// Failure where they contradict each other, which has been reported.
  llvm::LogicalResult constrainResults(mlir::Operation *op,
                                       mlir::ValueRange to);

  /// Replaces an operation without implementation by tensors of the shapes that
  /// its shape function gives; their elements have no meaning. Only for
  /// questions about shapes. An extent that only running tells is read from
  /// data. False where a result is no tensor or has no known rank.
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
  /// False where no condition on extents says whether the result has the shape
  /// that a library claims.
  bool constrainAddition(mlir::OpResult result, const Shape &claimed,
                         const DataExtents &data, bool isWalk);
  /// Evaluates the shape function of `op` when the program runs, and compares
  /// the shapes of `results` with what it says.
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
  /// What bounds the symbols that stand for what data decides.
  DataExtents dataExtents;
};

/// Whether every call of its function runs `op`.
bool alwaysRuns(mlir::Operation *op);
/// Whether others may call the function that `op` stands in, and every call
/// runs it. What a private function does is certain only if its calls are.
bool isCertain(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_REFINER_H
