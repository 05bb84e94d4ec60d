//===- RescaleBody.h - the arithmetic of a rescale --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_RESCALEBODY_H
#define BROADLOOM_SCALAR_RESCALEBODY_H

#include "mlir/IR/Builders.h"

namespace broadloom::scalar {

/// Computes in i64, into which the products of an i48 and 16 bits, and of an
/// i32 and 32 bits, fit.
class RescaleBody {
public:
  RescaleBody(mlir::OpBuilder &b, mlir::Location loc, bool roundsTwice)
      : b(b), loc(loc), roundsTwice(roundsTwice) {}

  /// An element or a zero point as i64.
  mlir::Value widen(mlir::Value value, bool isUnsigned);
  /// What is known of the shifts: both bounds are included.
  struct Shifts {
    int64_t least = INT64_MIN, most = INT64_MAX;
  };
  /// (value * multiplier + (1 << (shift - 1))) >> shift; all are i64. Shifts
  /// are clamped to [2, 62] (el-12).
  mlir::Value scale(mlir::Value value, mlir::Value multiplier,
                    mlir::Value shift, Shifts known);
  /// Saturates the value to `type`.
  mlir::Value narrow(mlir::Value value, mlir::Type type, bool isUnsigned);
  /// Adds a zero point to a scaled value, which in TOSA fits i32, and saturates
  /// it to `type`, of at most 32 bits. The zero point of an i32 is 0. This is
  /// computed in i32, of which vectors have twice as many as of i64.
  mlir::Value addZero(mlir::Value scaled, int64_t zeroPoint, mlir::Type type);
  mlir::Value constant(int64_t value);

private:
  /// The addend of the first of two roundings, if the shift is greater than 31.
  mlir::Value roundAgain(mlir::Value value, mlir::Value shift, Shifts known);

  mlir::OpBuilder &b;
  mlir::Location loc;
  bool roundsTwice;
};

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_RESCALEBODY_H
