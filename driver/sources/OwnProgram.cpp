//===- OwnProgram.cpp - programs that come with Broadloom -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/OwnProgram.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

std::string broadloom::findOwnProgram(llvm::StringRef name) {
  Dl_info info;
  if (!::dladdr(reinterpret_cast<void *>(&findOwnProgram), &info))
    return {};
  // A program that was found in PATH is known by its name alone.
  llvm::StringRef file = info.dli_fname;
  llvm::SmallString<128> self;
  if ((!file.contains('/') || llvm::sys::fs::real_path(file, self)) &&
      llvm::sys::fs::real_path("/proc/self/exe", self))
    return {};
  llvm::StringRef folder = llvm::sys::path::parent_path(self);
  // The third is beside a library in lib/x86_64-linux-gnu.
  for (const char *relative : {"", "../bin", "../../bin"}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, relative, name);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  return {};
}
