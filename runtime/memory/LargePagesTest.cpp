//===- LargePagesTest.cpp - memory in large pages -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/LargePages.h"

#include "runtime/memory/Allocator.h"
#include "runtime/memory/SystemMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

using namespace broadloom;

namespace {

/// The bytes of address space that this process has.
int64_t mappedBytes() {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

TEST(LargePages, all_of_it_is_returned_whatever_its_size) {
  constexpr int64_t kMegabyte = int64_t(1) << 20;
  // The first calls may map memory of the C library.
  returnMemory(obtainMemory(4 * kMegabyte), 4 * kMegabyte);
  int64_t before = mappedBytes();
  for (int64_t extra = 0; extra < 2 * kMegabyte; extra += 10007)
    for (int64_t bytes :
         {2 * kMegabyte + extra, 4 * kMegabyte - 1 - extra, 9 * extra + 1}) {
      void *memory = obtainMemory(bytes);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(uintptr_t(memory) % uintptr_t(kMemoryAlignment), 0U);
      auto *data = static_cast<char *>(memory);
      data[0] = data[bytes - 1] = 1;
      returnMemory(memory, bytes);
    }
  EXPECT_LT(mappedBytes() - before, 4 * kMegabyte);
}

TEST(LargePages, what_the_system_refuses_is_null) {
  EXPECT_EQ(obtainMemory(int64_t(1) << 60), nullptr);
}

/// Memory that is not available yet, as where a container has read large files,
/// becomes so: the system gives up what it keeps of files.
TEST(LargePages, what_is_not_available_now_may_be_used) {
  int policy = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> policy;
  int64_t bytes =
      std::max(availableMemory() + (int64_t(1) << 20), int64_t(256) << 20);
  if (policy == 2 || bytes > totalMemory())
    GTEST_SKIP() << "the system would refuse it";
  void *memory = obtainMemory(bytes);
  ASSERT_NE(memory, nullptr);
  returnMemory(memory, bytes);
}

} // namespace
