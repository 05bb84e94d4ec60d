//===- LentViewTest.cpp - copies of memory of any strides -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LentCalls.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <sys/mman.h>
#include <vector>

using namespace broadloom;

namespace {

/// The descriptor of a matrix of floats.
struct Matrix {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes[2], strides[2];
};

} // namespace

/// Any strides, among them those of elements that are between others.
TEST(LentMatrices, what_is_written_in_or_between_elements) {
  std::mt19937 random(11);
  auto pick = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  };
  static int64_t at;
  static const BroadloomLentArgument argument = {"argument 'x'", 0, 2, 4, 1};
  for (int i = 0; i < 2000; ++i) {
    // Some have gaps that are watched at their ends alone.
    int64_t far = i % 4 == 0 ? 300 : 1;
    std::vector<float> memory(16384, 1.0F), expected = memory;
    BroadloomBlock owner = {};
    Matrix x = {&owner,
                reinterpret_cast<char *>(memory.data()),
                8192,
                {pick(1, 4), pick(1, 4)},
                {pick(-6, 6) * far, pick(-6, 6)}};
    std::map<int64_t, std::string> elements;
    for (int64_t j = x.sizes[0] - 1; j >= 0; --j)
      for (int64_t k = x.sizes[1] - 1; k >= 0; --k)
        elements[j * x.strides[0] + k * x.strides[1]] =
            "[" + std::to_string(j) + ", " + std::to_string(k) + "]";
    int64_t first = elements.begin()->first, last = elements.rbegin()->first;
    at = pick(0, 1) ? std::next(elements.begin(),
                                pick(0, int64_t(elements.size()) - 1))
                              ->first +
                          pick(-1, 1)
                    : pick(first - 8, last + 8);
    Matrix given = x;
    std::string message = callOnCopies(
        [](void *block) {
          auto &it = *static_cast<Matrix *>(block);
          reinterpret_cast<float *>(it.aligned)[it.offset + at] = -1;
        },
        &given, &argument, 1);
    bool isElement = elements.count(at) != 0;
    // Far from all elements, it is not watched.
    auto next = elements.lower_bound(at);
    bool isFar = at > first && at < last && !isElement &&
                 next->first - at > 64 && at - std::prev(next)->first > 64;
    if (isElement)
      expected[size_t(8192 + at)] = -1;
    std::string where = at < first  ? "before the start of"
                        : at > last ? "behind the end of"
                                    : "between the elements of";
    EXPECT_EQ(message, isElement || isFar
                           ? ""
                           : "p.mlir:1:1: 'f': it wrote memory " + where +
                                 " argument 'x'" + kCopy);
    EXPECT_EQ(memory, expected);
    // A late write names the element.
    given = x;
    static float *copy;
    EXPECT_EQ(callOnCopies(
                  [](void *block) {
                    auto &it = *static_cast<Matrix *>(block);
                    copy = reinterpret_cast<float *>(it.aligned) + it.offset;
                  },
                  &given, &argument, 1),
              "");
    const auto &[place, name] =
        *std::next(elements.begin(), pick(0, int64_t(elements.size()) - 1));
    copy[place] = -2;
    given = x;
    EXPECT_EQ(callOnCopies([](void *) {}, &given, &argument, 1),
              "p.mlir:1:1: 'f': it wrote element " + name +
                  " of argument 'x' after it had returned" + kCopy);
  }
}

/// The columns of a matrix of 8 MB cost what their elements do.
TEST(LentMatrices, what_a_column_takes) {
  std::vector<float> memory(size_t(1) << 21);
  BroadloomBlock owner = {};
  static const BroadloomLentArgument argument = {"argument 'x'", 0, 1, 4, 1};
  for (int64_t column = 0; column < 100; ++column) {
    Vector x = {&owner, reinterpret_cast<char *>(memory.data()), column, 2048,
                1024};
    EXPECT_EQ(callOnCopies(
                  [](void *block) {
                    auto &it = *static_cast<Vector *>(block);
                    for (int64_t i = 0; i < it.size; ++i)
                      it.data()[i * it.stride] += float(i);
                  },
                  &x, &argument, 1),
              "");
  }
  for (int64_t i = 0; i < 2048; ++i)
    EXPECT_EQ(memory[size_t(i * 1024 + 99)], float(i));
}

/// A copy that is larger than all that is kept is there until the call ends.
TEST(LentMatrices, a_large_copy) {
  std::vector<float> memory(size_t(40) << 20);
  BroadloomBlock owner = {};
  static const BroadloomLentArgument argument = {"argument 'x'", 0, 1, 4, 1};
  static const BroadloomGuardSite site = {"f", "p.mlir:1:1", -1, 0, ""};
  static float *copy;
  CallContext call;
  Vector x = {&owner, reinterpret_cast<char *>(memory.data()), 0,
              int64_t(memory.size()), 1};
  ASSERT_EQ(
      broadloomCallLibraryOnCopies(
          &call, &site,
          [](void *block) { copy = static_cast<Vector *>(block)->data(); }, &x,
          &argument, 1),
      BROADLOOM_OK);
  copy[3] = 1;
  EXPECT_EQ(checkLentMemory(&call), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.failure().message,
            "p.mlir:1:1: 'f': it wrote element [3] of argument 'x' after it "
            "had returned" +
                kCopy);
#ifdef __linux__
  EXPECT_NE(msync(reinterpret_cast<char *>(copy) -
                      reinterpret_cast<uintptr_t>(copy) % 4096,
                  4096, MS_ASYNC),
            0);
#endif
}
