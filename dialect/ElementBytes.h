//===- ElementBytes.h - the bytes of constants ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access to the bytes of constants, for passes that change their layout,
// independent of the attribute's kind.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_ELEMENTBYTES_H
#define BROADLOOM_DIALECT_ELEMENTBYTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <optional>

namespace broadloom {

/// The bytes of a constant whose elements have a multiple of 8 bits, in
/// row-major order, or those of one element for a splat. Nothing if the
/// attribute does not have them, as a resource that was elided from a text.
std::optional<llvm::ArrayRef<char>>
getElementBytes(mlir::ElementsAttr constant);

/// A constant of `type`, whose elements have whole bytes, that `write` fills.
/// From kLargeConstant bytes on it is a resource, whose memory freeElements()
/// frees; the context keeps smaller ones, of which equal ones are one.
mlir::ElementsAttr
makeElements(mlir::ShapedType type,
             llvm::function_ref<void(llvm::MutableArrayRef<char>)> write);
inline constexpr size_t kLargeConstant = size_t(1) << 16;

/// The same elements as a constant of another shape, which shares the memory of
/// a resource.
mlir::ElementsAttr reshapeElements(mlir::ElementsAttr constant,
                                   mlir::ShapedType type);

/// Frees the memory of `constant` if makeElements() has made it. No operation
/// may have the constant, or another of the same memory.
void freeElements(mlir::DenseResourceElementsAttr constant);

/// The integers of a constant, which is not empty. Of a splat, the one that all
/// are: such a constant takes little memory and has any number of elements.
inline auto getDistinctIntegers(mlir::DenseIntElementsAttr constant) {
  auto begin = constant.value_begin<llvm::APInt>();
  return llvm::make_range(
      begin,
      std::next(begin, constant.isSplat() ? 1 : constant.getNumElements()));
}

/// MLIR's name for data that it elided from a text. If a text is parsed twice,
/// numbers follow the name.
inline constexpr llvm::StringLiteral kElided = "__elided__";
bool isElided(mlir::DenseResourceElementsAttr constant);

} // namespace broadloom

#endif // BROADLOOM_DIALECT_ELEMENTBYTES_H
