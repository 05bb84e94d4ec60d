//===- EvaluateQuery.h - result shapes of symbolic argument shapes -*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a shape query over extents that are numbers, symbols, or not
// known (ext-1): what a machine does with its code for numbers alone.
//
// Invariant: what is said of a result holds for every call with such arguments
// that succeeds; an error is one with which every such call fails.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H
#define BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H

#include "infer/numbers/Numbers.h"
#include "infer/queries/ShapeQuery.h"
#include "shape/Shape.h"

namespace broadloom::infer {

struct QueryExtent {
  /// Where certainty is Bound the extent is at most this.
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
  /// What a call would fail with, where the status is not BROADLOOM_OK.
  std::string message;
  /// Whether a call may fail all the same, since a loop is too long to be
  /// followed and not all of its guards are proved.
  bool isOpen = false;
  /// One for each result.
  std::vector<QueryShape> results;
};

/// `arguments` are shapes of the function's arguments, with symbols of the
/// table behind `numbers`, all of which have names; they are as many as it
/// has. What guards establish is recorded there. `query` is one that
/// makeShapeQueries made.
QueryShapes evaluateQuery(mlir::func::FuncOp query,
                          const std::vector<Shape> &arguments,
                          Numbers &numbers);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_EVALUATEQUERY_H
