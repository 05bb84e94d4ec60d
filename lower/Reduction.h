//===- Reduction.h - what TOSA's reductions compute -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction of TOSA as a reduction of scalars (red-1 to red-4). Invariant:
// matched operations have ranked tensors and supported element types.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_REDUCTION_H
#define BROADLOOM_LOWER_REDUCTION_H

#include "dialect/LoomDialect.h"

#include <optional>

namespace broadloom::lower {

struct Reduction {
  /// The result of ArgMax lacks the reduced axis; that of the others has an
  /// axis of extent 1.
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

/// The reduction of `op`, if fused reductions support it.
std::optional<Reduction> matchReduction(mlir::Operation *op);

/// The type in which elements of type `element` are reduced: narrow floats in
/// f32 (red-3), i1 in a type of whole bytes, and for ArgMax the key that
/// prepareElement makes of an element and its index.
mlir::Type getReducedType(const Reduction &reduction, mlir::Type element);

/// The neutral element of that type: as in red-2 for a sum, a product or a
/// logical reduction; the farthest value for an extremum, or NaN if NaN is
/// ignored, which is the result of a row of NaN alone (el-5).
mlir::TypedAttr getNeutral(const Reduction &reduction, mlir::Type type);

/// Emits the value that is reduced for an element; `index` emits its index
/// along the axis as i64, and is called for ArgMax alone.
mlir::Value prepareElement(mlir::OpBuilder &builder, mlir::Location loc,
                           const Reduction &reduction, mlir::Value element,
                           llvm::function_ref<mlir::Value()> index);

/// Emits the combination of two prepared elements into one.
mlir::Value combineElements(mlir::OpBuilder &builder, mlir::Location loc,
                            const Reduction &reduction, mlir::Value x,
                            mlir::Value y);

/// Emits the element of the result from the reduced value; the reduced elements
/// have type `element`.
mlir::Value finishElement(mlir::OpBuilder &builder, mlir::Location loc,
                          const Reduction &reduction, mlir::Value reduced,
                          mlir::Type element);

/// Emits the reduction of `value`, an element of a row, in the body of a
/// loom.fused_reduction, and returns the element of the result.
mlir::Value buildReduce(mlir::OpBuilder &builder, mlir::Location loc,
                        const Reduction &reduction, mlir::Value value);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_REDUCTION_H
