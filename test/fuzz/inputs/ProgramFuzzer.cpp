//===- ProgramFuzzer.cpp - programs, as text or bytecode ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"

#include <cstdlib>
#include <cstring>

using namespace broadloom;

#ifdef BROADLOOM_FUZZ_BYTECODE
static constexpr char kMagic[] = "ML\xefR";
#else
static constexpr char kMagic[] = "";
#endif

/// A program is compiled, or an error says why not (abi-3). Bytecode always has
/// its magic number: everything else is a text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  if (text.compare(0, std::strlen(kMagic), kMagic) != 0)
    text = kMagic + text;
  Compiler compiler;
  auto module = compiler.compile(Source::text(text, "program.mlir"));
  if (!module && compiler.diagnostics().find("error: ") == std::string::npos)
    std::abort();
  return 0;
}
