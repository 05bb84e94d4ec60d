//===- CheckedProgram.h - what is known of a program's shapes ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of Compiler::check: every constraint of a program, and the
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

  /// Whether the program has a function of this name. True for the empty name.
  bool hasFunction(const std::string &name) const;
  /// "the program has no function 'f'; it has: g, h".
  std::string describeNoFunction(const std::string &name) const;

  infer::GuardReport report;
  /// In the program's order.
  std::vector<Function> functions;
  /// Whether the program's shapes allow it to be compiled: no error was
  /// reported.
  bool isAccepted = false;
  /// Whether the whole program was checked. Otherwise the report has the rows
  /// that were made before the check ended.
  bool isComplete = false;

  /// The text of the program's file. If the file is not text, or its locations
  /// refer to another file, the program as this compiler prints it.
  std::string text;
  bool isSource = false;
  /// By number: the line of `text` that the operation begins on; 0 for none.
  std::vector<unsigned> lines;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CHECKEDPROGRAM_H
