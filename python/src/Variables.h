//===- Variables.h - the variables of a program in Python -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_VARIABLES_H
#define BROADLOOM_PYTHON_SRC_VARIABLES_H

#include "driver/CApi.h"
#include "python/src/Python.h"

namespace broadloom::python {

/// The state of a program, as a dictionary of new arrays; null with an
/// exception.
PyObject *readVariables(BroadloomState *state);

/// Whether there is a variable of that name. False with an exception.
bool checkVariable(BroadloomState *state, const char *name);

/// Sets a variable to what `value`, anything that a call takes, has. False with
/// an exception.
bool setVariable(BroadloomState *state, const char *name, PyObject *value);

/// Gives all variables their first values. False with an exception.
bool resetVariables(BroadloomState *state);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_VARIABLES_H
