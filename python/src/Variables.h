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

/// Sets variables by a dictionary of what a call takes, all of them or none.
/// `values` is one that nobody else changes. False with an exception.
bool setVariables(BroadloomState *state, PyObject *values);

/// Gives all variables their first values. False with an exception.
bool resetVariables(BroadloomState *state);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_VARIABLES_H
