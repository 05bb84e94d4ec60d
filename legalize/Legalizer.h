//===- Legalizer.h - checked element-wise operations, one by one ---*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversion at the end of legalization (decision 70), the same for every
// strategy: walks a checked module, producers before users, records the
// constraints of each operation, decides the result type of each element-wise
// one, and replaces it as the strategy requires.
//
// Invariant: one pass over the program, linear in its size, nothing recursive
// over chains of values; nothing is folded.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_LEGALIZER_H
#define BROADLOOM_LEGALIZE_LEGALIZER_H

#include "infer/constraints/ShapeValues.h"
#include "infer/report/GuardReport.h"
#include "legalize/Elementwise.h"
#include "legalize/LegalizationPass.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::legalize {

struct LegalizeOptions {
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  /// Whether to record constraints. Constraints on extents of operations that
  /// are not element-wise are left to shape functions.
  bool constraints = true;
  /// With a report, constraints that types prove or refute are recorded too,
  /// and shape errors do not end legalization.
  infer::GuardReport *report = nullptr;
  /// Whether operations read the refined types of their operands instead of the
  /// declared ones.
  bool refine = true;
};

class Legalizer {
public:
  /// Emits the replacement of an operation, of the inferred, declared or merged
  /// type. Fails after an error.
  using Convert = llvm::function_ref<llvm::FailureOr<mlir::Value>(
      mlir::OpBuilder &, Elementwise &)>;

  Legalizer(mlir::ModuleOp module, const LegalizeOptions &options,
            Convert convert)
      : module(module), options(options),
        isRefused(options.report && options.report->isRefused),
        convert(convert), shapes(made) {}

  /// Converts the module for `pass`. Fails, with an error, if the passes that
  /// bring a program to the form that this needs are not all in `steps`.
  llvm::LogicalResult run(const mlir::Pass &pass, CachedSteps steps);

private:
  llvm::LogicalResult visit(mlir::Region &region);
  llvm::LogicalResult replace(BroadcastableOpInterface op);
  llvm::LogicalResult decideTypes(Elementwise &elementwise,
                                  Verification &verification);
  mlir::Value recordShapes(mlir::Operation *op,
                           llvm::ArrayRef<mlir::Value> operands,
                           mlir::Type declared,
                           const Verification &verification,
                           llvm::SmallVectorImpl<mlir::Value> &operandShapes);
  /// Records the constraints of a map in the input program, as for an operation
  /// of TOSA.
  llvm::LogicalResult guardMap(loom::MapOp map);
  /// `op` casts `source` to `type`: records the extents that `type` declares
  /// and the type of `source` leaves open (rt-4).
  void guardCast(mlir::Operation *op, mlir::Value source, mlir::Type type);
  void addScalars(mlir::OpBuilder &builder, Elementwise &elementwise);
  mlir::Value extractScalar(mlir::OpBuilder &builder, mlir::Operation *op,
                            unsigned index);
  void constrainOneElement(mlir::OpBuilder &builder, mlir::Operation *op,
                           unsigned index);
  void constrainScalars(mlir::OpBuilder &builder, Elementwise &elementwise);
  /// Records that `cast` casts `value` to a less precise type.
  void refine(mlir::Value cast, mlir::Value value);
  bool isRefusedHere(mlir::Operation *op) const;
  llvm::LogicalResult refuse();
  void eraseUnused();

  mlir::ModuleOp module;
  LegalizeOptions options;
  /// Whether an error was reported; the rest of the program is legalized only
  /// for a report.
  bool isRefused;
  Convert convert;
  /// Created operations that may turn out to be unused, in order.
  llvm::SmallVector<mlir::Operation *> made;
  infer::ShapeValues shapes;
  /// The source of each cast to a declared type.
  llvm::DenseMap<mlir::Value, mlir::Value> refined;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_LEGALIZER_H
