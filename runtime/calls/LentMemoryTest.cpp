//===- LentMemoryTest.cpp - copies that libraries get ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LentCalls.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace broadloom;

namespace {

/// The block of arguments.
struct Block {
  int64_t number;
  Vector x, y;
};

class LentCopies : public testing::Test {
protected:
  LentCopies() : memory(16) {
    std::iota(memory.begin(), memory.end(), 0.0F);
    block.x = {&owner, data(), 0, 4, 1};
    block.y = {&owner, data(), 8, 4, 2};
  }

  char *data() { return reinterpret_cast<char *>(memory.data()); }

  /// Calls `library` with copies; returns the failure's message.
  std::string run(std::function<void(Block &)> library) {
    static std::function<void(Block &)> current;
    current = std::move(library);
    BroadloomLentArgument arguments[] = {
        {"argument 'x'", offsetof(Block, x), 1, 4, 1},
        {"argument 'y'", offsetof(Block, y), 1, 4, isYWritten},
    };
    Block given = block;
    return callOnCopies([](void *it) { current(*static_cast<Block *>(it)); },
                        &given, arguments, 2);
  }

  std::vector<float> memory;
  BroadloomBlock owner = {};
  Block block = {};
  bool isYWritten = true;
};

} // namespace

TEST_F(LentCopies, what_is_written_is_in_the_memory) {
  std::vector<float> expected = memory;
  EXPECT_EQ(run([&](Block &it) {
              EXPECT_NE(it.x.data(), memory.data());
              EXPECT_EQ(it.x.data()[3], 3);
              EXPECT_EQ(it.y.data()[6], 14);
              it.x.data()[3] = -1;
              it.y.data()[6] = -2;
            }),
            "");
  expected[3] = -1;
  expected[14] = -2;
  EXPECT_EQ(memory, expected);
}

TEST_F(LentCopies, memory_that_overlaps_is_one_copy) {
  block.y = {&owner, data(), 6, 4, -2};
  EXPECT_EQ(run([&](Block &it) {
              it.y.data()[-4] = -1;
              EXPECT_EQ(it.x.data()[2], -1);
            }),
            "");
  EXPECT_EQ(memory[2], -1);
}

TEST_F(LentCopies, memory_without_elements) {
  block.x.size = block.y.size = 0;
  EXPECT_EQ(run([](Block &) {}), "");
  EXPECT_EQ(run([](Block &it) { it.x.data()[0] = -1; }),
            "p.mlir:1:1: 'f': it wrote memory behind the end of argument 'x'; "
            "it was given a copy, so that the memory of the call does not have "
            "it");
}

TEST_F(LentCopies, what_is_not_an_element) {
  std::vector<float> before = memory;
  EXPECT_EQ(run([](Block &it) { it.x.data()[4] = -1; }),
            "p.mlir:1:1: 'f': it wrote memory behind the end of argument 'x'; "
            "it was given a copy, so that the memory of the call does not have "
            "it");
  EXPECT_EQ(run([](Block &it) { it.y.data()[3] = -1; }),
            "p.mlir:1:1: 'f': it wrote memory between the elements of argument "
            "'y'; it was given a copy, so that the memory of the call does not "
            "have it");
  EXPECT_EQ(memory, before);
}

TEST_F(LentCopies, what_is_not_declared_to_be_written) {
  isYWritten = false;
  EXPECT_EQ(run([](Block &it) { it.y.data()[2] = -1; }),
            "p.mlir:1:1: 'f': it wrote element [1] of argument 'y', which its "
            "effects do not declare" +
                kCopy);
  EXPECT_EQ(memory[10], 10);
  // Memory that overlaps with what is written is written.
  block.y = {&owner, data(), 2, 4, 2};
  EXPECT_EQ(run([](Block &it) { it.y.data()[0] = -1; }), "");
  EXPECT_EQ(memory[2], -1);
}

TEST_F(LentCopies, memory_before_the_start) {
  std::vector<float> before = memory;
  // More calls than copies are kept, each of which is freed in the end.
  for (int i = 0; i < 200; ++i)
    for (int64_t at : {-1, -2, -3, -4, -5, -900})
      ASSERT_EQ(run([&](Block &it) { it.x.data()[at] = 5; }),
                "p.mlir:1:1: 'f': it wrote memory before the start of argument "
                "'x'" +
                    kCopy);
  float *kept = nullptr;
  EXPECT_EQ(run([&](Block &it) { kept = it.x.data(); }), "");
  kept[-1] = 5;
  EXPECT_EQ(run([](Block &) {}),
            "p.mlir:1:1: 'f': it wrote memory before the start of argument 'x' "
            "after it had returned" +
                kCopy);
  EXPECT_EQ(memory, before);
}

TEST_F(LentCopies, the_argument_that_ends_last_is_named) {
  block.x = {&owner, data(), 0, 8, 1};
  block.y = {&owner, data(), 2, 2, 1};
  EXPECT_EQ(run([](Block &it) { it.x.data()[8] = 5; }),
            "p.mlir:1:1: 'f': it wrote memory behind the end of argument 'x'" +
                kCopy);
}

TEST_F(LentCopies, addresses_are_aligned_as_the_memory_is) {
  alignas(64) float aligned[64] = {};
  auto align = [](float *at) { return reinterpret_cast<uintptr_t>(at) % 64; };
  auto *begin = reinterpret_cast<char *>(aligned);
  for (int64_t x : {0, 1, 4, 8, 13, 16})
    for (int64_t y : {1, 4, 8, 16, 20}) {
      block.x = {&owner, begin, x, 20, 1};
      block.y = {&owner, begin, 20 + y, 20, -1};
      EXPECT_EQ(run([&](Block &it) {
                  for (auto [given, copy] :
                       {std::pair(aligned + x, it.x.data()),
                        std::pair(aligned + 20 + y, it.y.data())}) {
                    // At least as much, as far as vectors go.
                    uintptr_t own = align(given);
                    uintptr_t most = own == 0 ? 64 : own & (0 - own);
                    EXPECT_EQ(align(copy) % most, 0U);
                  }
                }),
                "");
    }
}

TEST_F(LentCopies, what_is_written_later) {
  float *kept = nullptr;
  EXPECT_EQ(run([&](Block &it) { kept = it.y.data(); }), "");
  kept[4] = -1;
  EXPECT_EQ(run([](Block &) {}),
            "p.mlir:1:1: 'f': it wrote element [2] of argument 'y' after it "
            "had returned; it was given a copy, so that the memory of the call "
            "does not have it");
  EXPECT_EQ(memory[12], 12);
  // It is told once.
  EXPECT_EQ(run([](Block &) {}), "");
}

#ifdef __GLIBC__
TEST_F(LentCopies, what_is_freed) {
  std::vector<float> before = memory;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(run([](Block &it) { std::free(it.x.data()); }),
              "p.mlir:1:1: 'f': it freed argument 'x', which is its caller's; "
              "it was given a copy, so that the memory of the call is as it "
              "was before");
  EXPECT_EQ(memory, before);
  float *kept = nullptr;
  EXPECT_EQ(run([&](Block &it) { kept = it.x.data(); }), "");
  std::free(kept);
  EXPECT_EQ(run([](Block &) {}),
            "p.mlir:1:1: 'f': it freed argument 'x' after it had returned, "
            "which is its caller's; it was given a copy");
  EXPECT_EQ(run([](Block &) {}), "");
}

TEST_F(LentCopies, other_memory_may_have_the_place_of_what_is_freed) {
  std::vector<float> before = memory;
  float *own = nullptr;
  EXPECT_EQ(run([&](Block &it) {
              std::free(it.x.data());
              own = static_cast<float *>(std::malloc((size_t(32) << 20) + 1));
              own[0] = own[1] = 42;
            }),
            "p.mlir:1:1: 'f': it freed argument 'x', which is its caller's; it "
            "was given a copy, so that the memory of the call is as it was "
            "before");
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(run([&](Block &) { own[1] += 1; }), "");
  EXPECT_EQ(own[1], 142);
  EXPECT_EQ(memory, before);
  std::free(own);
}

TEST_F(LentCopies, another_size_frees_it) {
  for (size_t megabytes : {1, 31, 40, 100}) {
    float *own = nullptr;
    EXPECT_NE(run([&](Block &it) {
                own = static_cast<float *>(
                    std::realloc(it.x.data(), megabytes << 20));
              }).find("it freed argument 'x'"),
              std::string::npos);
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(run([&](Block &) { own[1] += 1; }), "");
    std::free(own);
  }
}
#endif

TEST_F(LentCopies, many_calls_keep_few_copies) {
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(run([i](Block &it) { it.x.data()[0] = float(i); }), "");
  EXPECT_EQ(memory[0], 999);
}

TEST_F(LentCopies, any_two_vectors) {
  std::mt19937 random(7);
  auto pick = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  };
  auto positions = [](const Vector &v) {
    std::set<int64_t> found;
    for (int64_t i = 0; i < v.size; ++i)
      found.insert(v.offset + i * v.stride);
    return found;
  };
  for (int i = 0; i < 2000; ++i) {
    memory.assign(40, 1.0F);
    for (Vector *v : {&block.x, &block.y})
      *v = {&owner, data(), pick(15, 25), pick(1, 5), pick(-3, 3)};
    std::set<int64_t> x = positions(block.x), y = positions(block.y);
    int64_t first = *x.begin(), last = *x.rbegin();
    if (first <= *y.rbegin() && *y.begin() <= last) {
      x.insert(y.begin(), y.end());
      first = *x.begin();
      last = *x.rbegin();
    }
    int64_t at = pick(first, last);
    std::string message =
        run([&](Block &it) { it.x.data()[at - block.x.offset] = -1; });
    std::vector<float> expected(40, 1.0F);
    if (x.count(at) != 0) {
      expected[size_t(at)] = -1;
      EXPECT_EQ(message, "");
    } else {
      EXPECT_NE(message.find("it wrote memory between the elements of"),
                std::string::npos)
          << message;
    }
    EXPECT_EQ(memory, expected);
  }
}
