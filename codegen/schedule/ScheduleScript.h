//===- ScheduleScript.h - a schedule as a module ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a schedule (sch-1) and runs its edits by MLIR's interpreter. A script
// is a list of edits without control flow, which is checked first, so that the
// interpreter ends and knows each operation.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_SCHEDULESCRIPT_H
#define BROADLOOM_CODEGEN_SCHEDULE_SCHEDULESCRIPT_H

#include "codegen/schedule/ScheduleTree.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace broadloom::codegen {

class ScheduleScript {
public:
  /// Reads a file. Says at its lines what is wrong with it.
  mlir::LogicalResult read(const std::string &path, mlir::MLIRContext *context);

  /// Another one with the same operations.
  ScheduleScript clone() const;
  /// The operations in their order.
  llvm::SmallVector<mlir::Operation *> getOperations() const;

  /// Runs the operations on the loops of `program`, which is in some state if
  /// one of them is refused.
  mlir::LogicalResult apply(mlir::ModuleOp program,
                            const StepListener::Notify &notify = nullptr) const;

private:
  /// That there are edits alone, ahead of MLIR's verifier, which speaks of
  /// what transform scripts have besides.
  mlir::LogicalResult checkOperations();
  mlir::LogicalResult check(mlir::Location place);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::transform::NamedSequenceOp main;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_SCHEDULESCRIPT_H
