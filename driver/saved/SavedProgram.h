//===- SavedProgram.h - a compiled program as a file ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// A saved program (abi-7) is machine code for one processor together with the
// program that it was compiled from: if the code does not fit, the program is
// compiled again. The file begins with kMagic, and a checksum detects damage.
// Load only files that you trust, as with a shared library: the code is run.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H
#define BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H

#include "driver/CompileOptions.h"
#include "driver/FunctionSignature.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace broadloom {

struct SavedProgram {
  /// The processor and compiler of the code (getCodeIdentity). Code of another
  /// identity is not used.
  std::string identity;
  /// The name of the program in diagnostics, and its text or bytecode.
  std::string name, source;
  /// The options that its code depends on, apart from shape libraries.
  Strategy strategy = Strategy::Default;
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  bool optimiseCode = true;
  std::optional<std::string> only;
  std::optional<uint64_t> fillElided;
  /// The texts of the shape libraries that it was compiled with.
  std::vector<std::string> shapeLibraries;
  /// The warnings of the compilation.
  std::string diagnostics;
  std::vector<FunctionSignature> functions;
  /// Object files, and its shape queries as bytecode.
  std::vector<std::string> objects;
  std::string queries;

  /// Sets the options on which the code depends, apart from shape libraries and
  /// the chosen function.
  void setOptions(CompileOptions &options) const;
};

/// The version of the library and of the runtime's interface, and the
/// processor, as one text.
std::string getCodeIdentity();

bool isSavedProgram(llvm::StringRef bytes);

std::string writeSavedProgram(const SavedProgram &program);

/// The checksum in `file`, the result of writeSavedProgram: the SHA-256 of its
/// parts.
llvm::StringRef getChecksum(llvm::StringRef file);

/// Reads what writeSavedProgram wrote; fails where it is damaged or of another
/// format.
llvm::Expected<SavedProgram> readSavedProgram(llvm::MemoryBufferRef file);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H
