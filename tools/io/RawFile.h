//===- RawFile.h - the bytes of a file as a tensor --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file in a format that only the program knows: it is read once, as bytes,
// and the program reads the shape from its header.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_RAWFILE_H
#define BROADLOOM_TOOLS_IO_RAWFILE_H

#include "tools/io/OwnedTensor.h"
#include "tools/io/Result.h"

#include <optional>
#include <string>

namespace broadloom::io {

/// A tensor of rank 1 with the bytes of the file, of the `expected` type, which
/// must be of one byte, or i8. Errors begin with the path.
Result<OwnedTensor>
readBytes(const std::string &path,
          std::optional<BroadloomElementType> expected = std::nullopt);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_RAWFILE_H
