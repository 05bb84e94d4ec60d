//===- Npy.h - tensors in NumPy's .npy files ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: the header of a file is not trusted: memory is allocated only once
// it is known that the file has the data, and a file with less or more data
// than its shape requires is an error.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_NPY_H
#define BROADLOOM_TOOLS_IO_NPY_H

#include "tools/io/OutputFile.h"
#include "tools/io/OwnedTensor.h"
#include "tools/io/Result.h"

#include <optional>
#include <string>

namespace broadloom::io {

/// Reads a .npy file (formats 1.0, 2.0, 3.0; either byte order; C or Fortran
/// order) into a row-major tensor. With `expected` the tensor has that element
/// type, or it is an error (see npyElementType in NpyHeader.h). Elements of i1
/// become 0 or 1. Errors begin with the path.
Result<OwnedTensor>
readNpy(const std::string &path,
        std::optional<BroadloomElementType> expected = std::nullopt);

/// The same for an open file, which stays open and of which `begin` has already
/// been read. Errors begin with `name`.
Result<OwnedTensor>
readNpy(int descriptor, const std::string &begin, const std::string &name,
        std::optional<BroadloomElementType> expected = std::nullopt);

/// Writes a tensor of any strides in format 1.0, C order; the caller commits
/// `file`.
Error writeNpy(OutputFile &file, const BroadloomTensor &tensor);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_NPY_H
