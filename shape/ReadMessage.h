//===- ReadMessage.h - what an error about shapes says ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the message of shape/Message.h about operands that do not broadcast.
// Errors of the compiler, failed guards and the runtime all use that message,
// so that callers get its parts in one form.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_READMESSAGE_H
#define BROADLOOM_SHAPE_READMESSAGE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// Two operands that do not broadcast.
struct SpokenConflict {
  int64_t axis = 0;
  /// The two extents; -1 for an unknown one.
  std::vector<int64_t> extents;
  /// The shapes of the two operands, as the sentence writes them.
  std::vector<std::string> operands;
};

/// Finds such a conflict in `message`; nothing if the message is about
/// something else.
std::optional<SpokenConflict> readConflict(std::string_view message);

/// The operation at the beginning of `message`, as in `'tosa.add' op ...` and
/// `'tosa.add': ...`, which is removed; empty if there is none.
std::string_view takeOperation(std::string_view &message);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_READMESSAGE_H
