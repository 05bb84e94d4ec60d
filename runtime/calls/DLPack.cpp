//===- DLPack.cpp - tensors exchanged with other libraries ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/DLPack.h"

#include <cstddef>
#include <new>

namespace {

// The layout of DLPack's own header on 64-bit machines.
static_assert(offsetof(BroadloomDLTensor, ndim) == 16 &&
                  offsetof(BroadloomDLTensor, code) == 20 &&
                  offsetof(BroadloomDLTensor, shape) == 24 &&
                  offsetof(BroadloomDLTensor, byteOffset) == 40 &&
                  sizeof(BroadloomDLManagedTensor) == 64,
              "the layout is DLPack's");

struct Code {
  uint8_t code;
  uint8_t bits;
};
// In the order of BroadloomElementType.
constexpr Code kCodes[] = {
    {BROADLOOM_DL_BOOL, 8},        {BROADLOOM_DL_INT, 8},
    {BROADLOOM_DL_INT, 16},        {BROADLOOM_DL_INT, 32},
    {BROADLOOM_DL_INT, 64},        {BROADLOOM_DL_UINT, 8},
    {BROADLOOM_DL_UINT, 16},       {BROADLOOM_DL_UINT, 32},
    {BROADLOOM_DL_UINT, 64},       {BROADLOOM_DL_FLOAT8_E4M3FN, 8},
    {BROADLOOM_DL_FLOAT8_E5M2, 8}, {BROADLOOM_DL_FLOAT, 16},
    {BROADLOOM_DL_BFLOAT, 16},     {BROADLOOM_DL_FLOAT, 32},
    {BROADLOOM_DL_FLOAT, 64},
};
static_assert(sizeof(kCodes) / sizeof(kCodes[0]) == BROADLOOM_F64 + 1,
              "one entry per element type");

/// A tensor on loan to another library, with its DLPack description.
struct Loan {
  BroadloomDLManagedTensor managed;
  BroadloomTensor tensor;
};

void endLoan(BroadloomDLManagedTensor *managed) {
  Loan *loan = static_cast<Loan *>(managed->context);
  broadloomTensorRelease(&loan->tensor);
  delete loan;
}

void releaseManaged(BroadloomTensor *tensor) {
  auto *managed = static_cast<BroadloomDLManagedTensor *>(tensor->manager);
  if (managed->deleter)
    managed->deleter(managed);
}

} // namespace

BroadloomDLManagedTensor *broadloomTensorToDLPack(BroadloomTensor *tensor) {
  Loan *loan = new (std::nothrow) Loan;
  if (!loan)
    return nullptr;
  loan->tensor = *tensor;
  tensor->release = nullptr;
  broadloomTensorRelease(tensor);
  BroadloomTensor &own = loan->tensor;
  BroadloomDLTensor &out = loan->managed.tensor;
  // The pointer includes the offset, because some readers ignore byteOffset.
  out.data = static_cast<char *>(own.data) +
             own.offset * broadloomElementBytes(own.elementType);
  out.deviceType = BROADLOOM_DL_CPU;
  out.deviceId = 0;
  out.ndim = own.rank;
  out.code = kCodes[own.elementType].code;
  out.bits = kCodes[own.elementType].bits;
  out.lanes = 1;
  out.shape = own.dims;
  out.strides = own.dims + own.rank;
  out.byteOffset = 0;
  loan->managed.context = loan;
  loan->managed.deleter = endLoan;
  return &loan->managed;
}

int32_t broadloomTensorFromDLPack(BroadloomDLManagedTensor *managed,
                                  BroadloomTensor *out) {
  const BroadloomDLTensor &from = managed->tensor;
  if (from.deviceType != BROADLOOM_DL_CPU || from.lanes != 1)
    return BROADLOOM_INVALID_ARGUMENT;
  int32_t type = 0;
  while (type <= BROADLOOM_F64 &&
         (kCodes[type].code != from.code || kCodes[type].bits != from.bits))
    ++type;
  if (type > BROADLOOM_F64)
    return BROADLOOM_INVALID_ARGUMENT;
  BroadloomTensor tensor;
  int32_t status = broadloomTensorBorrow(
      static_cast<BroadloomElementType>(type), from.ndim, from.shape,
      from.strides, static_cast<char *>(from.data) + from.byteOffset, &tensor);
  if (status != BROADLOOM_OK)
    return status;
  tensor.release = releaseManaged;
  tensor.manager = managed;
  *out = tensor;
  return BROADLOOM_OK;
}
