//===- OutputFile.h - a file that appears only when it is whole -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: until commit() succeeds, the file at the path stays unchanged:
// after any failure, even if the process is killed, the path has no partial
// output.
//
// Devices, FIFOs and files in a folder that takes no new ones are written in
// place, from the first write on: they cannot be replaced by a rename.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_OUTPUTFILE_H
#define BROADLOOM_TOOLS_IO_OUTPUTFILE_H

#include "tools/io/Result.h"

#include <cstddef>
#include <string>

namespace broadloom::io {

/// Open it before computing, so that a path that cannot be written is an error
/// at once. Then write, and commit when all outputs are written. Without a
/// commit there is no output.
class OutputFile {
public:
  /// Checks that `path` can be written, and creates a temporary file beside it.
  /// Symbolic links are followed, permissions of an existing file kept.
  static Result<OutputFile> open(const std::string &path);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&other) noexcept;
  /// Without a commit, leaves no file.
  ~OutputFile() { discard(); }

  /// Appends `size` bytes.
  Error write(const void *data, size_t size);

  /// Moves the contents to the path, replacing an existing file.
  Error commit();

  /// The path as it was given.
  const std::string &path() const { return name; }

private:
  explicit OutputFile(std::string name) : name(std::move(name)) {}
  Error openBeside();
  Error openInPlace();
  Error failed(const char *what) const;
  void discard();
  void moveFrom(OutputFile &other);

  /// The path as given, and its target.
  std::string name;
  std::string target;
  /// The temporary file beside the target; "" if the target is written in place
  /// or the file has no name yet.
  std::string temporary;
  int descriptor = -1;
  /// Whether the target itself is written.
  bool inPlace = false;
  bool started = false;
};

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_OUTPUTFILE_H
