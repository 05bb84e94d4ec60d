//===- ShapeFunctionOpInterface.h - functions in definitions ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ side of ShapeFunction.td: through it ShapeLibrary::loadAttached finds
// the shape functions that the definitions of operations hold or name.
//
// Invariant: the text belongs to the operation's class, not to an operation, so
// that it can be read before there is one (sf-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_SHAPEFUNCTIONOPINTERFACE_H
#define BROADLOOM_DIALECT_SHAPEFUNCTIONOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

#include "dialect/ShapeFunctionOpInterface.h.inc"

namespace broadloom::OpTrait {

/// Verifies nothing: the function that goes with it is in ShapeFunction.td.
template <typename ConcreteOp>
class HasShapeFunction
    : public mlir::OpTrait::TraitBase<ConcreteOp, HasShapeFunction> {};

} // namespace broadloom::OpTrait

#endif // BROADLOOM_DIALECT_SHAPEFUNCTIONOPINTERFACE_H
