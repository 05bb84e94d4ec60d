//===- Errors.h - what went wrong, as exceptions of Python ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes are those of broadloom/_errors.py, which says what each is for.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_ERRORS_H
#define BROADLOOM_PYTHON_SRC_ERRORS_H

#include "driver/CApi.h"
#include "python/src/Python.h"

namespace broadloom::python {

/// Adds a note to the exception that is set.
void addNote(const char *text);

/// Sets the exception for a call that has failed.
void raiseCallError(const BroadloomError &error, const char *message);

/// Sets the exception for a question about shapes that has no answer.
void raiseShapesError(BroadloomCompiler *compiler);

/// Sets the exception for the program that `compiler` has refused.
void raiseCompileError(BroadloomCompiler *compiler);

/// Tells what `compiler` warns of. False where a warning is an exception.
bool tellWarnings(BroadloomCompiler *compiler);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_ERRORS_H
