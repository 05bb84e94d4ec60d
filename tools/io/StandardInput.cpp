//===- StandardInput.cpp - a tensor from standard input -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/StandardInput.h"
#include "tools/io/Npy.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace broadloom::io;

static constexpr const char *kBlanks = " \t\r\n";
/// The limit of a text, far beyond what users type.
static constexpr size_t kLongestText = size_t(64) << 20;

/// Appends the input to `bytes`, until it has `most` bytes or the input ends.
static Error readUpTo(size_t most, std::string &bytes) {
  while (bytes.size() < most) {
    char buffer[4096];
    ssize_t count = ::read(STDIN_FILENO, buffer,
                           std::min(sizeof(buffer), most - bytes.size()));
    if (count < 0 && errno != EINTR)
      return std::string("cannot read standard input: ") + std::strerror(errno);
    if (count == 0)
      break;
    if (count > 0)
      bytes.append(buffer, count);
  }
  return {};
}

Result<OwnedTensor> broadloom::io::readStandardInput(
    std::optional<BroadloomElementType> expected,
    const std::function<Result<OwnedTensor>(const std::string &)> &readText) {
  std::string bytes;
  if (Error error = readUpTo(2, bytes); !error.empty())
    return Failure{error};
  // The second is the beginning of an archive, which readNpy recognises.
  if (bytes == "\x93N" || bytes == "PK")
    return readNpy(STDIN_FILENO, bytes, "standard input", expected);
  if (Error error = readUpTo(kLongestText + 1, bytes); !error.empty())
    return Failure{error};
  if (bytes.size() > kLongestText)
    return Failure{"standard input has no .npy file and is longer than " +
                   std::to_string(kLongestText) + " bytes"};
  size_t begin = bytes.find_first_not_of(kBlanks);
  if (begin == std::string::npos)
    return Failure{"standard input is empty; a .npy file, or a text such as "
                   "2x3xf32=1 2 3 4 5 6, is expected"};
  size_t end = bytes.find_last_not_of(kBlanks);
  return readText(bytes.substr(begin, end + 1 - begin));
}
