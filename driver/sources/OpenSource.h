//===- OpenSource.h - the contents of a source ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_OPENSOURCE_H
#define BROADLOOM_DRIVER_SOURCES_OPENSOURCE_H

#include "driver/SharedBytes.h"
#include "driver/Source.h"
#include "driver/StampedFile.h"
#include "driver/sources/SourceForm.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace broadloom {

struct OpenedSource {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  SourceForm::Kind kind = SourceForm::Kind::Program;
  /// What reads a program.
  read::ProgramForm program = read::ProgramForm::Text;
  /// See SourceForm.
  const char *mistake = "";
  /// Of a text that a converter has made (CompileOptions::constants).
  std::vector<SharedBytes> constants;
  /// Those that these are mapped from (ConvertedModel::files).
  std::vector<StampedFile> files;
};

/// The contents of `source`; of a model, the program that its converter makes.
/// An error says which source it is about. See CompileOptions::borrows.
llvm::Expected<OpenedSource> openSource(const Source &source, bool borrows);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_OPENSOURCE_H
