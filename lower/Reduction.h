//===- Reduction.h - what TOSA's reductions compute -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction of TOSA as a reduction of scalars (red-1 to red-4). Invariant:
// what is matched is of ranked tensors, and of element types that reduce.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_REDUCTION_H
#define BROADLOOM_LOWER_REDUCTION_H

#include "dialect/LoomDialect.h"

#include <optional>

namespace broadloom::lower {

struct Reduction {
  /// ArgMax has no axis where it reduced one; the others have one of extent 1.
  enum class Kind { All, Any, ArgMax, Max, Min, Product, Sum };
  Kind kind;
  bool ignoresNaN = false;
  int64_t axis = 0;

  /// Whether reducing one axis and then another is one reduction of both.
  bool isSameAs(const Reduction &other) const {
    return kind == other.kind && ignoresNaN == other.ignoresNaN &&
           kind != Kind::ArgMax;
  }
};

/// What `op` reduces, if it is a reduction that rows can be reduced by.
std::optional<Reduction> matchReduction(mlir::Operation *op);

/// The type in which elements of type `element` are reduced: narrow floats in
/// f32 (red-3), i1 in a type of whole bytes, and for ArgMax the number that
/// prepareElement makes of an element and its index.
mlir::Type getReducedType(const Reduction &reduction, mlir::Type element);

/// The element of that type that changes nothing: red-2 of a sum, a product, a
/// logical reduction; of an extremum the farthest value, and where NaN is
/// ignored NaN, which is what a row of NaN alone then gives (el-5).
mlir::TypedAttr getNeutral(const Reduction &reduction, mlir::Type type);

/// Emits what is reduced of an element; `index` emits its index along the
/// axis as i64, and is called for ArgMax alone.
mlir::Value prepareElement(mlir::OpBuilder &builder, mlir::Location loc,
                           const Reduction &reduction, mlir::Value element,
                           llvm::function_ref<mlir::Value()> index);

/// Emits the combination of two prepared elements into one.
mlir::Value combineElements(mlir::OpBuilder &builder, mlir::Location loc,
                            const Reduction &reduction, mlir::Value x,
                            mlir::Value y);

/// Emits the element of the result, of what is reduced of elements of type
/// `element`.
mlir::Value finishElement(mlir::OpBuilder &builder, mlir::Location loc,
                          const Reduction &reduction, mlir::Value reduced,
                          mlir::Type element);

/// Emits the reduction of `value`, an element of a row, in the body of a
/// loom.fused_reduction, and returns the element of the result.
mlir::Value buildReduce(mlir::OpBuilder &builder, mlir::Location loc,
                        const Reduction &reduction, mlir::Value value);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_REDUCTION_H
