//===- ElementBytes.h - the bytes of constants ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants that are laid out anew are read byte by byte, whichever attribute
// holds them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_ELEMENTBYTES_H
#define BROADLOOM_DIALECT_ELEMENTBYTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <optional>

namespace broadloom {

/// The bytes of a constant whose elements have a multiple of 8 bits, in
/// row-major order, or those of one element for a splat. Nothing where they are
/// not at hand, as in a resource that was left out of a text.
std::optional<llvm::ArrayRef<char>>
getElementBytes(mlir::ElementsAttr constant);

/// What MLIR calls the data that it has left out of a text. A text that is read
/// twice has numbers behind that name.
inline constexpr llvm::StringLiteral kElided = "__elided__";
bool isElided(mlir::DenseResourceElementsAttr constant);

} // namespace broadloom

#endif // BROADLOOM_DIALECT_ELEMENTBYTES_H
