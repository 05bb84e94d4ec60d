//===- RawFile.cpp - the bytes of a file as a tensor ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/RawFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>

using namespace broadloom;
using namespace broadloom::io;

Result<OwnedTensor>
broadloom::io::readBytes(const std::string &path,
                         std::optional<BroadloomElementType> expected) {
  auto fail = [&](const std::string &text) {
    return Failure{path + ": " + text};
  };
  BroadloomElementType type = expected.value_or(BROADLOOM_I8);
  if (type != BROADLOOM_I8 && type != BROADLOOM_U8)
    return fail("the bytes of a file are i8 or u8, but the program takes " +
                shapeText(type, {}));
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rb"),
                                              std::fclose);
  struct stat status;
  if (!file || fstat(fileno(file.get()), &status) != 0)
    return fail(std::strerror(errno));
  // The size of other files is not known beforehand.
  if (!S_ISREG(status.st_mode))
    return fail("it is not a regular file");
  auto tensor = createTensor(type, {static_cast<int64_t>(status.st_size)});
  if (!tensor)
    return fail(tensor.error());
  auto size = static_cast<size_t>(status.st_size);
  if (std::fread((*tensor)->data, 1, size, file.get()) != size)
    return fail("it became shorter while it was read");
  return tensor;
}
