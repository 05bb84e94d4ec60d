//===- ScheduleTree.h - loops as a schedule tree ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of loops over memory as a schedule tree (sch-11): the iterations of
// each statement as a domain, loops as bands of one dimension, blocks as
// sequences of filters, and edited nests as marks.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_SCHEDULETREE_H
#define BROADLOOM_CODEGEN_SCHEDULE_SCHEDULETREE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace broadloom::codegen {

/// Prints the tree of a function whose statements have numbers, if it has
/// loops.
void printSchedule(mlir::func::FuncOp func, llvm::raw_ostream &os);

/// Who is told of each operation of a schedule behind it.
class StepListener : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepListener)
  /// With the function whose loops it has edited, or null.
  using Notify = std::function<void(mlir::Operation *, mlir::func::FuncOp)>;

  StepListener(mlir::transform::TransformState &state, Notify notify)
      : Extension(state), notify(std::move(notify)) {}

  const Notify notify;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_SCHEDULETREE_H
