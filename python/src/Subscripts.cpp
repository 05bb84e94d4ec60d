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

/// How many tuples and lists are looked into. A list may have itself in it.
constexpr int kMaxLists = 10000;
/// NumPy takes no deeper lists.
constexpr int kMaxDepth = NPY_MAXDIMS + 1;

/// Whether a key is of a watched type, or a tuple, list or slice with one.
/// `lists` is how many of them may be looked into.
bool isWatched(PyObject *key, int &lists, int depth) {
  if (PyTuple_Check(key) || PyList_Check(key)) {
    if (depth == kMaxDepth || --lists < 0)
      return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(key); ++i)
      if (isWatched(PySequence_Fast_GET_ITEM(key, i), lists, depth + 1))
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
  int lists = kMaxLists;
  if (!taking || !isWatched(key, lists, /*depth=*/0))
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
