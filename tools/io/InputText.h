//===- InputText.h - the values of --input --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a .npy file ("a.npy", "@a.npy") or a typed text:
//
//   2x3xf32=1 2 3 4 5 6      as many values as elements
//   4x4xf32=0.5              one value fills
//   f32=2                    a scalar
//   0x3xf32=, 0x3xf32        no elements, no values
//   bytes:FILE               the bytes of any file, as they are
//   -                        standard input: a .npy file, or a typed text
//
// Values are separated by spaces, commas, semicolons and brackets; brackets
// only have to pair up. A text is a typed text exactly if what stands before
// the first "=" (or all of it, where there is none) is a type; everything else
// is a path, so that paths may contain "=". "@" before it makes it a path.
//
// Integers are decimal, in the range of the type (i8 to i64: signed), or
// patterns such as 0xff and 0b1010 of up to the type's bits; i1 is true, false,
// 0 or 1. Floating-point numbers are rounded to the type once, half to even;
// one beyond the type's largest number is an error.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_INPUTTEXT_H
#define BROADLOOM_TOOLS_IO_INPUTTEXT_H

#include "tools/io/OwnedTensor.h"
#include "tools/io/Result.h"

#include <optional>
#include <string>
#include <string_view>

namespace broadloom::io {

/// Reads the value of the `index`th --input. With `expected`, another element
/// type is an error; a text of uiN is accepted for iN. Errors begin with the
/// argument, by its `name` if it has one, and the text.
Result<OwnedTensor>
readInput(const std::string &text, int index,
          std::optional<BroadloomElementType> expected = std::nullopt,
          std::string_view name = {});

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_INPUTTEXT_H
