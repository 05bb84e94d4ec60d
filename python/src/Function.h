//===- Function.h - compiled functions as objects of Python -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type `broadloom.Function`. A call goes straight from CPython's vector
// call to the runtime: two tensors of NumPy's are added in well under a
// microsecond.
//
// Invariant: what a call uses is its own. A function keeps what calls have used
// for later ones, under Python's lock, so that any number of threads may call
// it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_FUNCTION_H
#define BROADLOOM_PYTHON_SRC_FUNCTION_H

#include "driver/CApi.h"
#include "python/src/Python.h"

namespace broadloom::python {

/// The type, made at the first call; null with an exception. Its base is the
/// class of broadloom/_function.py, which has the methods written in Python.
PyTypeObject *getFunctionType();

/// A function of `module`, which `program` keeps, and `state` too, which is
/// null where the program has no variables; null with an exception.
PyObject *makeFunction(PyObject *program, const BroadloomModule *module,
                       const BroadloomFunctionInfo *info, BroadloomState *state,
                       int32_t threads);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_FUNCTION_H
