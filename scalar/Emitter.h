//===- Emitter.h - emits straight-line scalar code --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short functions for writing scalar bodies, one per `arith` operation.
//
// Invariant: emitted operations have no fast-math flags, no overflow flags and
// no regions; constants are emitted once per Emitter.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_EMITTER_H
#define BROADLOOM_SCALAR_EMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::scalar {

class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// The value of an operation with one result.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }

  mlir::Type intType(unsigned width) { return builder.getIntegerType(width); }
  /// An integer type of that width, or a vector of it if `type` is a vector.
  mlir::Type intLike(mlir::Type type, unsigned width);
  mlir::Type f32() { return builder.getF32Type(); }
  mlir::Type f64() { return builder.getF64Type(); }

  mlir::Value constant(mlir::TypedAttr value);
  /// A constant of the integer type `type` with the low bits of `value`; a
  /// splat for a vector type.
  mlir::Value integer(mlir::Type type, int64_t value);
  mlir::Value integer(mlir::Type type, const llvm::APInt &value);
  /// The constant of the float type `type` that is nearest to `value`; a splat
  /// for a vector type.
  mlir::Value real(mlir::Type type, double value);
  /// The smallest or largest integer of a width, signed or not.
  mlir::Value minInteger(mlir::Type type, bool isUnsigned);
  mlir::Value maxInteger(mlir::Type type, bool isUnsigned);

  using V = mlir::Value;
  V add(V x, V y) { return make<mlir::arith::AddIOp>(x, y); }
  V sub(V x, V y) { return make<mlir::arith::SubIOp>(x, y); }
  V mul(V x, V y) { return make<mlir::arith::MulIOp>(x, y); }
  V bitAnd(V x, V y) { return make<mlir::arith::AndIOp>(x, y); }
  V bitOr(V x, V y) { return make<mlir::arith::OrIOp>(x, y); }
  V bitXor(V x, V y) { return make<mlir::arith::XOrIOp>(x, y); }
  /// Shifts; the amount must be in [0, width).
  V shiftLeft(V x, V y) { return make<mlir::arith::ShLIOp>(x, y); }
  V shiftRight(V x, V y, bool isUnsigned);
  V shiftLeft(V x, int64_t n) { return shiftLeft(x, integer(x.getType(), n)); }
  V shiftRight(V x, int64_t n, bool isUnsigned) {
    return shiftRight(x, integer(x.getType(), n), isUnsigned);
  }
  V compare(mlir::arith::CmpIPredicate predicate, V x, V y) {
    return make<mlir::arith::CmpIOp>(predicate, x, y);
  }
  V compare(mlir::arith::CmpFPredicate predicate, V x, V y) {
    return make<mlir::arith::CmpFOp>(predicate, x, y);
  }
  V select(V condition, V x, V y) {
    return make<mlir::arith::SelectOp>(condition, x, y);
  }
  V min(V x, V y, bool isUnsigned);
  V max(V x, V y, bool isUnsigned);
  /// Converts to an integer of another or the same width.
  V resize(V x, mlir::Type type, bool isUnsigned);
  V bitcast(V x, mlir::Type type);
  /// Whether a float is NaN.
  V isNaN(V x) { return compare(mlir::arith::CmpFPredicate::UNO, x, x); }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallDenseMap<mlir::Attribute, mlir::Value> constants;
};

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_EMITTER_H
