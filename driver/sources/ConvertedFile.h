//===- ConvertedFile.h - what a converter of models writes ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// A converter of ours writes a program and where its large constants are
// (python/broadloom/_converter.py): a magic number; numbers of 64 bits, least
// byte first; paths; the text; and the constants that are in no other file,
// each at a multiple of 64 bytes. The numbers are how many files and constants
// there are, and the size of the text; for each file the size of its path, and
// the file's stamp (FileStamp); for each constant 0, or the number of the file
// that has it, where it begins in that file, and its size.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H
#define BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H

#include "driver/SharedBytes.h"
#include "driver/StampedFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace broadloom {

struct ConvertedModel {
  std::unique_ptr<llvm::MemoryBuffer> program;
  /// Of a text (CompileOptions::constants).
  std::vector<SharedBytes> constants;
  /// Those that constants are mapped from. They have to stay unchanged while
  /// constants are used.
  std::vector<StampedFile> files;
};

/// The program in `file`, called `name`, whose constants stay in the file and
/// those that it names; a file of another form is the program. `model` is what
/// the converter has read: users write models again in place, so that this file
/// is read into memory, and others are mapped. Fails where numbers do not add
/// up, and where a file has changed since.
llvm::Expected<ConvertedModel>
readConverted(std::unique_ptr<llvm::MemoryBuffer> file, const std::string &name,
              llvm::StringRef model);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_CONVERTEDFILE_H
