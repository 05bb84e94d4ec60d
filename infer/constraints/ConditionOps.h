//===- ConditionOps.h - the formula of broadcasting as IR -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic with which shape/Formula.h emits `arith` over indices.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_CONDITIONOPS_H
#define BROADLOOM_INFER_CONSTRAINTS_CONDITIONOPS_H

#include "infer/constraints/ExtentEmitter.h"
#include "shape/Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace broadloom::infer {

/// `Ops` of compatibleFormula: emits at `point`.
struct ConditionOps {
  ExtentEmitter &emitter;
  EmissionPoint point;
  mlir::Location loc;

  mlir::Value one() const { return emitter.getConstant(loc, 1); }
  mlir::Value equal(mlir::Value a, mlir::Value b) const {
    return emitter.create<mlir::arith::CmpIOp>(
        point, loc, mlir::arith::CmpIPredicate::eq, a, b);
  }
  mlir::Value either(mlir::Value p, mlir::Value q) const {
    return emitter.create<mlir::arith::OrIOp>(point, loc, p, q);
  }
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_CONDITIONOPS_H
