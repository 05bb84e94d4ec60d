//===- TouchedBytes.h - how much memory a launch goes over ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_TOUCHEDBYTES_H
#define BROADLOOM_RUNTIME_CALLS_TOUCHEDBYTES_H

#include "runtime/abi/Structs.h"

namespace broadloom {

/// Bytes of the distinct elements of a tensor: an axis of stride 0 counts as
/// one element.
int64_t touchedBytes(const BroadloomView &view, int64_t elementBytes) noexcept;

/// The same for all operands and results of a launch. A repeated operand counts
/// once.
int64_t touchedBytes(const BroadloomProgram &program,
                     const BroadloomView *operands,
                     const BroadloomView *results) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_TOUCHEDBYTES_H
