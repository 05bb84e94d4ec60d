//===- ElementText.h - elements of an array as text -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: after see() was called for every shown element, text() returns
// texts of the same width, so that columns align.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_ELEMENTTEXT_H
#define BROADLOOM_TOOLS_IO_ELEMENTTEXT_H

#include "runtime/calls/Tensor.h"
#include "tools/io/Decimal.h"

#include <string>

namespace broadloom::io {

/// An element standing alone (rank 0), as NumPy prints its scalars.
std::string scalarText(BroadloomElementType type, const char *element);

/// The text of an array's elements. All elements have one notation (with an
/// exponent or not) and one width.
class ElementText {
public:
  explicit ElementText(BroadloomElementType type) : type(type) {}

  /// Includes the element at this address in the choice.
  void see(const char *element);
  /// The element at this address, after all have been seen.
  std::string text(const char *element) const;

private:
  /// Widths of the parts of floating-point numbers.
  struct Widths {
    size_t left = 0;
    size_t right = 0;
    size_t exponent = 0;
  };

  void seeFloat(double value);
  bool usesExponent() const;
  std::string floatText(double value) const;

  BroadloomElementType type;
  /// Width of integers.
  size_t width = 0;
  Widths positional, scientific;
  double smallest = 0, largest = 0; // magnitudes, zero and infinities left out
  bool anyNonZero = false, anyNan = false, anyInfinity = false,
       anyNegativeInfinity = false;
};

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_ELEMENTTEXT_H
