//===- ProgramWriter.h - shape functions for run time -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the shape function of an operation as a program that can be evaluated
// when the operation runs (shape/FunctionProgram.h), with all functions that it
// calls. What attributes, types and regions say is known by now and becomes
// constants; shapes and elements of operands are inputs.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H
#define BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

struct ProgramText {
  std::vector<int64_t> code;
  std::vector<std::string> texts;
  /// Whether the function names extents or shapes that data decides.
  bool hasData = false;
};

/// Which input has the shape of an operand or result; -1 for none.
struct ProgramInputs {
  std::vector<int64_t> operands, results;
};

/// The program of the function that `options` names. Nothing where there is no
/// function with a body, or where it does not fit the operation.
std::optional<ProgramText> writeProgram(const ShapeLibrary &library,
                                        const Request &request,
                                        const ProgramInputs &inputs,
                                        const EvaluationOptions &options = {});

/// Whether the function reads elements of operands.
bool readsElements(const ShapeLibrary &library, const Request &request,
                   const EvaluationOptions &options = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H
