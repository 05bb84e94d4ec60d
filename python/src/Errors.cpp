//===- Errors.cpp - what went wrong, as exceptions of Python --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Errors.h"

#include <cstring>
#include <string>

using namespace broadloom::python;

/// A class of broadloom/_errors.py.
static PyObject *findClass(const char *name) {
  Ref module(PyImport_ImportModule("broadloom._errors"));
  return module ? PyObject_GetAttrString(module.get(), name) : nullptr;
}

static PyObject *makeText(const char *text) {
  return PyUnicode_DecodeUTF8(text, Py_ssize_t(strlen(text)), "replace");
}

/// A text, or None where it is empty.
static PyObject *makeOptional(const char *text) {
  if (!*text)
    Py_RETURN_NONE;
  return makeText(text);
}

/// The extents that do not fit; None for one that is not known.
static PyObject *makeExtents(const BroadloomError &error) {
  Ref extents(PyTuple_New(error.numExtents));
  for (int32_t i = 0; extents && i < error.numExtents; ++i) {
    PyObject *extent = Py_None;
    if (error.extents[i] < 0)
      Py_INCREF(extent);
    else
      extent = PyLong_FromLongLong(error.extents[i]);
    PyTuple_SET_ITEM(extents.get(), i, extent);
  }
  return extents.take();
}

static PyObject *makeOperands(const BroadloomError &error) {
  Ref operands(PyTuple_New(error.numOperands));
  for (int32_t i = 0; operands && i < error.numOperands; ++i)
    PyTuple_SET_ITEM(operands.get(), i, makeText(error.operands[i]));
  return operands.take();
}

static void setAttribute(PyObject *object, const char *name, PyObject *value) {
  Ref owner(value);
  if (value)
    PyObject_SetAttrString(object, name, value);
}

static PyObject *makeAxis(const BroadloomError &error) {
  if (error.axis < 0)
    Py_RETURN_NONE;
  return PyLong_FromLong(error.axis);
}

/// Sets an exception of `type` with what `error` says; `type` is given back.
static void raise(Ref type, const BroadloomError &error, const char *message) {
  if (!type)
    return;
  Ref text(makeText(message));
  Ref exception(text ? PyObject_CallOneArg(type.get(), text.get()) : nullptr);
  if (!exception)
    return;
  setAttribute(exception.get(), "operation", makeOptional(error.operation));
  setAttribute(exception.get(), "location", makeOptional(error.location));
  setAttribute(exception.get(), "axis", makeAxis(error));
  setAttribute(exception.get(), "extents", makeExtents(error));
  setAttribute(exception.get(), "operands", makeOperands(error));
  if (!PyErr_Occurred())
    PyErr_SetObject(type.get(), exception.get());
}

void broadloom::python::addNote(const char *text) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Ref done(value ? PyObject_CallMethod(value, "add_note", "s", text) : nullptr);
  PyErr_Clear();
  PyErr_Restore(type, value, trace);
}

void broadloom::python::raiseCallError(const BroadloomError &error,
                                       const char *message) {
  switch (error.status) {
  case BROADLOOM_OUT_OF_MEMORY:
    PyErr_Format(PyExc_MemoryError, "%s", message);
    return;
  case BROADLOOM_CANCELLED:
    return raise(Ref(findClass("CancelledError")), error, message);
  case BROADLOOM_INTERNAL_ERROR:
    return raise(Ref(findClass("InternalError")), error, message);
  default:
    if (error.isAboutShapes)
      return raise(Ref(findClass("ShapeError")), error, message);
    PyErr_Format(PyExc_ValueError, "%s", message);
  }
}

void broadloom::python::raiseShapesError(BroadloomCompiler *compiler) {
  const BroadloomError &error = *broadloomShapesError(compiler);
  if (error.status == BROADLOOM_INVALID_ARGUMENT &&
      broadloomNumDiagnostics(compiler) > 0)
    return raiseCompileError(compiler);
  std::string message;
  if (*error.location)
    message += std::string(error.location) + ": ";
  if (*error.operation)
    message += "'" + std::string(error.operation) + "': ";
  raiseCallError(error, (message + error.text).c_str());
}

/// The diagnostic that says what is wrong: the first error.
static const BroadloomError *findError(BroadloomCompiler *compiler) {
  for (int32_t i = 0; i < broadloomNumDiagnostics(compiler); ++i)
    if (const BroadloomError *error = broadloomDiagnostic(compiler, i);
        error->severity == BROADLOOM_ERROR)
      return error;
  return nullptr;
}

static std::string trimmed(const char *text) {
  std::string result = text;
  while (!result.empty() && result.back() == '\n')
    result.pop_back();
  return result;
}

void broadloom::python::raiseCompileError(BroadloomCompiler *compiler) {
  std::string text = trimmed(broadloomDiagnostics(compiler));
  const BroadloomError *error = findError(compiler);
  static const BroadloomError none = {0,  0, 0,       -1, "",     "",
                                      "", 0, nullptr, 0,  nullptr};
  int32_t status = broadloomCompileStatus(compiler);
  const char *name = status == BROADLOOM_INTERNAL_ERROR ? "InternalError"
                     : status == BROADLOOM_CANCELLED    ? "CancelledError"
                     : error && error->isAboutShapes    ? "ShapeError"
                                                        : "CompileError";
  raise(Ref(findClass(name)), error ? *error : none, text.c_str());
}

bool broadloom::python::tellWarnings(BroadloomCompiler *compiler) {
  std::string text = trimmed(broadloomDiagnostics(compiler));
  if (text.empty())
    return true;
  Ref category(findClass("CompileWarning"));
  return category &&
         PyErr_WarnFormat(category.get(), 2, "%s", text.c_str()) == 0;
}
