//===- ShapeText.h - a shape as tests spell it ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the tests of this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_DRIVER_SHAPETEXT_H
#define BROADLOOM_TEST_LIB_DRIVER_SHAPETEXT_H

#include "driver/CApi.h"

#include <string>

namespace broadloom {

/// Such as `2x<=3`, where the second extent is a bound.
inline std::string toText(const BroadloomShape &shape) {
  std::string text;
  for (int32_t axis = 0; axis < shape.rank; ++axis)
    text += (axis ? "x" : "") +
            std::string(shape.inexact >> axis & 1 ? "<=" : "") +
            std::to_string(shape.extents[axis]);
  return text;
}

} // namespace broadloom

#endif // BROADLOOM_TEST_LIB_DRIVER_SHAPETEXT_H
