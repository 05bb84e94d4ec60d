//===- DLPack.h - tensors exchanged with other libraries --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversion between BroadloomTensor and DLPack's managed tensor, without a
// copy. The structs have the layout that DLPack fixes; libraries that bring
// their own header can cast between the two.
//
// Invariant: a conversion moves ownership: afterwards exactly one side
// releases the memory. A failed conversion changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_DLPACK_H
#define BROADLOOM_RUNTIME_CALLS_DLPACK_H

#include "runtime/calls/Tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The supported DLDeviceType.
enum { BROADLOOM_DL_CPU = 1 };

/// DLDataTypeCode.
enum {
  BROADLOOM_DL_INT = 0,
  BROADLOOM_DL_UINT = 1,
  BROADLOOM_DL_FLOAT = 2,
  BROADLOOM_DL_BFLOAT = 4,
  BROADLOOM_DL_BOOL = 6,
  BROADLOOM_DL_FLOAT8_E4M3FN = 10,
  BROADLOOM_DL_FLOAT8_E5M2 = 12,
};

/// DLTensor. `strides` may be null (row-major); `byteOffset` counts from
/// `data`.
typedef struct BroadloomDLTensor {
  void *data;
  int32_t deviceType;
  int32_t deviceId;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides;
  uint64_t byteOffset;
} BroadloomDLTensor;

/// DLManagedTensor.
typedef struct BroadloomDLManagedTensor {
  BroadloomDLTensor tensor;
  void *context;
  void (*deleter)(struct BroadloomDLManagedTensor *self);
} BroadloomDLManagedTensor;

/// Makes `tensor` a DLPack tensor, whose deleter releases it; `tensor` is
/// empty afterwards. Null if memory has run out.
BroadloomDLManagedTensor *broadloomTensorToDLPack(BroadloomTensor *tensor);

/// Takes over `managed`, whose deleter is called when `out` is released.
/// Returns BROADLOOM_INVALID_ARGUMENT for unsupported devices, element types
/// and ranks.
int32_t broadloomTensorFromDLPack(BroadloomDLManagedTensor *managed,
                                  BroadloomTensor *out);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_CALLS_DLPACK_H
