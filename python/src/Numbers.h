//===- Numbers.h - numbers of Python as elements ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number of Python has no element type of its own: it takes the declared one,
// where that can hold it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_NUMBERS_H
#define BROADLOOM_PYTHON_SRC_NUMBERS_H

#include "driver/CApi.h"
#include "python/src/Python.h"

#include <string>

namespace broadloom::python {

/// Whether `object` is a bool, an int or a float, and no scalar of NumPy's.
bool isNumber(PyObject *object);

/// The element type that the number `object` takes where `declared` is taken:
/// the declared one or, where the program does not say the sign and the number
/// needs it, the unsigned one of the same width. -1, with TypeError or
/// ValueError, where the number would have to be changed for it.
int32_t chooseElementType(PyObject *object, const std::string &name,
                          const BroadloomValueInfo &declared);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_NUMBERS_H
