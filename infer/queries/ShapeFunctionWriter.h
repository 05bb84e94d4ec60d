//===- ShapeFunctionWriter.h - shape queries as shape functions -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a shape query as a shape function, which derives the shape function of
// an operation from its reference implementation (sf-5).
//
// Invariant: the function requires what the shape query's guards require,
// except for guards in loops that compute no extent, which run with the
// reference. It gives the shapes of the query, and `loom.data_extent` with the
// query's bound for extents that depend on data (sf-7).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_SHAPEFUNCTIONWRITER_H
#define BROADLOOM_INFER_QUERIES_SHAPEFUNCTIONWRITER_H

#include "infer/queries/ShapeQuery.h"

#include "mlir/Dialect/Shape/IR/Shape.h"

namespace broadloom::infer {

/// Appends a function `name` to `library` that computes what `query` does, for
/// an operation of `numOperands` operands. Returns the reason if the language
/// of shape functions cannot express it.
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
