//===- Arrays.h - arrays of Python as tensors, and back ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An argument is borrowed for one call, without a copy: a NumPy array of any
// strides, what has `__dlpack__`, what has the buffer protocol, and a number.
// Where an array's strides are not multiples of its element's size, it is
// copied first.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_ARRAYS_H
#define BROADLOOM_PYTHON_SRC_ARRAYS_H

#include "driver/CApi.h"
#include "python/src/Python.h"

#include <string>

namespace broadloom::python {

/// An argument or an output while a call uses it.
struct Borrowed {
  BroadloomTensor tensor;
  /// What keeps the memory; null where the caller's own reference does.
  PyObject *owner = nullptr;
  bool isReadOnly = false;
  /// Why the memory is a copy and not the caller's, as what the caller's array
  /// does: "has ..."; null where it is the caller's.
  const char *whyCopied = nullptr;

  void release() { Py_CLEAR(owner); }
};

/// Fills in `tensor` of an array of NumPy's that can be borrowed as it is;
/// false where it cannot, without an exception. The common case, inline.
bool borrowArray(PyArrayObject *array, BroadloomTensor &tensor);

/// Borrows any object. `name` is such as "argument 0", and `declared` what the
/// function takes there. False, with an exception, where that cannot be done.
bool borrow(PyObject *object, const std::string &name,
            const BroadloomValueInfo &declared, Borrowed &borrowed);

/// The same for memory that is written to: an exception where it is read-only,
/// or would have to be copied.
bool borrowOutput(PyObject *object, const std::string &name,
                  const BroadloomValueInfo &declared, Borrowed &borrowed);

/// The same for an argument that the function writes to: memory.
bool borrowMemory(PyObject *object, const std::string &name,
                  const BroadloomValueInfo &declared, Borrowed &borrowed);

/// A NumPy array that owns the memory of `tensor`, a result; null with an
/// exception. The tensor is empty afterwards.
PyObject *makeArray(BroadloomTensor &tensor);

/// Prepares the type of the objects that own results. False with an exception.
bool initialiseArrays();

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_ARRAYS_H
