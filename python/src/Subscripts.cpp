//===- Subscripts.cpp - what NumPy's arrays have at an index --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Subscripts.h"

using namespace broadloom::python;

namespace {

/// What NumPy has for `array[key]`; null until something is watched.
binaryfunc ofNumPy = nullptr;
/// The types of keys that are handed on, and what takes them; null where
/// nothing is watched.
PyObject *watchedKinds = nullptr;
PyObject *taking = nullptr;

bool isOfKind(PyObject *object) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(watchedKinds); ++i) {
    PyObject *kind = PyTuple_GET_ITEM(watchedKinds, i);
    if (PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(kind)))
      return true;
  }
  return false;
}

/// Whether a key is of a watched type, or a tuple, list or slice with one.
bool isWatched(PyObject *key) {
  if (PyTuple_Check(key) || PyList_Check(key)) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(key); ++i)
      if (isWatched(PySequence_Fast_GET_ITEM(key, i)))
        return true;
    return false;
  }
  if (PySlice_Check(key)) {
    auto *slice = reinterpret_cast<PySliceObject *>(key);
    return isOfKind(slice->start) || isOfKind(slice->stop) ||
           isOfKind(slice->step);
  }
  return isOfKind(key);
}

PyObject *subscript(PyObject *array, PyObject *key) {
  // A class of arrays that is made meanwhile has this function for good.
  if (!taking || !isWatched(key))
    return ofNumPy(array, key);
  // The call may end the watch.
  Py_INCREF(taking);
  Ref take(taking);
  return PyObject_CallFunctionObjArgs(take.get(), array, key, nullptr);
}

} // namespace

void broadloom::python::watchSubscripts(PyObject *kinds, PyObject *take) {
  binaryfunc &slot = PyArray_Type.tp_as_mapping->mp_subscript;
  bool isWatching = take != Py_None;
  if (isWatching && !ofNumPy)
    ofNumPy = slot;
  if (ofNumPy)
    slot = isWatching ? subscript : ofNumPy;
  Py_XSETREF(watchedKinds, isWatching ? Py_NewRef(kinds) : nullptr);
  Py_XSETREF(taking, isWatching ? Py_NewRef(take) : nullptr);
}
