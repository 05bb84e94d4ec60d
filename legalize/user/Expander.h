//===- Expander.h - users' operations by their references -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_USER_EXPANDER_H
#define BROADLOOM_LEGALIZE_USER_EXPANDER_H

#include "dialect/LoomDialect.h"
#include "infer/constraints/Refiner.h"
#include "legalize/user/References.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::legalize {

/// Whether legalization makes a map of `op`, or a loop over elements.
bool becomesAnother(mlir::Operation *op);

/// Expands the operations of one function, in program order.
class Expander {
public:
  /// The limit of operations that the expansions of a program create:
  /// references that use others twice double at each level (abi-3).
  static constexpr uint64_t maxOperations = 1 << 20;

  /// `budget` is how many operations may still be created.
  Expander(const infer::ShapeLibrary &library, const References &references,
           uint64_t &budget, infer::GuardReport *report, bool standIns)
      : analysis(&library), refiner(analysis, report), references(references),
        budget(budget), standIns(standIns) {}

  /// Expands the operations of a region that is `depth` references deep.
  mlir::LogicalResult visit(mlir::Region &region, unsigned depth);
  /// Erases leftovers of the expansions, and reports values of users' types
  /// without a representation.
  mlir::LogicalResult finish(mlir::func::FuncOp function);

private:
  mlir::LogicalResult visit(mlir::Operation *op, unsigned depth);
  mlir::LogicalResult expand(mlir::Operation *op, Reference reference,
                             unsigned depth);
  mlir::LogicalResult mapOperands(mlir::OpBuilder &builder, mlir::Operation *op,
                                  Reference reference,
                                  mlir::IRMapping &mapping);
  mlir::LogicalResult mapAttributes(mlir::OpBuilder &builder,
                                    mlir::Operation *op, Reference reference,
                                    mlir::IRMapping &mapping);
  mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
  cloneBody(mlir::OpBuilder &builder, mlir::Operation *op, Reference reference,
            mlir::IRMapping &mapping);
  mlir::FailureOr<loom::MapOp>
  buildMap(mlir::OpBuilder &builder, mlir::Operation *op, Reference reference);
  mlir::Value castResult(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::Value value, mlir::Type type);

  infer::ShapeAnalysis analysis;
  infer::Refiner refiner;
  const References &references;
  /// The text from which the visited operations were copied; null outside
  /// expansions.
  mlir::ModuleOp text;
  uint64_t &budget;
  bool standIns;
  /// Casts, in the order of their creation.
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_USER_EXPANDER_H
