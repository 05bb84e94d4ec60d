//===- Terminal.h - what a person at a terminal sees ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Colours and progress on standard error. Neither appears where standard error
// is no terminal, or one that cannot move its cursor (TERM=dumb), so that files
// and pipes have the plain text.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_TERMINAL_H
#define BROADLOOM_TOOLS_BROADLOOM_TERMINAL_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace broadloom::tool {

/// Prints diagnostics: lines with ": error: ", ": warning: " or ": note: ". On
/// a terminal the word has a colour, unless the environment variable NO_COLOR
/// is set and not empty.
void printDiagnostics(llvm::StringRef text);

/// While it exists, says after one second what takes so long and for how many
/// seconds, in a line that is erased at the end and before anything that
/// printDiagnostics prints.
class Progress {
public:
  /// `what` is such as "compiling model.mlir". Nothing is shown if `isQuiet`.
  explicit Progress(std::string what, bool isQuiet = false);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Ends the one that exists, if there is one, because text follows.
  static void endCurrent();

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// `model.mlir`, or `standard input` for `-`.
std::string nameFile(llvm::StringRef file);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_TERMINAL_H
