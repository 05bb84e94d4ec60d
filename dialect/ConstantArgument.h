//===- ConstantArgument.h - arguments that do not change --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_CONSTANTARGUMENT_H
#define BROADLOOM_DIALECT_CONSTANTARGUMENT_H

#include "llvm/ADT/StringRef.h"

namespace broadloom::loom {

/// The unit attribute of an argument whose elements are the same in all calls
/// that give it the same memory (abi-9).
inline constexpr llvm::StringLiteral kConstantArgument = "loom.constant";

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_CONSTANTARGUMENT_H
