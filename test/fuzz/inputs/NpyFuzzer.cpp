//===- NpyFuzzer.cpp - damaged .npy files ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/inputs/InputFile.h"
#include "tools/io/Npy.h"
#include "tools/io/NpyHeader.h"
#include "tools/io/PrintTensor.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::io;

static void check(bool holds) {
  if (!holds)
    std::abort();
}

/// What has been read can be shown, and has a header that says the same.
static void use(const BroadloomTensor &tensor) {
  check(!tensorToString(tensor).empty());
  std::vector<int64_t> extents(tensor.dims, tensor.dims + tensor.rank);
  if (tensor.elementType == BROADLOOM_I1) {
    auto *elements = static_cast<const unsigned char *>(tensor.data);
    check(std::all_of(elements, elements + broadloomTensorCount(&tensor),
                      [](unsigned char element) { return element <= 1; }));
  }
  std::string head = formatNpyHeader(tensor.elementType, extents);
  auto header = parseNpyHeader(std::string_view(head).substr(10));
  check(bool(header) && header->extents == extents && !header->fortranOrder);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static InputFile file;
  file.write(data, size);
  auto tensor = readNpy(file.path());
  check(bool(tensor) == tensor.error().empty());
  if (tensor)
    use(**tensor);
  // As the argument of a program that takes some type.
  auto expected = BroadloomElementType(size % (BROADLOOM_F64 + 1));
  auto argument = readNpy(file.path(), expected);
  if (!argument)
    return 0;
  check((*argument)->elementType == expected);
  use(**argument);
  return 0;
}
