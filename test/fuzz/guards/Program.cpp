//===- Program.cpp - which calls of a program are valid -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Program.h"

using namespace broadloom;
using namespace broadloom::guards;

/// Where the rules of the operation allow the call: whether its results are
/// what the program declares (rt-4).
Verdict Program::judge(const Inputs &inputs) const {
  Verdict verdict = it.judge(inputs);
  if (!verdict)
    return std::nullopt;
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].matches((*verdict)[i]))
      return std::nullopt;
  if (strategy != Strategy::Rfc)
    return verdict;
  // rfc-4: where both are open, R's unsigned maximum makes 1 of 0 and 1, unless
  // a type tells the result's extent.
  size_t rank = verdict->front().size();
  for (size_t axis = 0; axis < rank; ++axis) {
    bool none = false, one = false, told = false;
    for (size_t i = 0; i < inputs.shapes.size(); ++i) {
      size_t missing = rank - inputs.shapes[i].size();
      if (axis < missing)
        continue;
      int64_t declared = arguments[i].extents[axis - missing];
      told |= declared != kAny && declared != 1;
      if (declared != kAny)
        continue;
      none |= inputs.shapes[i][axis - missing] == 0;
      one |= inputs.shapes[i][axis - missing] == 1;
    }
    if (none && one && !told)
      return std::nullopt;
  }
  return verdict;
}
