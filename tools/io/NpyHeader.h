//===- NpyHeader.h - what a .npy file says of itself ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header of a .npy file is the text of a Python dictionary with the keys
// descr, fortran_order and shape. Only headers that NumPy writes for arrays of
// numbers are accepted; errors name any other part.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_NPYHEADER_H
#define BROADLOOM_TOOLS_IO_NPYHEADER_H

#include "runtime/calls/Tensor.h"
#include "tools/io/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom::io {

/// A NumPy type descriptor such as "<f4": byte order, kind, bytes.
struct NpyDescriptor {
  char order;
  char kind;
  int64_t bytes;
  /// The descriptor as the file spells it, for messages.
  std::string text;
};

struct NpyHeader {
  NpyDescriptor descriptor;
  bool fortranOrder;
  std::vector<int64_t> extents;
};

/// Reads the dictionary, without the magic and the length before it.
Result<NpyHeader> parseNpyHeader(std::string_view text);

/// The element type of a file's data. With `expected`, whether the data may be
/// taken as that type: a signless integer (i8 to i64) takes signed and unsigned
/// ones of its width; bf16, f8E4M3FN and f8E5M2, which NumPy has no descriptor
/// for, take the ones that other writers use. Without, NumPy's own types.
Result<BroadloomElementType>
npyElementType(const NpyDescriptor &descriptor,
               std::optional<BroadloomElementType> expected);

/// The beginning of a .npy file of a row-major array in format 1.0, magic
/// and padding included.
std::string formatNpyHeader(BroadloomElementType type,
                            const std::vector<int64_t> &extents);

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_NPYHEADER_H
