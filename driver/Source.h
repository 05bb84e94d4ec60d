//===- Source.h - a program to read -----------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCE_H
#define BROADLOOM_DRIVER_SOURCE_H

#include <string>
#include <string_view>
#include <utility>

namespace broadloom {

/// A program that is in a file or in memory: MLIR text, bytecode, or any other
/// form that docs/program-formats.md lists.
struct Source {
  /// `path` may be `-` for standard input.
  static Source file(std::string path) {
    return {std::move(path), {}, /*isFile=*/true};
  }
  /// `name` stands for the file's name in diagnostics. The caller keeps `text`
  /// while it is read.
  static Source text(std::string_view text, std::string_view name) {
    return {std::string(name), text, /*isFile=*/false};
  }

  /// The path of a file.
  std::string name;
  /// Of a source in memory.
  std::string_view contents;
  bool isFile = true;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCE_H
