//===- ShapeQueryArguments.h - result shapes of a program -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What shapes a function's results have, or with what error it fails, for
// argument shapes that are known in part: numbers, names, `?`. Nothing is
// compiled for it. Invocation::resultShapes is for numbers, and for speed.
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
  /// the extent twice; `(2*B)`; `<=8`, where data decides and 8 is the most;
  /// `?` where no more is known.
  std::string text;
  /// Set where the extent is a number, or at most one.
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
  /// What a call would return (runtime/abi/Abi.h), and its message where that
  /// is an error.
  int32_t status = BROADLOOM_OK;
  std::string message;
  std::string function;
  std::vector<Result> results;
  /// Why no more is known than the types of the results; empty where more is.
  std::string whyOnlyTypes;
  /// Why a call may fail although no guard does here: a loop is too long to be
  /// followed. Empty where there is none. Guards that data decides are not
  /// told.
  std::string whyOpen;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SHAPEQUERYARGUMENTS_H
