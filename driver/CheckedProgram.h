//===- CheckedProgram.h - what is known of a program's shapes ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of Compiler::checkFile: every constraint of a program, and the
// program's text with the locations that the constraints belong to.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CHECKEDPROGRAM_H
#define BROADLOOM_DRIVER_CHECKEDPROGRAM_H

#include "infer/report/GuardReport.h"

#include <string>
#include <vector>

namespace broadloom {

struct CheckedProgram {
  struct Function {
    std::string name;
    /// Number of the function in the program (infer/report/OperationNumber.h).
    int64_t operationNumber = 0;
  };

  /// Whether there is a function of this name; any is meant by none.
  bool hasFunction(const std::string &name) const;
  /// "the program has no function 'f'; it has: g, h".
  std::string describeNoFunction(const std::string &name) const;

  infer::GuardReport report;
  /// In the program's order.
  std::vector<Function> functions;
  /// Whether compiling it goes as far as machine code for its shapes: nothing
  /// was reported as an error.
  bool isAccepted = false;
  /// Whether all of the program could be looked at; else the report has what
  /// was found before that.
  bool isComplete = false;

  /// The program as its file has it or, where that is not text or says that it
  /// came from elsewhere, as this compiler prints it.
  std::string text;
  bool isSource = false;
  /// By number: the line of `text` that the operation begins on; 0 for none.
  std::vector<unsigned> lines;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CHECKEDPROGRAM_H
