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
// compiled again. The file begins with kMagic, and checksums detect damage.
// Large constants are in it as code reads them, so that a file is mapped into
// memory and not read.
// Load only files that you trust, as with a shared library: the code is run.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H
#define BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H

#include "codegen/machine/MachineCode.h"
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
  std::string name;
  SharedBytes source;
  /// CompileOptions::constants.
  std::vector<SharedBytes> given;
  /// Those that `given` are mapped from; what is saved while one has changed is
  /// of no use.
  std::vector<StampedFile> files;
  /// The digests of `given`, one for each, where they are known already.
  std::vector<std::string> givenDigests;
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
  /// The code, and its shape queries as bytecode.
  codegen::MachineCode code;
  std::string queries;

  /// Sets the options on which the code depends, apart from shape libraries and
  /// the chosen function.
  void setOptions(CompileOptions &options) const;

  /// Computes the digests of `given`.
  std::vector<std::string> hashGiven() const;
};

/// The version of the library and of the runtime's interface, and the
/// processor, as one text.
std::string getCodeIdentity();

bool isSavedProgram(llvm::StringRef bytes);

/// A file in pieces, of which large ones are those of the program.
struct SavedFile {
  explicit SavedFile(const SavedProgram &program);
  SavedFile(const SavedFile &) = delete;

  std::string toString() const;
  size_t size() const;

  std::vector<llvm::StringRef> pieces;
  /// Of all that the file has, as hexadecimal digits.
  std::string checksum;

private:
  std::string head, header, sizes;
};

std::string writeSavedProgram(const SavedProgram &program);

/// Which large constants are compared with their checksums.
enum class Verify { Needed, All };

/// Reads what writeSavedProgram wrote; fails where it is damaged or of another
/// format. Large constants stay in `file`, whose memory `owner` keeps; without
/// one they are copied. Weights, which cannot do more harm than other results,
/// are read and verified only if `verify` says so.
llvm::Expected<SavedProgram>
readSavedProgram(llvm::MemoryBufferRef file,
                 std::shared_ptr<const void> owner = nullptr,
                 Verify verify = Verify::Needed);

/// Whether the constants that the source refers to are as they were saved.
bool areGivenWhole(llvm::MemoryBufferRef file);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SAVED_SAVEDPROGRAM_H
