//===- EvaluateQuery.h - result shapes of symbolic argument shapes -*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a shape query over extents that are numbers, symbols, or not
// known (ext-1): compiled queries do the same for numbers alone.
//
// Invariant: the answer for a result holds for every successful call with such
// arguments; an error means that every such call fails.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H
#define BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H

#include "infer/numbers/Numbers.h"
#include "infer/queries/ShapeQuery.h"
#include "shape/Shape.h"

namespace broadloom::infer {

struct QueryExtent {
  /// If certainty is Bound, the extent is at most this.
  Number number;
  Certainty certainty = Certainty::Unknown;
};

struct QueryShape {
  bool isRanked = true;
  std::vector<QueryExtent> extents;
};

struct QueryShapes {
  /// Of runtime/abi/Abi.h.
  int32_t status = 0;
  /// The message of a failing call, if the status is not BROADLOOM_OK.
  std::string message;
  /// Whether a call may fail although the status is BROADLOOM_OK: a loop is too
  /// long to be evaluated and not all of its guards are proved.
  bool isOpen = false;
  /// One for each result.
  std::vector<QueryShape> results;
};

/// `arguments` are shapes of the function's arguments, with symbols of the
/// table of `numbers`, all of which have names; their number is that of the
/// function's arguments. Facts of guards are recorded in `numbers`. `query` is
/// one that makeShapeQueries made. `names` are the names of the first
/// arguments, for messages; an empty one is no name.
QueryShapes evaluateQuery(mlir::func::FuncOp query,
                          const std::vector<Shape> &arguments, Numbers &numbers,
                          llvm::ArrayRef<std::string> names = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H
