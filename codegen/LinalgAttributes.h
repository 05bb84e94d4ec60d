//===- LinalgAttributes.h - marks of operations of linalg -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_LINALGATTRIBUTES_H
#define BROADLOOM_CODEGEN_LINALGATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace broadloom::codegen {

/// Of an operation of linalg on buffers: what it writes overlaps with no other
/// memory that it uses.
inline constexpr llvm::StringLiteral kWritesApart = "loom.writes_apart";

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_LINALGATTRIBUTES_H
