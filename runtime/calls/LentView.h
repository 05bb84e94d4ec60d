//===- LentView.h - where arguments are in a copy ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes of a copy that a library gets are elements of its arguments, and
// which bytes around them are watched. The cost is that of the elements, not of
// the memory that these are spread over.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_LENTVIEW_H
#define BROADLOOM_RUNTIME_CALLS_LENTVIEW_H

#include <cstdint>
#include <string>
#include <vector>

namespace broadloom {

/// Where an argument is in a copy, with strides in bytes.
struct LentView {
  std::string name;
  /// The bytes of the copy before the argument's first one, and before the
  /// first one behind it.
  int64_t begin, end;
  int64_t elementBytes;
  /// Whether the function declares to write it.
  bool isWritten = true;
  std::vector<int64_t> extents, strides;

  /// "element [1, 2] of " and the name, for the element that has byte `at` of
  /// the copy; empty if none has.
  std::string describeByte(int64_t at) const;
};

/// Bytes of a copy that are of one kind.
struct LentPiece {
  enum class Kind {
    /// No element's.
    Outside,
    /// Of elements of arguments that the function does not declare to write.
    Unwritten,
    /// Of elements of others.
    Written
  };

  int64_t begin, end;
  Kind kind;
};

/// The pieces of a copy that are watched, in order: all elements, what is from
/// `begin` on before them and up to `end` behind them, and between them the
/// bytes that are close to an element.
std::vector<LentPiece> findPieces(const std::vector<LentView> &views,
                                  int64_t begin, int64_t end);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LENTVIEW_H
