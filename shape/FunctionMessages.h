//===- FunctionMessages.h - why a shape function has no answer --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of shape functions that no author worded: templates for
// substitute() of shape/Message.h. The compiler's evaluator and the one of run
// time (shape/FunctionMachine.h) have the same errors.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_FUNCTIONMESSAGES_H
#define BROADLOOM_SHAPE_FUNCTIONMESSAGES_H

#include "shape/Message.h"

#include <initializer_list>

namespace broadloom {

#define BROADLOOM_NOT_COMPUTED "its shape cannot be computed: "

inline constexpr const char *kNumberTooLarge =
    "a number of its shape does not fit 63 bits";
inline constexpr const char *kDivisionBy =
    BROADLOOM_NOT_COMPUTED "division by {0}";
inline constexpr const char *kUnsignedDivisionWith =
    BROADLOOM_NOT_COMPUTED "unsigned division with a negative number, {0}";
inline constexpr const char *kShapesOfRanks =
    BROADLOOM_NOT_COMPUTED "shapes of ranks {0} and {1}";
inline constexpr const char *kAxisOfShape =
    BROADLOOM_NOT_COMPUTED "axis {0} of a shape of rank {1}";
/// Of `loom.dim`.
inline constexpr const char *kAxisOfOperand =
    "axis {0} does not exist: the operand has rank {1}";
inline constexpr const char *kAxisOfList =
    BROADLOOM_NOT_COMPUTED "axis {0} of a list";
inline constexpr const char *kElementOfList =
    BROADLOOM_NOT_COMPUTED "element {0} of {1}";
inline constexpr const char *kShapeSplitAt =
    BROADLOOM_NOT_COMPUTED "a shape of rank {0} split at axis {1}";
inline constexpr const char *kUnknownOperation =
    BROADLOOM_NOT_COMPUTED "operation {0} is not known";
/// Of `shape.meet`.
inline constexpr const char *kMustBeEqual = "{0} and {1} must be equal";

#undef BROADLOOM_NOT_COMPUTED

/// `{0}, {1} and {2}`, of `count` values.
std::string listSlots(size_t count);

/// `shapes {0}, {1} and {2} must be equal`, of `count` shapes.
std::string describeUnequalShapes(size_t count);

/// substitute() with these values.
inline std::string substitute(std::string_view text,
                              std::initializer_list<int64_t> values) {
  return substitute(text, values.begin(), values.size());
}

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FUNCTIONMESSAGES_H
