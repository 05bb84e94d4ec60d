//===- Dlpack.cpp - tensors of other libraries ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Dlpack.h"
#include "python/src/ElementTypes.h"
#include "runtime/calls/DLPack.h"

using namespace broadloom::python;

namespace {

constexpr const char *kLegacy = "dltensor", *kVersioned = "dltensor_versioned";
constexpr uint64_t kReadOnly = 1, kCopied = 2;

/// DLManagedTensorVersioned of DLPack 1.
struct VersionedTensor {
  uint32_t major, minor;
  void *context;
  void (*deleter)(VersionedTensor *self);
  uint64_t flags;
  BroadloomDLTensor tensor;
};

bool fail(PyObject *type, const std::string &text) {
  PyErr_SetString(type, text.c_str());
  return false;
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

/// Whether the memory is the processor's.
bool isOnProcessor(PyObject *object, const std::string &name) {
  Ref device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  if (!device)
    return false;
  int type = -1, number = -1;
  if (!PyTuple_Check(device.get()))
    return fail(PyExc_TypeError,
                name + ": __dlpack_device__ gives no tuple of two numbers");
  if (!PyArg_ParseTuple(device.get(), "ii", &type, &number))
    return false;
  return type == BROADLOOM_DL_CPU ||
         fail(PyExc_BufferError,
              name + " is on device (" + std::to_string(type) + ", " +
                  std::to_string(number) +
                  ") of DLPack; move it to the processor's memory, as "
                  "x.cpu() does");
}

/// Whether elements are the negatives of those in memory, as of PyTorch's
/// `z.conj().imag`, which its capsules do not say.
bool isNegated(PyObject *object) {
  Ref method(PyObject_GetAttrString(object, "is_neg"));
  Ref answer(method ? PyObject_CallNoArgs(method.get()) : nullptr);
  PyErr_Clear();
  return answer.get() == Py_True;
}

/// Whether there is an element, and so must be memory.
bool hasElements(const BroadloomDLTensor &tensor) {
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    if (tensor.shape[axis] == 0)
      return false;
  return true;
}

/// A versioned capsule where the object can make one.
PyObject *getCapsule(PyObject *object) {
  Ref method(PyObject_GetAttrString(object, "__dlpack__"));
  if (!method)
    return nullptr;
  Ref none(PyTuple_New(0));
  Ref words(Py_BuildValue("{s:(ii)}", "max_version", 1, 0));
  if (!none || !words)
    return nullptr;
  PyObject *capsule = PyObject_Call(method.get(), none.get(), words.get());
  if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError))
    return capsule;
  // It is older than versions.
  PyErr_Clear();
  return PyObject_CallNoArgs(method.get());
}

/// Fills in `borrowed.tensor` with what is in `capsule`.
bool readCapsule(PyObject *capsule, const std::string &name,
                 Borrowed &borrowed) {
  BroadloomDLTensor tensor;
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    auto *managed = static_cast<VersionedTensor *>(
        PyCapsule_GetPointer(capsule, kVersioned));
    if (managed->major > 1)
      return fail(PyExc_BufferError,
                  name + " is a capsule of version " +
                      std::to_string(managed->major) +
                      " of DLPack; versions up to 1 are understood");
    tensor = managed->tensor;
    borrowed.isReadOnly = managed->flags & kReadOnly;
    if (managed->flags & kCopied)
      borrowed.whyCopied = "gives a copy of its memory through DLPack";
  } else if (PyCapsule_IsValid(capsule, kLegacy)) {
    tensor = static_cast<BroadloomDLManagedTensor *>(
                 PyCapsule_GetPointer(capsule, kLegacy))
                 ->tensor;
  } else {
    return fail(PyExc_TypeError, name + ": __dlpack__ gives no DLPack capsule");
  }
  if (!tensor.data && hasElements(tensor))
    return fail(PyExc_BufferError,
                name + " has elements, but no memory that has them; give a "
                       "copy, as x.clone() does");
  BroadloomDLManagedTensor managed = {tensor, nullptr, nullptr};
  if (broadloomTensorFromDLPack(&managed, &borrowed.tensor) != BROADLOOM_OK)
    return fail(PyExc_TypeError,
                name + " has " + std::to_string(tensor.ndim) +
                    " axes and elements of " + std::to_string(tensor.bits) +
                    " bits with DLPack's code " + std::to_string(tensor.code) +
                    ", which no tensor has");
  // The capsule keeps the memory, and gives it back.
  borrowed.tensor.release = nullptr;
  borrowed.tensor.manager = nullptr;
  return true;
}

} // namespace

int broadloom::python::borrowDlpack(PyObject *object, const std::string &name,
                                    Borrowed &borrowed) {
  if (!PyObject_HasAttrString(object, "__dlpack__"))
    return 0;
  if (!isOnProcessor(object, name))
    return -1;
  if (isNegated(object)) {
    fail(PyExc_BufferError, name + " is a view that negates what is in memory, "
                                   "which DLPack cannot say; give "
                                   "x.resolve_neg()");
    return -1;
  }
  Ref capsule(getCapsule(object));
  if (!capsule || !readCapsule(capsule.get(), name, borrowed))
    return -1;
  borrowed.owner = capsule.take();
  return 1;
}

PyObject *broadloom::python::importDlpack(PyObject *object,
                                          const std::string &name) {
  Borrowed borrowed;
  int known = borrowDlpack(object, name, borrowed);
  if (known == 0)
    fail(PyExc_TypeError, name + " has no __dlpack__");
  if (known <= 0)
    return nullptr;
  Ref owner(borrowed.owner);
  const BroadloomTensor &tensor = borrowed.tensor;
  PyArray_Descr *descriptor = getDescriptor(tensor.elementType);
  if (!descriptor)
    return nullptr;
  npy_intp bytes = PyDataType_ELSIZE(descriptor);
  npy_intp extents[BROADLOOM_MAX_RANK], strides[BROADLOOM_MAX_RANK];
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    extents[axis] = tensor.dims[axis];
    strides[axis] = tensor.dims[tensor.rank + axis] * bytes;
  }
  Py_INCREF(descriptor);
  Ref array(PyArray_NewFromDescr(
      &PyArray_Type, descriptor, tensor.rank, extents, strides,
      static_cast<char *>(tensor.data) + tensor.offset * bytes,
      borrowed.isReadOnly ? 0 : NPY_ARRAY_WRITEABLE, nullptr));
  if (!array ||
      PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(array.get()),
                            owner.take()) < 0)
    return nullptr;
  PyArray_UpdateFlags(reinterpret_cast<PyArrayObject *>(array.get()),
                      NPY_ARRAY_UPDATE_ALL);
  return array.take();
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

namespace {

/// Gives back the array that a tensor on loan is of, from any thread.
void releaseArray(BroadloomTensor *tensor) {
  // At the end of the process there is nobody to give it to.
  if (!Py_IsInitialized())
    return;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(static_cast<PyObject *>(tensor->manager));
  PyGILState_Release(state);
}

void deleteVersioned(VersionedTensor *tensor) {
  auto *managed = static_cast<BroadloomDLManagedTensor *>(tensor->context);
  managed->deleter(managed);
  delete tensor;
}

/// What a capsule does at its end if no consumer has taken the tensor.
void destroyCapsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, kVersioned))
    deleteVersioned(static_cast<VersionedTensor *>(
        PyCapsule_GetPointer(capsule, kVersioned)));
  else if (PyCapsule_IsValid(capsule, kLegacy)) {
    auto *managed = static_cast<BroadloomDLManagedTensor *>(
        PyCapsule_GetPointer(capsule, kLegacy));
    managed->deleter(managed);
  }
}

} // namespace

PyObject *broadloom::python::exportDlpack(PyObject *object, bool isVersioned,
                                          bool isCopy) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  BroadloomTensor tensor;
  if (!borrowArray(array, tensor)) {
    fail(PyExc_BufferError, "the array's elements have no form in DLPack");
    return nullptr;
  }
  if (!isVersioned && !PyArray_ISWRITEABLE(array)) {
    fail(PyExc_BufferError,
         "the array is read-only, which capsules without a version cannot "
         "say; pass max_version=(1, 0), or copy the array");
    return nullptr;
  }
  Py_INCREF(object);
  tensor.manager = object;
  tensor.release = releaseArray;
  BroadloomDLManagedTensor *managed = broadloomTensorToDLPack(&tensor);
  if (!managed)
    return PyErr_NoMemory();
  if (!isVersioned)
    return PyCapsule_New(managed, kLegacy, destroyCapsule);
  uint64_t flags =
      (PyArray_ISWRITEABLE(array) ? 0 : kReadOnly) | (isCopy ? kCopied : 0);
  auto *versioned = new VersionedTensor{
      1, 0, managed, deleteVersioned, flags, managed->tensor};
  return PyCapsule_New(versioned, kVersioned, destroyCapsule);
}
