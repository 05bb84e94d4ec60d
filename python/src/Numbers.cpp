//===- Numbers.cpp - numbers of Python as elements ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Numbers.h"
#include "python/src/ElementTypes.h"

#include <charconv>
#include <cmath>
#include <limits>

using namespace broadloom::python;

bool broadloom::python::isNumber(PyObject *object) {
  return (PyBool_Check(object) || PyLong_Check(object) ||
          PyFloat_Check(object)) &&
         !PyArray_CheckScalar(object);
}

namespace {

int32_t fail(PyObject *type, const std::string &text) {
  PyErr_SetString(type, text.c_str());
  return -1;
}

std::string describeType(int32_t type) {
  return broadloomElementTypeName(BroadloomElementType(type));
}

int32_t failToFit(PyObject *object, const std::string &name, int32_t type,
                  const std::string &least, const std::string &most) {
  // An int of thousands of digits has no text.
  Ref text(PyObject_Str(object));
  const char *number = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  return fail(PyExc_ValueError,
              name + " is " + (number ? number : "a longer number") + ", but " +
                  describeType(type) + " takes numbers from " + least + " to " +
                  most);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The largest value of an integer type.
uint64_t getMost(int32_t type) {
  int64_t bits = 8 * broadloomElementBytes(BroadloomElementType(type));
  return ~uint64_t(0) >> (64 - bits + (isSignedInteger(type) ? 1 : 0));
}

/// The smallest value of an integer type.
int64_t getLeast(int32_t type) {
  return isSignedInteger(type) ? -int64_t(getMost(type)) - 1 : 0;
}

bool fits(PyObject *object, int32_t type) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0)
    return value < 0 ? value >= getLeast(type)
                     : uint64_t(value) <= getMost(type);
  if (overflow < 0)
    return false;
  uint64_t large = PyLong_AsUnsignedLongLong(object);
  if (!PyErr_Occurred())
    return large <= getMost(type);
  PyErr_Clear();
  return false;
}

int32_t chooseInteger(PyObject *object, const std::string &name,
                      const BroadloomValueInfo &declared) {
  int32_t type = declared.elementType;
  if (PyFloat_Check(object))
    return fail(PyExc_TypeError, name + " is a float, but " +
                                     describeType(type) +
                                     " takes integers; int(x) and round(x) "
                                     "make one");
  if (fits(object, type))
    return type;
  int32_t widest = type;
  if (declared.isSignless && isSignedInteger(type))
    widest = getUnsigned(type);
  if (fits(object, widest))
    return widest;
  return failToFit(object, name, type, std::to_string(getLeast(type)),
                   std::to_string(getMost(widest)));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The largest finite value of a type, and the least number that is rounded to
/// a larger one.
struct FloatLimits {
  double largest, tooLarge;
};

FloatLimits getLimits(int32_t type) {
  switch (type) {
  case BROADLOOM_F8E4M3FN:
    return {448, 464};
  case BROADLOOM_F8E5M2:
    return {57344, 61440};
  case BROADLOOM_F16:
    return {65504, 65520};
  case BROADLOOM_BF16:
    return {0x1.fep127, 0x1.ffp127};
  case BROADLOOM_F32:
    return {0x1.fffffep127, 0x1.ffffffp127};
  default:
    return {std::numeric_limits<double>::max(),
            std::numeric_limits<double>::infinity()};
  }
}

int32_t chooseFloat(PyObject *object, const std::string &name, int32_t type) {
  double value = PyFloat_AsDouble(object);
  bool isTooLarge = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  FloatLimits limits = getLimits(type);
  // An infinity is kept, but in the type that has none.
  if (!isTooLarge && (std::isfinite(value) || type == BROADLOOM_F8E4M3FN))
    isTooLarge = std::fabs(value) >= limits.tooLarge;
  if (!isTooLarge)
    return type;
  char most[32] = {};
  std::to_chars(most, most + sizeof(most) - 1, limits.largest);
  return failToFit(object, name, type, std::string("-") + most, most);
}

} // namespace

int32_t
broadloom::python::chooseElementType(PyObject *object, const std::string &name,
                                     const BroadloomValueInfo &declared) {
  int32_t type = declared.elementType;
  if (type == BROADLOOM_I1 && !PyBool_Check(object))
    return fail(PyExc_TypeError, name + " is of type " +
                                     Py_TYPE(object)->tp_name +
                                     ", but i1 takes True and False; bool(x) "
                                     "makes one of them");
  if (type == BROADLOOM_I1)
    return type;
  return isSignedInteger(type) || isUnsignedInteger(type)
             ? chooseInteger(object, name, declared)
             : chooseFloat(object, name, type);
}
