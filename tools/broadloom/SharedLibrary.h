//===- SharedLibrary.h - linking object code --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the object code of a program into a shared library that needs the
// runtime library and the C library's math.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_SHAREDLIBRARY_H
#define BROADLOOM_TOOLS_BROADLOOM_SHAREDLIBRARY_H

#include "tools/io/Result.h"

#include <string>
#include <vector>

namespace broadloom::tool {

/// The bytes of the shared library, which needs `libraries`, files or names
/// that the system's loader finds; fails if no linker is found.
io::Result<std::string>
linkSharedLibrary(const std::string &object,
                  const std::vector<std::string> &libraries);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_SHAREDLIBRARY_H
