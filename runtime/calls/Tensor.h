//===- Tensor.h - tensors as callers see them -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public tensor of the C API. From `allocated` on it is a memref
// descriptor of `rank` (dims: extents, then strides, in elements; strides may
// be zero or negative), so that `&tensor.allocated` goes into a
// BroadloomView as it is.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_TENSOR_H
#define BROADLOOM_RUNTIME_CALLS_TENSOR_H

#include "runtime/abi/Abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// A caller may pass any number. That is an error, but not undefined behaviour
// in C++ if the enum has an underlying type.
#ifdef __cplusplus
#define BROADLOOM_AS_INT : int
#else
#define BROADLOOM_AS_INT
#endif

typedef enum BroadloomElementType BROADLOOM_AS_INT {
  BROADLOOM_I1,
  BROADLOOM_I8,
  BROADLOOM_I16,
  BROADLOOM_I32,
  BROADLOOM_I64,
  BROADLOOM_U8,
  BROADLOOM_U16,
  BROADLOOM_U32,
  BROADLOOM_U64,
  BROADLOOM_F8E4M3FN,
  BROADLOOM_F8E5M2,
  BROADLOOM_F16,
  BROADLOOM_BF16,
  BROADLOOM_F32,
  BROADLOOM_F64,
} BroadloomElementType;
#undef BROADLOOM_AS_INT

typedef struct BroadloomTensor {
  BroadloomElementType elementType;
  int32_t rank;
  /// Frees the memory; null if the tensor borrows it.
  void (*release)(struct BroadloomTensor *self);
  void *manager;
  void *allocated;
  void *data;
  int64_t offset;
  int64_t dims[2 * BROADLOOM_MAX_RANK];
} BroadloomTensor;

/// Bytes of one element (i1: one byte; each but 0 is true).
int64_t broadloomElementBytes(BroadloomElementType type);
/// MLIR's name of the type ("i1", "f8E4M3FN", ...), unsigned ones "ui8".
const char *broadloomElementTypeName(BroadloomElementType type);

/// Product of the extents; -1 if it overflows 63 bits.
int64_t broadloomTensorCount(const BroadloomTensor *tensor);

/// A contiguous row-major tensor with memory of its own, uninitialised.
/// Returns a status (Abi.h).
int32_t broadloomTensorCreate(BroadloomElementType type, int32_t rank,
                              const int64_t *extents, BroadloomTensor *out);

/// A tensor over the caller's memory. `strides` may be null (row-major).
int32_t broadloomTensorBorrow(BroadloomElementType type, int32_t rank,
                              const int64_t *extents, const int64_t *strides,
                              void *data, BroadloomTensor *out);

/// Releases the memory if the tensor owns any; leaves an empty tensor.
void broadloomTensorRelease(BroadloomTensor *tensor);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_CALLS_TENSOR_H
