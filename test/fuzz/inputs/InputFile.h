//===- InputFile.h - bytes as a file ----------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers of files take a path; a fuzzer has bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_INPUTS_INPUTFILE_H
#define BROADLOOM_TEST_FUZZ_INPUTS_INPUTFILE_H

#include <cstddef>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace broadloom {

/// A file in memory, with a path.
class InputFile {
public:
  InputFile() : descriptor(::memfd_create("input", 0)) {
    if (descriptor < 0)
      std::abort();
  }
  ~InputFile() { ::close(descriptor); }
  InputFile(const InputFile &) = delete;

  void write(const void *data, size_t size) {
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, data, size, 0) != ssize_t(size))
      std::abort();
  }
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};

} // namespace broadloom

#endif // BROADLOOM_TEST_FUZZ_INPUTS_INPUTFILE_H
