//===- TextFuzzer.cpp - the texts of --input ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/InputText.h"
#include "tools/io/PrintTensor.h"

#include <cctype>
#include <cstdint>
#include <cstdlib>

using namespace broadloom;
using namespace broadloom::io;

static bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Not a text but a file, or more zeros than one wants to wait for.
static bool isOther(const std::string &text) {
  if (text.find_first_of("@/") == 0 || text.find("bytes:") == 0 ||
      text.find('/') != std::string::npos)
    return true;
  // The numbers behind the extents are in the name of a type or are values.
  double elements = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    double extent = 0;
    size_t first = i;
    for (; i < text.size() && isDigit(text[i]); ++i)
      extent = 10 * extent + (text[i] - '0');
    if (i == first)
      break;
    elements *= extent < 1 ? 1 : extent;
    if (i == text.size() || text[i] != 'x')
      break;
  }
  return elements > 1e5 && elements < 1e13;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  // The first character chooses what the program takes.
  std::optional<BroadloomElementType> expected;
  if (data[0] % 16 <= BROADLOOM_F64)
    expected = BroadloomElementType(data[0] % 16);
  std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (isOther(text))
    return 0;
  auto tensor = readInput(text, 0, expected);
  if (!tensor) {
    if (tensor.error().find("argument 0 (") != 0)
      std::abort();
    return 0;
  }
  if ((expected && (*tensor)->elementType != *expected) ||
      tensorToString(**tensor).empty())
    std::abort();
  return 0;
}
