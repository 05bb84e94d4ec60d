//===- PrintTensor.h - tensors as NumPy prints them -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is what Python's print() shows for the same NumPy array (NumPy 2.4,
// default options: 8 digits, 75 columns, more than 1000 elements abridged to
// three at either end of each axis). bf16 and f8, which NumPy does not have,
// are shown like f32, each value with the shortest digits of its own type.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_PRINTTENSOR_H
#define BROADLOOM_TOOLS_IO_PRINTTENSOR_H

#include "runtime/calls/Tensor.h"

#include <functional>
#include <string>
#include <string_view>

namespace broadloom::io {

/// A receiver of text, piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// Prints a tensor of any strides, without a line break at the end.
void printTensor(const BroadloomTensor &tensor, const TextSink &sink);

/// The same as a string.
std::string tensorToString(const BroadloomTensor &tensor);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_PRINTTENSOR_H
