//===- MemoryOutputs.h - what arguments hold after a call -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_MEMORYOUTPUTS_H
#define BROADLOOM_TOOLS_BROADLOOM_MEMORYOUTPUTS_H

#include "tools/broadloom/Options.h"
#include "tools/io/OutputFile.h"

namespace broadloom::tool {

/// The error for a file that is no .npy file; empty if there is none.
std::string findWrongOutput(const std::string &path);

/// Where the contents of arguments that are memory go (--output-argument).
/// Those that go to no file are printed.
class MemoryOutputs {
public:
  /// Opens the files of `texts`, each `ARGUMENT:FILE`.
  io::Error open(const std::vector<std::string> &texts,
                 const FunctionSignature &function);
  /// Writes the files, which commit() puts in place.
  io::Error write(const LoadedCall &call);
  io::Error commit();
  bool hasFile(size_t argument) const { return bool(files[argument]); }
  /// Prints the arguments without a file, each behind a line with its name.
  void print(const LoadedCall &call) const;

private:
  /// By argument.
  std::vector<std::optional<io::OutputFile>> files;
};

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_MEMORYOUTPUTS_H
