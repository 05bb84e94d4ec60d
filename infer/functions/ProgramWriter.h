//===- ProgramWriter.h - shape functions for run time -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the shape function of an operation as a program that can be evaluated
// when the operation runs (shape/FunctionProgram.h), with all functions that it
// calls. Attributes, types and regions are known and become constants; shapes
// and elements of operands are inputs.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H
#define BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

struct ProgramText {
  std::vector<int64_t> code;
  std::vector<std::string> texts;
  /// Whether the function has extents or shapes that depend on data.
  bool hasData = false;
};

/// The input that has the shape of each operand and result; -1 for none.
struct ProgramInputs {
  std::vector<int64_t> operands, results;
};

/// The program of the function that `options` selects. Nothing if there is no
/// function with a body, or if it does not fit the operation.
std::optional<ProgramText> writeProgram(const ShapeLibrary &library,
                                        const Request &request,
                                        const ProgramInputs &inputs,
                                        const EvaluationOptions &options = {});

/// Whether the function reads elements of operands.
bool readsElements(const ShapeLibrary &library, const Request &request,
                   const EvaluationOptions &options = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PROGRAMWRITER_H
