//===- Subscripts.h - what NumPy's arrays have at an index ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `table[i]` of an array of NumPy's asks the index for its values, and gives
// nobody else a say. An index that is traced has none. While functions are
// traced, arrays of NumPy's therefore hand such indices to the trace.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_SUBSCRIPTS_H
#define BROADLOOM_PYTHON_SRC_SUBSCRIPTS_H

#include "python/src/Python.h"

namespace broadloom::python {

/// From now on `array[key]` is `take(array, key)` where the key is, or has in
/// it, an object of one of `kinds`, a tuple of types; all else is NumPy's. None
/// for `take` ends that.
void watchSubscripts(PyObject *kinds, PyObject *take);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_SUBSCRIPTS_H
