//===- FunctionForms.h - what instructions consist of -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to FunctionVerifier.cpp: the numbers of operands, results and
// immediates of the instructions of a shape function's program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_FUNCTIONFORMS_H
#define BROADLOOM_SHAPE_FUNCTIONFORMS_H

#include "shape/FunctionProgram.h"

namespace broadloom {

/// A closed range of numbers.
struct FunctionRange {
  int64_t least, most;
  bool has(int64_t number) const { return number >= least && number <= most; }
};

/// The numbers of operands, results and immediates of an instruction.
struct FunctionForm {
  FunctionRange operands, results, immediates;
};

FunctionForm getForm(FunctionCode code);

/// Whether the word is a valid code. A code for unsigned numbers is valid only
/// if it differs from the signed operation.
bool isFunctionCode(int64_t word);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FUNCTIONFORMS_H
