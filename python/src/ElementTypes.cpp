//===- ElementTypes.cpp - element types and NumPy's -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/ElementTypes.h"

#include <cstring>

using namespace broadloom::python;

namespace {

/// What NumPy, or ml_dtypes, calls an element type.
struct TypeNames {
  int number;
  const char *name;
};

// In the order of BroadloomElementType; ml_dtypes' types have no fixed number.
constexpr TypeNames kTypes[] = {
    {NPY_BOOL, nullptr},   {NPY_INT8, nullptr},   {NPY_INT16, nullptr},
    {NPY_INT32, nullptr},  {NPY_INT64, nullptr},  {NPY_UINT8, nullptr},
    {NPY_UINT16, nullptr}, {NPY_UINT32, nullptr}, {NPY_UINT64, nullptr},
    {-1, "float8_e4m3fn"}, {-1, "float8_e5m2"},   {NPY_HALF, nullptr},
    {-1, "bfloat16"},      {NPY_FLOAT, nullptr},  {NPY_DOUBLE, nullptr}};
constexpr int32_t kCount = BROADLOOM_F64 + 1;
static_assert(sizeof(kTypes) / sizeof(kTypes[0]) == kCount,
              "one entry per element type");

/// By NumPy's number: an element type and 1 more, or 0.
struct NumberTable {
  int8_t types[NPY_NTYPES_LEGACY] = {};

  NumberTable() {
    for (int32_t i = 0; i < kCount; ++i)
      if (kTypes[i].number >= 0)
        types[kTypes[i].number] = int8_t(i + 1);
    // Two numbers stand for one type of the machine.
    types[NPY_LONGLONG] = types[NPY_INT64];
    types[NPY_ULONGLONG] = types[NPY_UINT64];
    types[NPY_LONG] = types[NPY_INT64];
    types[NPY_ULONG] = types[NPY_UINT64];
  }
};

} // namespace

int32_t broadloom::python::findElementType(PyArray_Descr *descriptor) {
  static const NumberTable table;
  int number = descriptor->type_num;
  if (number >= 0 && number < NPY_NTYPES_LEGACY)
    return table.types[number] - 1;
  const char *name = descriptor->typeobj->tp_name;
  if (const char *dot = strrchr(name, '.'))
    name = dot + 1;
  for (int32_t i = 0; i < kCount; ++i)
    if (kTypes[i].name && !strcmp(kTypes[i].name, name))
      return i;
  return -1;
}

PyArray_Descr *broadloom::python::getDescriptor(BroadloomElementType type) {
  // Never given back: there is one for the life of the process.
  static PyArray_Descr *descriptors[kCount] = {};
  PyArray_Descr *&descriptor = descriptors[type];
  if (descriptor)
    return descriptor;
  if (kTypes[type].number >= 0)
    return descriptor = PyArray_DescrFromType(kTypes[type].number);
  Ref module(PyImport_ImportModule("ml_dtypes"));
  if (!module) {
    PyErr_Format(PyExc_ImportError,
                 "NumPy has no %s; install ml_dtypes, which has",
                 kTypes[type].name);
    return nullptr;
  }
  Ref scalar(PyObject_GetAttrString(module.get(), kTypes[type].name));
  if (scalar && PyArray_DescrConverter(scalar.get(), &descriptor))
    return descriptor;
  return descriptor = nullptr;
}

const char *broadloom::python::getTypeText(PyArray_Descr *descriptor,
                                           Ref &owner) {
  owner = Ref(PyObject_Str(reinterpret_cast<PyObject *>(descriptor)));
  const char *text = owner ? PyUnicode_AsUTF8(owner.get()) : nullptr;
  if (text)
    return text;
  PyErr_Clear();
  return "?";
}
