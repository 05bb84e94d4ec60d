//===- Arrays.cpp - arrays of Python as tensors, and back -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Arrays.h"
#include "python/src/Dlpack.h"
#include "python/src/ElementTypes.h"
#include "python/src/Numbers.h"

#include <cstddef>
#include <cstring>

using namespace broadloom::python;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool broadloom::python::borrowArray(PyArrayObject *array,
                                    BroadloomTensor &tensor) {
  int32_t type = findElementType(PyArray_DESCR(array));
  if (type < 0 || PyArray_ISBYTESWAPPED(array))
    return false;
  int32_t rank = PyArray_NDIM(array);
  if (rank > BROADLOOM_MAX_RANK)
    return false;
  tensor.elementType = BroadloomElementType(type);
  tensor.rank = rank;
  tensor.release = nullptr;
  tensor.manager = nullptr;
  tensor.allocated = tensor.data = PyArray_DATA(array);
  tensor.offset = 0;
  const npy_intp *extents = PyArray_DIMS(array);
  const npy_intp *strides = PyArray_STRIDES(array);
  int64_t bytes = PyArray_ITEMSIZE(array);
  for (int32_t axis = 0; axis < rank; ++axis) {
    tensor.dims[axis] = extents[axis];
    // Sizes of elements are powers of two.
    if (strides[axis] & (bytes - 1))
      return false;
    tensor.dims[rank + axis] = strides[axis] / bytes;
  }
  return true;
}

static bool fail(PyObject *type, const std::string &text) {
  PyErr_SetString(type, text.c_str());
  return false;
}

static std::string describeType(const BroadloomValueInfo &declared) {
  return broadloomElementTypeName(BroadloomElementType(declared.elementType));
}

/// Says why borrowArray has refused the array, or copies it.
static bool borrowOddArray(PyArrayObject *array, const std::string &name,
                           const BroadloomValueInfo &declared,
                           Borrowed &borrowed) {
  PyArray_Descr *descriptor = PyArray_DESCR(array);
  Ref owner;
  std::string text = getTypeText(descriptor, owner);
  if (findElementType(descriptor) < 0)
    return fail(PyExc_TypeError, name + " has element type " + text +
                                     ", which no tensor has; the function "
                                     "takes " +
                                     describeType(declared));
  if (PyArray_ISBYTESWAPPED(array))
    return fail(PyExc_TypeError,
                name + " has element type " + text +
                    ", whose bytes are not in this machine's order; "
                    "x.astype(x.dtype.newbyteorder('=')) brings them into it");
  if (PyArray_NDIM(array) > BROADLOOM_MAX_RANK)
    return fail(PyExc_ValueError, name + " has " +
                                      std::to_string(PyArray_NDIM(array)) +
                                      " axes; a tensor has at most " +
                                      std::to_string(BROADLOOM_MAX_RANK));
  Ref copy(PyArray_NewCopy(array, NPY_CORDER));
  if (!copy || !borrowArray(reinterpret_cast<PyArrayObject *>(copy.get()),
                            borrowed.tensor))
    return false;
  borrowed.owner = copy.take();
  borrowed.whyCopied =
      "has strides that are no multiples of its element's size";
  return true;
}

static bool borrowAnyArray(PyArrayObject *array, const std::string &name,
                           const BroadloomValueInfo &declared,
                           Borrowed &borrowed) {
  borrowed.isReadOnly = !PyArray_ISWRITEABLE(array);
  return borrowArray(array, borrowed.tensor) ||
         borrowOddArray(array, name, declared, borrowed);
}

/// An array that NumPy makes of `object`; `type` may be null, and is stolen.
static bool borrowThroughNumPy(PyObject *object, PyArray_Descr *type,
                               const std::string &name,
                               const BroadloomValueInfo &declared,
                               Borrowed &borrowed) {
  Ref array(PyArray_FromAny(object, type, 0, 0, 0, nullptr));
  if (!array)
    return false;
  if (!borrowAnyArray(reinterpret_cast<PyArrayObject *>(array.get()), name,
                      declared, borrowed))
    return false;
  if (!borrowed.owner)
    borrowed.owner = array.take();
  return true;
}

/// Whether an array is one of numpy.ma: its elements are not all meant.
static bool isMasked(PyObject *array) {
  return !PyArray_CheckExact(array) && PyObject_HasAttrString(array, "mask") &&
         PyObject_HasAttrString(array, "filled");
}

bool broadloom::python::borrow(PyObject *object, const std::string &name,
                               const BroadloomValueInfo &declared,
                               Borrowed &borrowed) {
  borrowed.owner = nullptr;
  borrowed.isReadOnly = false;
  borrowed.whyCopied = nullptr;
  if (PyArray_Check(object) && isMasked(object))
    return fail(PyExc_TypeError,
                name + " is a masked array, whose mask no tensor has; give "
                       "x.filled(value), or x.data without the mask");
  if (PyArray_Check(object))
    return borrowAnyArray(reinterpret_cast<PyArrayObject *>(object), name,
                          declared, borrowed);
  if (isNumber(object)) {
    int32_t element = chooseElementType(object, name, declared);
    PyArray_Descr *type =
        element < 0 ? nullptr : getDescriptor(BroadloomElementType(element));
    if (!type)
      return false;
    Py_INCREF(type);
    return borrowThroughNumPy(object, type, name, declared, borrowed);
  }
  if (PyArray_CheckScalar(object))
    return borrowThroughNumPy(object, nullptr, name, declared, borrowed);
  int known = borrowDlpack(object, name, borrowed);
  if (known != 0)
    return known > 0;
  if (PyObject_CheckBuffer(object) && !PyBytes_Check(object))
    return borrowThroughNumPy(object, nullptr, name, declared, borrowed);
  return fail(PyExc_TypeError,
              name + " is of type " + Py_TYPE(object)->tp_name +
                  "; give an array, as numpy.asarray makes, or what has "
                  "__dlpack__; the function takes " +
                  declared.text);
}

/// Borrows memory that is written to; `use` says why a number has none, and
/// `write` what cannot be done.
static bool borrowWritable(PyObject *object, const std::string &name,
                           const BroadloomValueInfo &declared, const char *use,
                           const char *write, Borrowed &borrowed) {
  // An array of no axes is one.
  if (isNumber(object) || PyArray_IsScalar(object, Generic))
    return fail(PyExc_TypeError, name + " is a number; " + use +
                                     " needs an array to be written to");
  if (!borrow(object, name, declared, borrowed))
    return false;
  if (borrowed.isReadOnly && !declared.isReadOnly)
    return fail(PyExc_ValueError, name + " is read-only; " + write);
  if (borrowed.whyCopied)
    return fail(PyExc_ValueError,
                name + " " + borrowed.whyCopied + "; " + write);
  return true;
}

bool broadloom::python::borrowOutput(PyObject *object, const std::string &name,
                                     const BroadloomValueInfo &declared,
                                     Borrowed &borrowed) {
  return borrowWritable(object, name, declared, "a result",
                        "a result cannot be written to it", borrowed);
}

bool broadloom::python::borrowMemory(PyObject *object, const std::string &name,
                                     const BroadloomValueInfo &declared,
                                     Borrowed &borrowed) {
  return borrowWritable(object, name, declared, "the function",
                        "the function works on the array itself", borrowed);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {

/// Owns the memory of a result: all of a tensor but its extents.
struct MemoryObject {
  PyObject_HEAD char head[offsetof(BroadloomTensor, dims)];
};

PyTypeObject *memoryType = nullptr;

void deallocate(PyObject *self) {
  auto *memory = reinterpret_cast<MemoryObject *>(self);
  BroadloomTensor tensor;
  memcpy(&tensor, memory->head, sizeof(memory->head));
  if (tensor.release)
    tensor.release(&tensor);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

} // namespace

bool broadloom::python::initialiseArrays() {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
                         {0, nullptr}};
  PyType_Spec spec = {"broadloom._core.Memory", sizeof(MemoryObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  memoryType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  return memoryType;
}

PyObject *broadloom::python::makeArray(BroadloomTensor &tensor) {
  PyArray_Descr *descriptor = getDescriptor(tensor.elementType);
  MemoryObject *owner =
      descriptor ? PyObject_New(MemoryObject, memoryType) : nullptr;
  if (!owner) {
    broadloomTensorRelease(&tensor);
    return nullptr;
  }
  static_assert(sizeof(npy_intp) == sizeof(int64_t), "extents are as NumPy's");
  npy_intp *extents = reinterpret_cast<npy_intp *>(tensor.dims);
  memcpy(owner->head, &tensor, sizeof(owner->head));
  Py_INCREF(descriptor);
  PyObject *array =
      PyArray_NewFromDescr(&PyArray_Type, descriptor, tensor.rank, extents,
                           nullptr, tensor.data, NPY_ARRAY_CARRAY, nullptr);
  if (!array) {
    Py_DECREF(owner);
    return nullptr;
  }
  // It takes the reference to the owner, even where it fails.
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(array),
                            reinterpret_cast<PyObject *>(owner)) < 0) {
    Py_DECREF(array);
    return nullptr;
  }
  return array;
}
