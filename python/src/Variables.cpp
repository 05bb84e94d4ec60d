//===- Variables.cpp - the variables of a program in Python ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Variables.h"
#include "python/src/Arrays.h"

#include <deque>
#include <string>
#include <vector>

using namespace broadloom::python;

/// Sets the exception for a status of a state.
static bool raise(const BroadloomState *state, int32_t status) {
  PyErr_SetString(status == BROADLOOM_OUT_OF_MEMORY ? PyExc_MemoryError
                                                    : PyExc_ValueError,
                  broadloomStateMessage(state));
  return false;
}

PyObject *broadloom::python::readVariables(BroadloomState *state) {
  Ref variables(PyDict_New());
  int32_t count = state ? broadloomStateNumVariables(state) : 0;
  for (int32_t i = 0; variables && i < count; ++i) {
    const char *name = broadloomStateName(state, i);
    BroadloomTensor value;
    if (int32_t status = broadloomStateCopy(state, name, &value)) {
      raise(state, status);
      return nullptr;
    }
    Ref array(makeArray(value));
    if (!array || PyDict_SetItemString(variables.get(), name, array.get()) < 0)
      return nullptr;
  }
  return variables.take();
}

/// The element type of a variable; -1, with the exception, where there is none.
static int32_t findType(BroadloomState *state, const char *name) {
  int32_t type = state ? broadloomStateElementType(state, name) : -1;
  if (type < 0)
    PyErr_Format(PyExc_KeyError, "the program has no variable '%s'", name);
  return type;
}

/// Borrows what is to become the value of a variable. False with an exception.
static bool borrowValue(BroadloomState *state, const char *name,
                        PyObject *value, Borrowed &borrowed) {
  int32_t type = findType(state, name);
  if (type < 0)
    return false;
  // A variable takes its own element type, and none of the other sign.
  BroadloomValueInfo declared = {type,
                                 /*isSignless=*/0,
                                 /*rank=*/-1,
                                 /*extents=*/nullptr,
                                 /*names=*/nullptr,
                                 /*text=*/"a variable",
                                 /*name=*/"",
                                 /*called=*/"",
                                 /*isMemory=*/0,
                                 /*isReadOnly=*/0};
  if (!borrow(value, "variable '" + std::string(name) + "'", declared,
              borrowed))
    return false;
  if (int32_t(borrowed.tensor.elementType) == type)
    return true;
  PyErr_Format(PyExc_TypeError,
               "the variable '%s' has elements of type %s, but %s is given",
               name, broadloomElementTypeName(BroadloomElementType(type)),
               broadloomElementTypeName(borrowed.tensor.elementType));
  return false;
}

bool broadloom::python::setVariables(BroadloomState *state, PyObject *values) {
  // Tensors may point into what is borrowed: it stays where it is.
  std::deque<Borrowed> borrowed;
  std::vector<const char *> names;
  std::vector<const BroadloomTensor *> tensors;
  PyObject *key, *value;
  bool isRight = true;
  for (Py_ssize_t at = 0; isRight && PyDict_Next(values, &at, &key, &value);) {
    if (!PyUnicode_Check(key)) {
      PyErr_Format(PyExc_TypeError,
                   "variables are set by their names, but %R is given", key);
      isRight = false;
      break;
    }
    const char *name = PyUnicode_AsUTF8(key);
    isRight = name && borrowValue(state, name, value, borrowed.emplace_back());
    names.push_back(name);
    tensors.push_back(&borrowed.back().tensor);
  }
  if (isRight && !names.empty())
    if (int32_t status = broadloomStateSetAll(state, int32_t(names.size()),
                                              names.data(), tensors.data()))
      isRight = raise(state, status);
  for (Borrowed &each : borrowed)
    each.release();
  return isRight;
}

bool broadloom::python::resetVariables(BroadloomState *state) {
  int32_t status = state ? broadloomStateReset(state) : int32_t(BROADLOOM_OK);
  return status == BROADLOOM_OK || raise(state, status);
}
