//===- ShapeQuery.h - the shape query of a function -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape query computes the shapes of a function's results from the shapes of
// the arguments alone, and fails if the function would (abi-2). It takes one
// index for each extent that an argument's type leaves open and one
// `!loom.shape` for an argument whose rank it leaves open, and returns one
// index for each extent of a result, or its `!loom.shape`.
//
// Invariant: the attribute `loom.shape_query` of such a function is as
// writeShapeQuery makes it; readShapeQuery gives nothing for any other.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_SHAPEQUERY_H
#define BROADLOOM_INFER_QUERIES_SHAPEQUERY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace broadloom::infer {

/// What a shape query returns for one extent.
enum class Certainty : int32_t {
  Exact = 0,
  /// The extent depends on data and is at most the value.
  Bound = 1,
  /// The extent depends on data and has no bound; the value is -1.
  Unknown = 2,
};

struct ShapeQueryInfo {
  /// The name and type of the function that the query belongs to, and whether
  /// it can be called from outside the program.
  llvm::StringRef of;
  mlir::FunctionType type;
  bool isPublic = false;
  /// One for each extent of each result; none for a result whose rank is known
  /// at run time only.
  llvm::SmallVector<std::optional<llvm::SmallVector<Certainty>>> results;
  /// The arguments of the function that are numbers and that the query takes,
  /// in order, because its callers know them. A function may have several
  /// queries: one takes no numbers, the others are for callers.
  llvm::SmallVector<int32_t> takenNumbers;
  /// The results of the function that are numbers and that follow from the
  /// query's arguments, in order. The query returns them after all extents.
  llvm::SmallVector<int32_t> givenNumbers;
};

/// Whether a value of that type is a number that a shape query may take or
/// give.
bool isNumber(mlir::Type type);

void writeShapeQuery(mlir::func::FuncOp query, const ShapeQueryInfo &info);
std::optional<ShapeQueryInfo> readShapeQuery(mlir::func::FuncOp func);
/// The same, for a query that takes shapes alone.
std::optional<ShapeQueryInfo> readQueryOfShapes(mlir::func::FuncOp func);

/// The attribute of a function that has no shape query: why.
constexpr llvm::StringLiteral kNoShapeQuery = "loom.no_shape_query";

/// Makes the shape queries of all functions in `module` that can have one, and
/// sets kNoShapeQuery on the others. They call each other where the functions
/// do, and pass numbers that follow from shapes.
void makeShapeQueries(mlir::ModuleOp module);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_SHAPEQUERY_H
