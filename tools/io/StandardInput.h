//===- StandardInput.h - a tensor from standard input -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_STANDARDINPUT_H
#define BROADLOOM_TOOLS_IO_STANDARDINPUT_H

#include "tools/io/OwnedTensor.h"
#include "tools/io/Result.h"

#include <functional>
#include <optional>
#include <string>

namespace broadloom::io {

/// Reads all of standard input: a .npy file if it begins as one, else a text,
/// from which `readText` makes a tensor. Blanks and line breaks at the ends of
/// a text are removed.
Result<OwnedTensor> readStandardInput(
    std::optional<BroadloomElementType> expected,
    const std::function<Result<OwnedTensor>(const std::string &)> &readText);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_STANDARDINPUT_H
