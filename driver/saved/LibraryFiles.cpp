//===- LibraryFiles.cpp - shape libraries of saved programs ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/LibraryFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;

LibraryFiles::~LibraryFiles() {
  for (const std::string &path : paths)
    (void)llvm::sys::fs::remove(path);
}

bool LibraryFiles::add(llvm::StringRef library) {
  llvm::SmallString<128> path;
  int file;
  if (llvm::sys::fs::createTemporaryFile("shape-library", "mlir", file, path))
    return false;
  paths.push_back(path.str().str());
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << library;
  stream.close();
  bool isWritten = !stream.has_error();
  stream.clear_error();
  return isWritten;
}

bool LibraryFiles::addAll(const std::vector<std::string> &libraries) {
  return llvm::all_of(libraries,
                      [&](const std::string &library) { return add(library); });
}
