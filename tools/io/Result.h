//===- Result.h - a value or the reason why there is none -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: a Result holds a value exactly if its error is empty.
//
// This library is linked into programs without exceptions, so failures are
// return values. An error is a text in the project's form: lower case, no full
// stop, the fact with its numbers, where it came from.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_RESULT_H
#define BROADLOOM_TOOLS_IO_RESULT_H

#include <optional>
#include <string>
#include <utility>

namespace broadloom::io {

/// The reason of a failure; empty on success.
using Error = std::string;

/// Turns an Error into a failed Result of any type: `return Failure{error}`.
struct Failure {
  std::string message;
};

/// A value, or the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Failure failure) : message(std::move(failure.message)) {}

  explicit operator bool() const { return value.has_value(); }
  /// The reason; empty if there is a value.
  const std::string &error() const { return message; }

  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

private:
  std::optional<T> value;
  std::string message;
};

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_RESULT_H
