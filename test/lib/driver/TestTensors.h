//===- TestTensors.h - tensors that tests hand in and take ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_DRIVER_TESTTENSORS_H
#define BROADLOOM_TEST_LIB_DRIVER_TESTTENSORS_H

#include "driver/Compiler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace broadloom {

/// A float tensor of the test's own.
struct Floats {
  Floats(std::vector<int64_t> extents, std::vector<float> values)
      : values(std::move(values)) {
    broadloomTensorBorrow(BROADLOOM_F32, int32_t(extents.size()),
                          extents.data(), nullptr, this->values.data(),
                          &tensor);
  }
  std::vector<float> values;
  BroadloomTensor tensor;
};

/// The values of result `index`, which is released.
inline std::vector<float> take(Invocation &call, size_t index) {
  BroadloomTensor result;
  EXPECT_EQ(call.takeResult(index, &result), BROADLOOM_OK);
  auto *data = static_cast<float *>(result.data);
  std::vector<float> values(data, data + broadloomTensorCount(&result));
  broadloomTensorRelease(&result);
  return values;
}

/// How often this program has called `new` (ShapeQueryTest.cpp).
extern std::atomic<size_t> allocations;

} // namespace broadloom

#endif // BROADLOOM_TEST_LIB_DRIVER_TESTTENSORS_H
