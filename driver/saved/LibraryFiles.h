//===- LibraryFiles.h - shape libraries of saved programs -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SAVED_LIBRARYFILES_H
#define BROADLOOM_DRIVER_SAVED_LIBRARYFILES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace broadloom {

/// Texts of shape libraries as temporary files. They exist as long as this
/// object, because a library is read when a program first needs it.
class LibraryFiles {
public:
  LibraryFiles() = default;
  LibraryFiles(const LibraryFiles &) = delete;
  LibraryFiles &operator=(const LibraryFiles &) = delete;
  ~LibraryFiles();

  /// False where no file can be written.
  bool add(llvm::StringRef library);
  bool addAll(const std::vector<std::string> &libraries);

  const std::vector<std::string> &getPaths() const { return paths; }

private:
  std::vector<std::string> paths;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SAVED_LIBRARYFILES_H
