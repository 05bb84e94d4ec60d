//===- MovedBounds.h - bounds in front of loops --------------- -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_MOVEDBOUNDS_H
#define BROADLOOM_CODEGEN_SCHEDULE_MOVEDBOUNDS_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

/// Computes bounds of loops in front of `outermost`, an operation around them,
/// where `b` inserts.
class MovedBounds {
public:
  MovedBounds(mlir::RewriterBase &b, mlir::Operation *outermost)
      : b(b), outermost(outermost) {}

  /// Null, with `missing` or `fixed`, where that is not possible.
  mlir::Value compute(mlir::Value value, unsigned depth = 0);

  mlir::IRMapping mapping;
  /// The variable of which a bound is computed before it is known.
  mlir::BlockArgument missing;
  /// What cannot run in another place.
  mlir::Operation *fixed = nullptr;

private:
  mlir::RewriterBase &b;
  mlir::Operation *outermost;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_MOVEDBOUNDS_H
