//===- ShapeFunctionWriter.h - shape queries as shape functions -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what a shape query computes as a shape function, so that the
// shape function of an operation follows from its reference implementation
// (sf-5).
//
// Invariant: the function requires what the shape query's guards do, but for
// those in loops that compute no extent, which run with the reference; it gives
// the shapes that the shape query does, and `loom.data_extent` with the
// shape query's bound where data decides (sf-7).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_SHAPEFUNCTIONWRITER_H
#define BROADLOOM_INFER_QUERIES_SHAPEFUNCTIONWRITER_H

#include "infer/queries/ShapeQuery.h"

#include "mlir/Dialect/Shape/IR/Shape.h"

namespace broadloom::infer {

/// Appends a function `name` to `library` that says what `query` computes
/// for an operation of `numOperands` operands. Gives why the language of shape
/// functions cannot say it, or nothing.
std::optional<std::string>
writeShapeFunction(mlir::func::FuncOp query, unsigned numOperands,
                   llvm::StringRef name,
                   mlir::shape::FunctionLibraryOp library);

/// The same for a function of one element, which broadcasts.
void writeElementwiseFunction(mlir::func::FuncOp function, unsigned numOperands,
                              llvm::StringRef name,
                              mlir::shape::FunctionLibraryOp library);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_SHAPEFUNCTIONWRITER_H
