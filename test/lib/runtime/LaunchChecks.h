//===- LaunchChecks.h - a launch against a loop over all elements --*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_RUNTIME_LAUNCHCHECKS_H
#define BROADLOOM_TEST_LIB_RUNTIME_LAUNCHCHECKS_H

#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace broadloom::test {

using Buffers = std::vector<std::unique_ptr<Buffer>>;

inline std::vector<const BroadloomTensor *> tensorsOf(const Buffers &buffers) {
  std::vector<const BroadloomTensor *> tensors;
  for (const auto &buffer : buffers)
    tensors.push_back(buffer->tensor());
  return tensors;
}

/// Runs and compares all results; `call` has them declared.
inline void check(CallContext &call, TestProgram &program,
                  const Buffers &buffers) {
  std::vector<Extents> shapes;
  for (const auto &buffer : buffers)
    shapes.push_back(buffer->extents);
  Extents expected;
  bool fits = broadcastReference(shapes, expected);
  auto operands = tensorsOf(buffers);
  int32_t status = runProgram(call, program, operands);
  if (!fits) {
    ASSERT_EQ(status, BROADLOOM_GUARD_FAILED);
    ASSERT_NE(call.failure().message, "");
    return;
  }
  ASSERT_EQ(status, BROADLOOM_OK) << call.failure().message;
  for (int32_t i = 0; i < call.resultCount(); ++i) {
    BroadloomTensor result;
    ASSERT_EQ(call.takeResult(i, &result), BROADLOOM_OK);
    std::string difference = compare(result, program, i, operands, expected);
    broadloomTensorRelease(&result);
    ASSERT_EQ(difference, "")
        << program.describe() << " on "
        << formatExtents(expected.data(), int64_t(expected.size()));
  }
}

class Launch : public testing::Test {
protected:
  void SetUp() override { kernelMisuse = 0; }
  void TearDown() override { EXPECT_EQ(kernelMisuse, 0); }
};

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_RUNTIME_LAUNCHCHECKS_H
