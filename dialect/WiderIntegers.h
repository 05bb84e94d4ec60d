//===- WiderIntegers.h - integers in a wider type ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of 4 and 48 bits are stored in 8 and 64 bits (el-12). TOSA's
// products, convolutions and rescaling of them do not overflow, so that a wider
// type has the same numbers; legalization rejects all other computations with
// them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_WIDERINTEGERS_H
#define BROADLOOM_DIALECT_WIDERINTEGERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace broadloom {

/// The bits in which signless integers of `bits` bits are stored (el-12).
constexpr unsigned getKeptBits(unsigned bits) {
  return bits == 4 ? 8 : bits == 48 ? 64 : bits;
}

/// The same numbers as wider signless integers of `bits` bits.
mlir::DenseElementsAttr widenNumbers(mlir::DenseIntElementsAttr numbers,
                                     unsigned bits);

/// Widens all signless integers of `from` bits in `root` to the bits in which
/// they are stored: in types, in constants, and in conversions, which are
/// erased if they become trivial.
void widenIntegers(mlir::Operation *root, unsigned from);

} // namespace broadloom

#endif // BROADLOOM_DIALECT_WIDERINTEGERS_H
