//===- Variables.cpp - the variables of a program in Python ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Variables.h"
#include "python/src/Arrays.h"

#include <cstring>
#include <string>

using namespace broadloom::python;

/// Sets the exception for a status of a state.
static bool raise(const BroadloomState *state, int32_t status) {
  PyErr_SetString(status == BROADLOOM_OUT_OF_MEMORY ? PyExc_MemoryError
                                                    : PyExc_ValueError,
                  broadloomStateMessage(state));
  return false;
}

/// An array of its own with the elements of a variable, which are row-major.
static PyObject *copyArray(const BroadloomTensor &value) {
  BroadloomTensor copy;
  if (broadloomTensorCreate(value.elementType, value.rank, value.dims, &copy) !=
      BROADLOOM_OK)
    return PyErr_NoMemory();
  int64_t bytes = broadloomElementBytes(value.elementType);
  if (int64_t count = broadloomTensorCount(&value))
    std::memcpy(copy.data,
                static_cast<char *>(value.data) + value.offset * bytes,
                size_t(count * bytes));
  return makeArray(copy);
}

PyObject *broadloom::python::readVariables(const BroadloomState *state) {
  Ref variables(PyDict_New());
  int32_t count = state ? broadloomStateNumVariables(state) : 0;
  for (int32_t i = 0; variables && i < count; ++i) {
    const char *name = broadloomStateName(state, i);
    const BroadloomTensor *value = broadloomStateGet(state, name);
    if (!value) {
      PyErr_Format(PyExc_RuntimeError,
                   "the variable '%s' cannot be read while a call works on it",
                   name);
      return nullptr;
    }
    Ref array(copyArray(*value));
    if (!array || PyDict_SetItemString(variables.get(), name, array.get()) < 0)
      return nullptr;
  }
  return variables.take();
}

bool broadloom::python::setVariable(BroadloomState *state, const char *name,
                                    PyObject *value) {
  const BroadloomTensor *held =
      state ? broadloomStateGet(state, name) : nullptr;
  if (!held) {
    PyErr_Format(PyExc_KeyError, "the program has no variable '%s'", name);
    return false;
  }
  // A variable takes its own element type, and none of the other sign.
  BroadloomValueInfo declared = {held->elementType, /*isSignless=*/0,
                                 /*rank=*/-1,       /*extents=*/nullptr,
                                 /*names=*/nullptr, /*text=*/"a variable"};
  Borrowed borrowed;
  if (!borrow(value, "variable '" + std::string(name) + "'", declared,
              borrowed))
    return false;
  if (borrowed.tensor.elementType != held->elementType) {
    PyErr_Format(PyExc_TypeError,
                 "the variable '%s' has elements of type %s, but %s is given",
                 name, broadloomElementTypeName(held->elementType),
                 broadloomElementTypeName(borrowed.tensor.elementType));
    borrowed.release();
    return false;
  }
  int32_t status = broadloomStateSet(state, name, &borrowed.tensor);
  borrowed.release();
  return status == BROADLOOM_OK || raise(state, status);
}

bool broadloom::python::resetVariables(BroadloomState *state) {
  int32_t status = state ? broadloomStateReset(state) : int32_t(BROADLOOM_OK);
  return status == BROADLOOM_OK || raise(state, status);
}
