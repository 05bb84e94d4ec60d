//===- ForEachInputs.cpp - all that a function can be called with ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/ForEachInputs.h"

using namespace broadloom;
using namespace broadloom::guards;

/// Returns false where `visit` has said to stop.
static bool
forEachInputsFrom(const Case &it, const std::vector<Pattern> &arguments,
                  size_t i, Inputs &inputs,
                  const std::function<bool(const Inputs &)> &visit) {
  if (i == arguments.size())
    return visit(inputs);
  bool goesOn = true;
  auto withShape = [&](const Extents &shape) {
    if (!goesOn || !arguments[i].matches(shape))
      return;
    inputs.shapes[i] = shape;
    for (int64_t value : it.arguments[i].values) {
      inputs.values[i] = value;
      goesOn = goesOn && forEachInputsFrom(it, arguments, i + 1, inputs, visit);
    }
  };
  if (arguments[i].ranked) {
    forEachShape(arguments[i].extents.size(), withShape);
    return goesOn;
  }
  for (size_t rank = 0; rank <= kMostRank; ++rank)
    forEachShape(rank, withShape);
  return goesOn;
}

void broadloom::guards::forEachInputs(
    const Case &it, const std::vector<Pattern> &arguments,
    const std::function<bool(const Inputs &)> &visit) {
  Inputs inputs{std::vector<Extents>(arguments.size()),
                std::vector<int64_t>(arguments.size()), it.initialState};
  forEachInputsFrom(it, arguments, 0, inputs, visit);
}

double broadloom::guards::countInputs(const Case &it,
                                      const std::vector<Pattern> &arguments) {
  double count = 1;
  for (size_t i = 0; i < arguments.size(); ++i) {
    double shapes = 0;
    auto countShape = [&](const Extents &shape) {
      shapes += arguments[i].matches(shape);
    };
    if (arguments[i].ranked)
      forEachShape(arguments[i].extents.size(), countShape);
    else
      for (size_t rank = 0; rank <= kMostRank; ++rank)
        forEachShape(rank, countShape);
    count *= shapes * double(it.arguments[i].values.size());
  }
  return count;
}
