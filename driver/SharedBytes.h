//===- SharedBytes.h - bytes and what keeps them ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SHAREDBYTES_H
#define BROADLOOM_DRIVER_SHAREDBYTES_H

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace broadloom {

/// Bytes, such as those of a mapped file, and what keeps them: nothing where
/// the caller does.
struct SharedBytes {
  SharedBytes() = default;
  SharedBytes(std::string_view bytes, std::shared_ptr<const void> owner)
      : bytes(bytes), owner(std::move(owner)) {}
  /// A copy.
  SharedBytes(std::string text) {
    auto own = std::make_shared<const std::string>(std::move(text));
    bytes = *own;
    owner = std::move(own);
  }
  SharedBytes(const char *text) : SharedBytes(std::string(text)) {}

  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SHAREDBYTES_H
