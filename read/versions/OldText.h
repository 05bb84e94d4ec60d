//===- OldText.h - tokens of TOSA's text that differ by version -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes a text of another version so that MLIR's parser can read it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_VERSIONS_OLDTEXT_H
#define BROADLOOM_READ_VERSIONS_OLDTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace broadloom::read {

/// The namespace that replaces `tosa` for parsing. It has the same length, so
/// that each operation keeps its line and column.
inline constexpr llvm::StringLiteral kNamespace = "tos_";

struct OldText {
  std::string text;
  /// Constants of i1 that were written with one byte for each element.
  unsigned numByteConstants = 0;
  /// The offset of the first of them in the text.
  size_t firstByteConstant = 0;
  /// Whether an enumerator is written as a string: `nan_mode = "IGNORE"`.
  bool hasTextEnumerators = false;
};

/// The same text, of the same length, with the operations of `tosa` in
/// kNamespace, except those whose form is the same in all versions; names in
/// attributes, types, strings and comments stay. Constants of i1 with a byte
/// for each element (LLVM 23 and newer) have one bit for each.
OldText prepareText(llvm::StringRef text);

} // namespace broadloom::read

#endif // BROADLOOM_READ_VERSIONS_OLDTEXT_H
