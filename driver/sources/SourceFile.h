//===- SourceFile.h - files that are read or mapped -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// Files whose bytes a compilation reads again and again, so that these have to
// stay the same. They are either read into memory, or mapped and compared with
// what they were.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_SOURCEFILE_H
#define BROADLOOM_DRIVER_SOURCES_SOURCEFILE_H

#include "driver/StampedFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace broadloom {

/// A file that is open for reading.
class SourceFile {
public:
  static llvm::Expected<SourceFile> open(llvm::StringRef path);
  ~SourceFile();
  SourceFile(SourceFile &&other) noexcept;
  SourceFile &operator=(SourceFile &&) = delete;

  /// The file as it was when it was opened.
  const StampedFile &getStamped() const { return stamped; }

  /// The contents, called `name`, in memory that nobody else has, with a zero
  /// behind them. Fails if the file has changed since it was opened.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef name) const;

  /// The contents as the file has them from now on.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> map() const;

private:
  SourceFile(llvm::StringRef path, llvm::sys::fs::file_t file)
      : stamped{path.str(), {}}, file(file) {}

  StampedFile stamped;
  llvm::sys::fs::file_t file;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_SOURCEFILE_H
