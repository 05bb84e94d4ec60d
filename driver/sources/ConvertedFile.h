//===- ConvertedFile.h - what a converter of models writes ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// A converter of ours writes a program with its large constants beside its text
// (python/broadloom/_converter.py): a magic number; how many constants there
// are, the size of the text, and the sizes of the constants, as 64 bits, least
// byte first; the text; and each constant at a multiple of 64 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H
#define BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H

#include "driver/SharedBytes.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace broadloom {

struct ConvertedModel {
  std::unique_ptr<llvm::MemoryBuffer> program;
  /// Of a text (CompileOptions::constants).
  std::vector<SharedBytes> constants;
};

/// The program in `file`, called `name`, whose constants stay in the file; a
/// file of another form is the program. Null, with empty constants, if the
/// sizes in the file do not add up.
ConvertedModel readConverted(std::unique_ptr<llvm::MemoryBuffer> file,
                             const std::string &name);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H
