//===- Refiner.h - what shape functions say of a program --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the shape functions of a library to the operations of one function,
// in program order: what is refuted is an error at the operation, what is
// unknown an obligation before it, and result types become what is inferred.
//
// Invariant: a type is refined, and an inferred shape believed, only where all
// that it rests on is proved or has been recorded as an obligation (bcast-6).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_REFINER_H
#define BROADLOOM_INFER_FUNCTIONS_REFINER_H

#include "infer/GuardReport.h"
#include "infer/functions/Evaluate.h"
#include "infer/functions/NumberEmitter.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

class Refiner {
public:
  /// What may become of an operation.
  struct Effects {
    /// Whether what is unknown is recorded as `loom.oblige`.
    bool obligations = true;
    /// Whether operands and result types are changed.
    bool types = true;
    /// Whether what is refuted is an error; else nothing is learned of it.
    bool errors = true;
  };

  /// With `report`, each constraint of an operation whose obligations are
  /// recorded becomes a row.
  explicit Refiner(const ShapeLibrary &library, GuardReport *report = nullptr)
      : library(library), guardReport(report), numbers(symbols) {}

  /// Where there is a report, gives symbols to the arguments before all others,
  /// so that they have the first names.
  void nameArguments(mlir::FunctionOpInterface func);

  /// Failure where something is refuted, which has been reported; of an
  /// operation that need not run, it is an obligation (ext-2). Nothing happens
  /// where the library has no function for `op`.
  llvm::LogicalResult refine(mlir::Operation *op, Effects effects);

  /// Says that `result` has the shape that `operands` broadcast to, if these
  /// are known to have one shape.
  void setBroadcast(mlir::Value result, mlir::ValueRange operands);

  /// Records at `builder` what the shape function of `op` says of result
  /// `index` and is not known of `to`, which is to take its place. What bounds
  /// an extent that data decides is checked as well (sf-7). Failure where they
  /// contradict each other, which has been reported.
  llvm::LogicalResult obligeResult(mlir::OpBuilder &builder,
                                   mlir::Operation *op, unsigned index,
                                   mlir::Value to);

  /// Says that `to` takes the place of `from`, which is about to go.
  void replace(mlir::Value from, mlir::Value to);

  unsigned numRefined = 0, numObliged = 0, numOpen = 0;

private:
  const Shape &getShape(mlir::Value value);
  Request makeRequestFor(mlir::Operation *op);
  bool areSame(const Number &a, const Number &b, unsigned depth = 4);
  NumberEmitter makeEmitter(mlir::OpBuilder &builder, mlir::Location loc);
  void requireDeclared(mlir::Operation *op, Outcome &outcome);
  bool obligeAll(mlir::Operation *op, const Outcome &outcome, bool obligations,
                 llvm::ArrayRef<size_t> rows);
  void setResults(mlir::Operation *op, const Outcome &outcome, bool types);
  void refineType(mlir::OpResult result, ShapeView shape);

  const ShapeLibrary &library;
  GuardReport *guardReport;
  Symbols symbols;
  Numbers numbers;
  llvm::DenseMap<mlir::Value, Shape> shapes;
  llvm::DenseMap<mlir::Value, std::vector<Integer>> values;
  /// The value and axis that a symbol stands for.
  llvm::DenseMap<SymbolId, std::pair<mlir::Value, int64_t>> sources;
  /// What bounds the symbols that stand for what data decides.
  llvm::DenseMap<SymbolId, DataExtent> dataExtents;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_REFINER_H
