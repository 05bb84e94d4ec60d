//===- SharedLibrary.cpp - linking object code ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/SharedLibrary.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;

/// The path of a C compiler, which finds the C library and the linker.
static std::string findDriver() {
  for (llvm::StringRef name : {"clang-22", "clang", "cc", "gcc"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return "";
}

/// The folder of libbroadloom_runtime.so, or "" if it is not found.
static std::string findRuntimeFolder() {
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findDriver));
  llvm::SmallString<256> folder(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)));
  llvm::sys::path::append(folder, "lib");
  llvm::SmallString<256> file(folder);
  llvm::sys::path::append(file, "libbroadloom_runtime.so");
  return llvm::sys::fs::exists(file) ? folder.str().str() : "";
}

io::Result<std::string>
broadloom::tool::linkSharedLibrary(const std::string &object,
                                   const std::vector<std::string> &libraries) {
  std::string driver = findDriver();
  if (driver.empty())
    return io::Failure{"no C compiler (clang or gcc) is on the PATH to link a "
                       "shared library with; --emit=obj needs none"};
  llvm::SmallString<128> input, output;
  if (llvm::sys::fs::createTemporaryFile("broadloom", "o", input) ||
      llvm::sys::fs::createTemporaryFile("broadloom", "so", output))
    return io::Failure{"no temporary file can be made"};
  llvm::FileRemover removeInput(input), removeOutput(output);
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input, error);
    stream << object;
    stream.close();
    if (stream.has_error())
      return io::Failure{"cannot write " + std::string(input) + ": " +
                         stream.error().message()};
  }
  std::vector<std::string> words = {driver, "-shared", "-o", output.str().str(),
                                    input.str().str()};
  // The runtime library is beside this program's folder, both in the build tree
  // and installed.
  std::string folder = findRuntimeFolder();
  if (!folder.empty())
    words.insert(words.end(), {"-L" + folder, "-Wl,-rpath," + folder,
                               "-lbroadloom_runtime"});
  for (const std::string &library : libraries) {
    llvm::SmallString<256> path(library);
    // The library of a file is found where it is now.
    if (llvm::sys::fs::exists(library) && !llvm::sys::fs::make_absolute(path))
      words.push_back(path.str().str());
    else
      words.push_back("-l:" + library);
  }
  words.insert(words.end(), {"-lmvec", "-lm"});
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::string message;
  if (llvm::sys::ExecuteAndWait(driver, arguments, std::nullopt, {}, 0, 0,
                                &message))
    return io::Failure{"linking with " + driver + " failed" +
                       (message.empty() ? "" : ": " + message)};
  auto buffer = llvm::MemoryBuffer::getFile(output);
  if (!buffer)
    return io::Failure{"the linker left no output"};
  return (*buffer)->getBuffer().str();
}
