//===- Python.h - CPython and NumPy, included in one way --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file of the module uses one table of NumPy's functions, which
// Module.cpp fills.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_PYTHON_H
#define BROADLOOM_PYTHON_SRC_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL broadloomNumPy
#ifndef BROADLOOM_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <utility>

namespace broadloom::python {

/// A reference that is given back at the end of the scope.
class Ref {
public:
  Ref() = default;
  explicit Ref(PyObject *object) : object(object) {}
  Ref(Ref &&other) noexcept : object(other.take()) {}
  Ref &operator=(Ref &&other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *take() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object; }

private:
  PyObject *object = nullptr;
};

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_PYTHON_H
