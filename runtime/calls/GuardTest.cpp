//===- GuardTest.cpp - guards and shapes at run time ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// Views that have a rank and extents only.
struct Shapes {
  explicit Shapes(const std::vector<Extents> &shapes) {
    for (const Extents &shape : shapes) {
      memory.emplace_back(3 + 2 * shape.size());
      std::copy(shape.begin(), shape.end(), memory.back().begin() + 3);
      views.push_back(
          BroadloomView{int64_t(shape.size()), memory.back().data()});
    }
  }
  std::vector<std::vector<int64_t>> memory;
  std::vector<BroadloomView> views;
};

const BroadloomGuardSite kSite = {"tosa.add", "model.mlir:12:8", 1, 0, ""};

TEST(Guards, bcast4_checkBroadcast) {
  CallContext call;
  Shapes fits({{4, 1}, {}, {3}, {1, 1, 1}});
  EXPECT_EQ(broadloomCheckBroadcast(&call, &kSite, 4, fits.views.data()),
            BROADLOOM_OK);
  EXPECT_EQ(call.failure().message, "");
  Shapes differs({{4, 3}, {4, 2}});
  EXPECT_EQ(broadloomCheckBroadcast(&call, &kSite, 2, differs.views.data()),
            BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.failure().axis, 1);
  EXPECT_EQ(call.failure().operation, "tosa.add");
  EXPECT_EQ(call.failure().location, "model.mlir:12:8");
  EXPECT_EQ(call.failure().message,
            "model.mlir:12:8: 'tosa.add': operands are not "
            "broadcast-compatible along axis 1: extents 3 and 2 (operand "
            "shapes 4x3 and 4x2)");
}

// What docs/guides/library-call.md requires of a test of a function.
TEST(Guards, anyOfManyNoneAndOne) {
  char flags[] = {0, 0, 0, 1, 0, 0};
  auto anyOf = [&](Extents extents, Extents strides, int64_t offset) {
    std::vector<int64_t> memory(3);
    memory[2] = offset;
    memory.insert(memory.end(), extents.begin(), extents.end());
    memory.insert(memory.end(), strides.begin(), strides.end());
    auto *descriptor = reinterpret_cast<BroadloomDescriptor *>(memory.data());
    descriptor->allocated = descriptor->aligned = flags;
    BroadloomView view{int64_t(extents.size()), descriptor};
    return broadloomAny(&view) != 0;
  };
  EXPECT_TRUE(anyOf({2, 3}, {3, 1}, 0));
  // The last column, then the middle one of the second row.
  EXPECT_FALSE(anyOf({2, 1}, {3, 1}, 2));
  EXPECT_FALSE(anyOf({1, 1}, {3, 1}, 4));
  // An extent of 0, a stride of 0, a tensor of rank 0.
  EXPECT_FALSE(anyOf({2, 0}, {3, 1}, 3));
  EXPECT_TRUE(anyOf({5, 2}, {0, 1}, 3));
  EXPECT_FALSE(anyOf({5, 2}, {0, 1}, 4));
  EXPECT_TRUE(anyOf({}, {}, 3));
  EXPECT_FALSE(anyOf({}, {}, 0));
}

TEST(Guards, rt2_ownersOfShapes) {
  Shapes shapes({{2}, {4, 3}, {4, 2}});
  // Whose an operand is need not be known, nor how many there are.
  for (auto [owners, origins] :
       {std::pair("argument 0\nargument 1\n", "; extent 2 is axis 0 of "
                                              "argument 0, extent 3 is axis 1 "
                                              "of argument 1"),
        std::pair("\nargument 1", "; extent 3 is axis 1 of argument 1"),
        std::pair("argument 0", "; extent 2 is axis 0 of argument 0"),
        std::pair("", "")}) {
    CallContext call;
    const BroadloomGuardSite site = {"tosa.select", "", -1, 0, owners};
    EXPECT_EQ(broadloomCheckBroadcast(&call, &site, 3, shapes.views.data()),
              BROADLOOM_GUARD_FAILED);
    EXPECT_EQ(call.failure().message,
              "'tosa.select': operands are not broadcast-compatible along axis "
              "1: extents 2 and 3 (operand shapes 2 and 4x3 of operands 0 and "
              "1" +
                  std::string(origins) + ")");
  }
}

TEST(Guards, rt2_shapesInTheMessage) {
  CallContext call;
  Shapes shapes({{4, 3}, {}});
  const BroadloomGuardSite site = {"tosa.add", "", -1, 3,
                                   "rank {0} of {1} and {2}, {1}"};
  int64_t values[] = {2, reinterpret_cast<int64_t>(&shapes.views[0]),
                      reinterpret_cast<int64_t>(&shapes.views[1])};
  const char kinds[] = {BROADLOOM_VALUE_NUMBER, BROADLOOM_VALUE_SHAPE,
                        BROADLOOM_VALUE_SHAPE};
  EXPECT_EQ(broadloomFailShapes(&call, &site, values, kinds),
            BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.failure().message,
            "'tosa.add': rank 2 of 4x3 and scalar, 4x3");
  EXPECT_EQ(call.failure().values, (std::vector<int64_t>{2, 2, 0}));
}

TEST(Guards, ext3_zeroMeetsOneOnly) {
  CallContext call;
  Shapes fits({{0, 3}, {1, 3}});
  EXPECT_EQ(broadloomCheckBroadcast(&call, &kSite, 2, fits.views.data()),
            BROADLOOM_OK);
  Shapes differs({{0, 3}, {2, 3}});
  EXPECT_EQ(broadloomCheckBroadcast(&call, &kSite, 2, differs.views.data()),
            BROADLOOM_GUARD_FAILED);
}

TEST(Guards, rt2_valuesInTheMessage) {
  CallContext call;
  const BroadloomGuardSite site = {
      "tosa.mul", "", 2, 3, "shift {2} of {0} and {1} is not in [0, 63]"};
  int64_t values[] = {-1, 9223372036854775807, 64};
  EXPECT_EQ(broadloomFail(&call, &site, values), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.failure().values.size(), 3u);
  EXPECT_EQ(call.failure().message,
            "'tosa.mul': shift 64 of -1 and 9223372036854775807 is not in "
            "[0, 63]");
  // The first failure of a call is the one that is told.
  EXPECT_EQ(broadloomFail(&call, &kSite, nullptr), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.failure().operation, "tosa.mul");
}

TEST(Guards, bcast4_broadcastShape) {
  CallContext call;
  Shapes shapes({{4, 1}, {}, {3}, {1, 1, 1}});
  BroadloomView result;
  ASSERT_EQ(broadloomBroadcastShape(&call, 4, shapes.views.data(), &result),
            BROADLOOM_OK);
  ASSERT_EQ(result.rank, 3);
  auto *descriptor = static_cast<BroadloomDescriptor *>(result.descriptor);
  EXPECT_EQ(Extents(descriptor->dims, descriptor->dims + 3),
            (Extents{1, 4, 3}));
  Shapes none({});
  ASSERT_EQ(broadloomBroadcastShape(&call, 0, none.views.data(), &result),
            BROADLOOM_OK);
  EXPECT_EQ(result.rank, 0);
  Shapes differs({{4, 3}, {4, 2}});
  EXPECT_EQ(broadloomBroadcastShape(&call, 2, differs.views.data(), &result),
            BROADLOOM_OK);
  EXPECT_EQ(result.rank, 2);
}

} // namespace
