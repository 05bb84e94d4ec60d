//===- ShapeQueryArguments.h - result shapes of a program -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A question for the shapes of a function's results, or the error of a call,
// for argument shapes that are partly known: numbers, names, `?`. No machine
// code is made. Invocation::resultShapes is faster, and takes numbers alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SHAPEQUERYARGUMENTS_H
#define BROADLOOM_DRIVER_SHAPEQUERYARGUMENTS_H

#include "runtime/calls/Tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom {

struct ShapeQueryArguments {
  /// As for CompiledModule::function.
  std::string function;
  /// `4x?x3`, `BxTx64`, `*`, nothing for rank 0; with or without an element
  /// type, as in `4x?xf32`. Equal names are equal extents.
  std::vector<std::string> arguments;
};

/// One extent of a result.
struct ExtentAnswer {
  /// `4`; a name of the question's or the program's; `s0` where a result has
  /// the extent twice; `(2*B)`; `<=8` if the extent depends on data and is at
  /// most 8; `?` if no more is known.
  std::string text;
  /// The number, or the bound, if there is one.
  std::optional<int64_t> number;
  bool isBound = false;
};

struct ShapeQueryResult {
  struct Result {
    BroadloomElementType elementType = BROADLOOM_F32;
    bool isRanked = true;
    std::vector<ExtentAnswer> extents;
    /// `4x?x3`, `*` for a rank that is not known, nothing for rank 0. abi-4
    std::string text() const;
  };
  /// The status that a call would return (runtime/abi/Abi.h), and its message
  /// if that is an error.
  int32_t status = BROADLOOM_OK;
  std::string message;
  std::string function;
  std::vector<Result> results;
  /// Why the answer has only what the types declare; empty if it has more.
  std::string whyOnlyTypes;
  /// Why a call may fail although no guard fails here: a loop is too long to be
  /// evaluated. Empty if there is no such loop. Guards on data are not counted.
  std::string whyOpen;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SHAPEQUERYARGUMENTS_H
