//===- CallState.cpp - what one call of a function uses -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/CallState.h"
#include "python/src/ElementTypes.h"
#include "python/src/Errors.h"
#include "python/src/Waiting.h"

#include <algorithm>
#include <string>

using namespace broadloom::python;

CallState::CallState(const BroadloomModule *module,
                     const BroadloomFunctionInfo *info, BroadloomState *state)
    : info(info), invocation(broadloomInvocationCreate(module, info->name)),
      arguments(new Borrowed[size_t(info->numArguments)]),
      outputs(new Borrowed[size_t(info->numResults)]),
      outputObjects(size_t(info->numResults)) {
  for (int32_t i = 0; i < info->numArguments; ++i)
    pointers.push_back(&arguments[size_t(i)].tensor);
  // All calls of a program work on its state.
  if (state)
    broadloomInvocationSetState(invocation, state);
  broadloomInvocationOnPause(invocation, lookForSignals, this);
}

CallState::~CallState() {
  WatchedCall::forget();
  broadloomInvocationDestroy(invocation);
}

//===----------------------------------------------------------------------===//
// Arguments and outputs
//===----------------------------------------------------------------------===//

bool CallState::setArguments(PyObject *const *objects) {
  for (int32_t i = 0; i < info->numArguments; ++i) {
    Borrowed &argument = arguments[size_t(i)];
    const BroadloomValueInfo &declared = info->arguments[i];
    if (declared.isMemory) {
      if (!borrowMemory(objects[i], declared.called, declared, argument))
        return false;
      continue;
    }
    if (PyArray_CheckExact(objects[i]) &&
        borrowArray(reinterpret_cast<PyArrayObject *>(objects[i]),
                    argument.tensor))
      continue;
    if (!borrow(objects[i], declared.called, declared, argument))
      return false;
  }
  return true;
}

/// The end of a noun after a number.
static const char *spellPlural(Py_ssize_t count) {
  return count == 1 ? "" : "s";
}

/// The objects for results that `out` has; null with an exception.
static PyObject *listOutputs(PyObject *out, const BroadloomFunctionInfo *info) {
  bool isSequence = PyTuple_Check(out) || PyList_Check(out);
  if (!isSequence && info->numResults == 1)
    return PyTuple_Pack(1, out);
  if (!isSequence) {
    PyErr_Format(PyExc_TypeError,
                 "out is of type %s, but '%s' has %d result%s; give a tuple of "
                 "as many arrays, with None for those that need no memory",
                 Py_TYPE(out)->tp_name, info->name, int(info->numResults),
                 spellPlural(info->numResults));
    return nullptr;
  }
  Ref list(PySequence_Tuple(out));
  if (list && PyTuple_GET_SIZE(list.get()) != info->numResults) {
    PyErr_Format(
        PyExc_ValueError, "out has %zd array%s, but '%s' has %d result%s",
        PyTuple_GET_SIZE(list.get()), spellPlural(PyTuple_GET_SIZE(list.get())),
        info->name, int(info->numResults), spellPlural(info->numResults));
    return nullptr;
  }
  return list.take();
}

bool CallState::setOutputs(PyObject *out) {
  outputList = Ref(listOutputs(out, info));
  if (!outputList)
    return false;
  hasOutputs = true;
  for (int32_t i = 0; i < info->numResults; ++i) {
    PyObject *object = PyTuple_GET_ITEM(outputList.get(), i);
    if (object == Py_None)
      continue;
    std::string name =
        info->numResults == 1 ? "out" : "out[" + std::to_string(i) + "]";
    Borrowed &output = outputs[size_t(i)];
    if (!borrowOutput(object, name, info->results[i], output))
      return false;
    if (output.tensor.elementType != info->results[i].elementType) {
      PyErr_Format(PyExc_TypeError,
                   "%s has element type %s, but result %d has %s", name.c_str(),
                   broadloomElementTypeName(output.tensor.elementType), int(i),
                   broadloomElementTypeName(
                       BroadloomElementType(info->results[i].elementType)));
      return false;
    }
    outputObjects[size_t(i)] = object;
    broadloomInvocationSetOutput(invocation, i, &output.tensor);
  }
  return true;
}

void CallState::release() {
  for (int32_t i = 0; i < info->numArguments; ++i)
    arguments[size_t(i)].release();
  if (!hasOutputs)
    return;
  for (int32_t i = 0; i < info->numResults; ++i) {
    outputs[size_t(i)].release();
    if (outputObjects[size_t(i)])
      broadloomInvocationSetOutput(invocation, i, nullptr);
    outputObjects[size_t(i)] = nullptr;
  }
  outputList = Ref();
  hasOutputs = false;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

int32_t CallState::lookForSignals(void *self) {
  auto &state = *static_cast<CallState *>(self);
  WatchedCall::paused();
  PyEval_RestoreThread(state.thread);
  int32_t raised = PyErr_CheckSignals();
  state.thread = PyEval_SaveThread();
  return raised;
}

bool CallState::run(int32_t threads) {
  int32_t status;
  {
    WatchedCall watched(invocation);
    thread = PyEval_SaveThread();
    broadloomInvocationSetThreads(invocation, threads);
    status =
        broadloomInvocationRun(invocation, pointers.data(), info->numArguments);
    PyEval_RestoreThread(thread);
  }
  if (status == BROADLOOM_OK)
    return true;
  if (PyErr_Occurred()) {
    addNote(broadloomInvocationMessage(invocation));
    return false;
  }
  raise();
  return false;
}

/// Whether `given` is an integer type of the same width as `declared`.
static bool isOfEitherSign(int32_t given, int32_t declared) {
  return isSignedInteger(declared) && given == getUnsigned(declared);
}

bool CallState::hasWrongType() const {
  for (int32_t i = 0; i < info->numArguments; ++i) {
    const BroadloomValueInfo &declared = info->arguments[i];
    int32_t given = pointers[size_t(i)]->elementType;
    if (given != declared.elementType &&
        !(declared.isSignless && isOfEitherSign(given, declared.elementType)))
      return true;
  }
  return false;
}

void CallState::raise() {
  const BroadloomError *error = broadloomInvocationError(invocation);
  const char *message = broadloomInvocationMessage(invocation);
  if (error->status == BROADLOOM_INVALID_ARGUMENT && hasWrongType())
    PyErr_SetString(PyExc_TypeError, message);
  else
    raiseCallError(*error, message);
}

void CallState::raiseCount(Py_ssize_t count) {
  // No argument is looked at where their number is wrong.
  broadloomInvocationRun(invocation, nullptr, int32_t(count));
  PyErr_SetString(PyExc_TypeError, broadloomInvocationMessage(invocation));
}

PyObject *CallState::takeResult(int32_t index) {
  if (hasOutputs && outputObjects[size_t(index)]) {
    PyObject *object = outputObjects[size_t(index)];
    Py_INCREF(object);
    return object;
  }
  BroadloomTensor result;
  if (broadloomInvocationTakeResult(invocation, index, &result) == BROADLOOM_OK)
    return makeArray(result);
  raise();
  return nullptr;
}

PyObject *CallState::takeResults() {
  auto isMemory = [](const BroadloomValueInfo &value) {
    return value.isMemory != 0;
  };
  if (info->numResults == 0 &&
      std::any_of(info->arguments, info->arguments + info->numArguments,
                  isMemory))
    Py_RETURN_NONE;
  if (info->numResults == 1)
    return takeResult(0);
  Ref results(PyTuple_New(info->numResults));
  for (int32_t i = 0; results && i < info->numResults; ++i) {
    PyObject *result = takeResult(i);
    if (!result)
      return nullptr;
    PyTuple_SET_ITEM(results.get(), i, result);
  }
  return results.take();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// A number, or a text such as `<=8` where data decides.
static PyObject *makeExtent(const BroadloomShape &shape, int32_t axis) {
  int64_t extent = shape.extents[axis];
  if (!(shape.inexact >> axis & 1))
    return PyLong_FromLongLong(extent);
  if (extent < 0)
    Py_RETURN_NONE;
  return PyUnicode_FromFormat("<=%lld", (long long)extent);
}

PyObject *CallState::computeShapes() {
  std::vector<BroadloomShape> shapes(size_t(info->numResults));
  int32_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = broadloomInvocationShapes(invocation, pointers.data(),
                                     info->numArguments, shapes.data());
  Py_END_ALLOW_THREADS;
  if (status != BROADLOOM_OK) {
    raise();
    return nullptr;
  }
  Ref list(PyList_New(info->numResults));
  for (int32_t i = 0; list && i < info->numResults; ++i) {
    const BroadloomShape &shape = shapes[size_t(i)];
    PyObject *extents = PyTuple_New(shape.rank);
    for (int32_t axis = 0; extents && axis < shape.rank; ++axis)
      PyTuple_SET_ITEM(extents, axis, makeExtent(shape, axis));
    PyList_SET_ITEM(list.get(), i, extents);
  }
  return PyErr_Occurred() ? nullptr : list.take();
}
