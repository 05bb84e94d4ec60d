//===- ElementTypes.h - element types and NumPy's ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_ELEMENTTYPES_H
#define BROADLOOM_PYTHON_SRC_ELEMENTTYPES_H

#include "python/src/Python.h"
#include "runtime/calls/Tensor.h"

namespace broadloom::python {

/// The element type of a NumPy type, whatever its byte order; -1 where there is
/// none. The types of ml_dtypes are known by their names.
int32_t findElementType(PyArray_Descr *descriptor);

inline bool isSignedInteger(int32_t type) {
  return type >= BROADLOOM_I8 && type <= BROADLOOM_I64;
}
inline bool isUnsignedInteger(int32_t type) {
  return type >= BROADLOOM_U8 && type <= BROADLOOM_U64;
}
/// The unsigned type as wide as the signed type `type`.
inline int32_t getUnsigned(int32_t type) {
  return type + (BROADLOOM_U8 - BROADLOOM_I8);
}

/// NumPy's type for an element type, borrowed; null with an exception set where
/// it is ml_dtypes' and that is not installed.
PyArray_Descr *getDescriptor(BroadloomElementType type);

/// NumPy's name of the type, as in `float32` and `>f4`.
const char *getTypeText(PyArray_Descr *descriptor, Ref &owner);

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_ELEMENTTYPES_H
