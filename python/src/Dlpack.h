//===- Dlpack.h - tensors of other libraries --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DLPack's capsules, versioned (1.x) and legacy ones, in and out.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_DLPACK_H
#define BROADLOOM_PYTHON_SRC_DLPACK_H

#include "python/src/Arrays.h"

namespace broadloom::python {

/// Borrows what has `__dlpack__`: 1 where it is done, 0 where the object has
/// no such thing, -1 with an exception where it cannot be taken.
int borrowDlpack(PyObject *object, const std::string &name, Borrowed &borrowed);

/// A NumPy array of any element type that borrows what has `__dlpack__`, which
/// `name` is in an exception's message.
PyObject *importDlpack(PyObject *object, const std::string &name);

/// What `__dlpack__` of a NumPy array of any element type gives: a capsule that
/// keeps the array, with the flag for memory that may not be written to. With
/// `isVersioned` it is one of version 1; without, and where the array is
/// read-only, an exception.
PyObject *exportDlpack(PyObject *array, bool isVersioned, bool isCopy);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_DLPACK_H
