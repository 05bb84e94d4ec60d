//===- DLPackTest.cpp - tensors exchanged with other libraries ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/DLPack.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

TEST(DLPack, roundTripsOfAllTypes) {
  int64_t extents[] = {2, 3};
  for (int32_t type = BROADLOOM_I1; type <= BROADLOOM_F64; ++type) {
    BroadloomTensor tensor, back;
    ASSERT_EQ(
        broadloomTensorCreate(BroadloomElementType(type), 2, extents, &tensor),
        BROADLOOM_OK);
    void *data = tensor.data;
    BroadloomDLManagedTensor *managed = broadloomTensorToDLPack(&tensor);
    ASSERT_NE(managed, nullptr);
    EXPECT_EQ(tensor.data, nullptr);
    EXPECT_EQ(managed->tensor.data, data);
    EXPECT_EQ(managed->tensor.ndim, 2);
    EXPECT_EQ(managed->tensor.shape[1], 3);
    EXPECT_EQ(managed->tensor.strides[0], 3);
    EXPECT_EQ(managed->tensor.bits / 8,
              broadloomElementBytes(BroadloomElementType(type)));
    ASSERT_EQ(broadloomTensorFromDLPack(managed, &back), BROADLOOM_OK);
    EXPECT_EQ(back.elementType, type);
    EXPECT_EQ(back.data, data);
    broadloomTensorRelease(&back);
  }
}

int deletions = 0;

TEST(DLPack, tensorsOfOthers) {
  float values[12];
  int64_t shape[] = {2, 2}, strides[] = {6, -1};
  BroadloomDLManagedTensor managed = {};
  managed.tensor = BroadloomDLTensor{
      values, BROADLOOM_DL_CPU, 0, 2, BROADLOOM_DL_FLOAT, 32, 1,
      shape,  strides,          4};
  managed.deleter = [](BroadloomDLManagedTensor *) { ++deletions; };
  BroadloomTensor tensor;
  ASSERT_EQ(broadloomTensorFromDLPack(&managed, &tensor), BROADLOOM_OK);
  EXPECT_EQ(tensor.data, values + 1);
  EXPECT_EQ(tensor.dims[3], -1);
  EXPECT_EQ(deletions, 0);
  broadloomTensorRelease(&tensor);
  EXPECT_EQ(deletions, 1);

  managed.tensor.strides = nullptr;
  ASSERT_EQ(broadloomTensorFromDLPack(&managed, &tensor), BROADLOOM_OK);
  EXPECT_EQ(tensor.dims[2], 2);
  broadloomTensorRelease(&tensor);
  EXPECT_EQ(deletions, 2);
}

TEST(DLPack, whatIsNotUnderstoodIsLeftAlone) {
  float value = 0;
  int64_t shape[] = {1};
  const BroadloomDLTensor good = {
      &value, BROADLOOM_DL_CPU, 0, 1, BROADLOOM_DL_FLOAT, 32, 1,
      shape,  nullptr,          0};
  deletions = 0;
  BroadloomDLManagedTensor managed = {};
  managed.deleter = [](BroadloomDLManagedTensor *) { ++deletions; };
  auto refuses = [&](auto change) {
    managed.tensor = good;
    change(managed.tensor);
    BroadloomTensor tensor;
    EXPECT_EQ(broadloomTensorFromDLPack(&managed, &tensor),
              BROADLOOM_INVALID_ARGUMENT);
  };
  refuses([](BroadloomDLTensor &t) { t.deviceType = 2; });
  refuses([](BroadloomDLTensor &t) { t.lanes = 4; });
  refuses([](BroadloomDLTensor &t) { t.code = 5; });
  refuses([](BroadloomDLTensor &t) { t.bits = 128; });
  refuses([](BroadloomDLTensor &t) { t.ndim = 33; });
  refuses([](BroadloomDLTensor &t) { t.ndim = -1; });
  EXPECT_EQ(deletions, 0);
}

} // namespace
