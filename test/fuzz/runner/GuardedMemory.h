//===- GuardedMemory.h - memory that ends where it ends ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of an argument, between two pages without access: a read past its end
// (rt-3) crashes, with or without a sanitizer.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_RUNNER_GUARDEDMEMORY_H
#define BROADLOOM_TEST_FUZZ_RUNNER_GUARDEDMEMORY_H

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace broadloom::fuzz {

class GuardedMemory {
public:
  /// A copy of `bytes` that ends at the end of a page.
  explicit GuardedMemory(std::string_view bytes) : count(bytes.size()) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t inside = (bytes.size() + page - 1) / page * page;
    length = inside + 2 * page;
    begin = static_cast<char *>(
        mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (begin == MAP_FAILED ||
        (inside && mprotect(begin + page, inside, PROT_READ | PROT_WRITE)))
      std::abort();
    start = begin + page + inside - bytes.size();
    std::memcpy(start, bytes.data(), bytes.size());
  }
  GuardedMemory(GuardedMemory &&other)
      : begin(std::exchange(other.begin, nullptr)), start(other.start),
        length(other.length), count(other.count) {}
  GuardedMemory &operator=(GuardedMemory &&) = delete;
  ~GuardedMemory() {
    if (begin)
      munmap(begin, length);
  }

  char *data() const { return start; }
  std::string_view bytes() const { return {start, count}; }

private:
  char *begin;
  char *start;
  size_t length;
  size_t count;
};

} // namespace broadloom::fuzz

#endif // BROADLOOM_TEST_FUZZ_RUNNER_GUARDEDMEMORY_H
