//===- Ask.h - result shapes of symbolic argument shapes --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a shape companion over extents that are numbers, symbols, or not
// known (ext-1): what a machine does with its code for numbers alone.
//
// Invariant: what is said of a result holds for every call with such arguments
// that succeeds; an error is one with which every such call fails.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_ASK_H
#define BROADLOOM_INFER_QUERIES_ASK_H

#include "infer/numbers/Numbers.h"
#include "infer/queries/Companion.h"
#include "shape/Shape.h"

namespace broadloom::infer {

struct AskedExtent {
  /// Where certainty is Bound the extent is at most this.
  Number number;
  Certainty certainty = Certainty::Unknown;
};

struct AskedShape {
  bool isRanked = true;
  std::vector<AskedExtent> extents;
};

struct AskedShapes {
  /// Of runtime/abi/Abi.h.
  int32_t status = 0;
  /// What a call would fail with, where the status is not BROADLOOM_OK.
  std::string message;
  /// One for each result.
  std::vector<AskedShape> results;
};

/// `arguments` are shapes of the function's arguments, with symbols of the
/// table behind `numbers`, all of which have names; they are as many as it
/// has. What guards establish is recorded there. `companion` is one that
/// makeCompanions made.
AskedShapes ask(mlir::func::FuncOp companion,
                const std::vector<Shape> &arguments, Numbers &numbers);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_ASK_H
