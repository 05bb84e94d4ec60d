//===- StampedFile.h - whether a file is as it was --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STAMPEDFILE_H
#define BROADLOOM_DRIVER_STAMPEDFILE_H

#include <cstdint>
#include <string>
#include <tuple>

namespace broadloom {

/// What differs where another file has a path, or a file has other contents.
struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  /// Of the last write, in nanoseconds since 1970; modulo 2^64 before.
  uint64_t time = 0;

  bool operator==(const FileStamp &other) const {
    return std::tie(device, inode, size, time) ==
           std::tie(other.device, other.inode, other.size, other.time);
  }
  bool operator!=(const FileStamp &other) const { return !(*this == other); }
};

/// A file as it was.
struct StampedFile {
  std::string path;
  FileStamp stamp;

  bool isUnchanged() const;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STAMPEDFILE_H
