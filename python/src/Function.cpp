//===- Function.cpp - compiled functions as objects of Python -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Function.h"
#include "python/src/CallState.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <structmember.h>

using namespace broadloom::python;

namespace {

/// What calls of one function share, under Python's lock.
struct Calls {
  std::vector<std::unique_ptr<CallState>> all;
  std::vector<CallState *> idle;
};

struct FunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *program;
  PyObject *weakReferences;
  const BroadloomModule *module;
  const BroadloomFunctionInfo *info;
  BroadloomState *state;
  Calls *calls;
  int32_t threads;
  bool findsLeaks;

  CallState *take() {
    if (calls->idle.empty()) {
      calls->all.push_back(std::make_unique<CallState>(module, info, state));
      return calls->all.back().get();
    }
    CallState *state = calls->idle.back();
    calls->idle.pop_back();
    return state;
  }
};

/// A state that goes back to its function at the end of the scope.
class Lease {
public:
  explicit Lease(FunctionObject *function)
      : function(function), state(function->take()) {}
  Lease(const Lease &) = delete;
  ~Lease() {
    state->release();
    function->calls->idle.push_back(state);
  }
  CallState *operator->() const { return state; }

private:
  FunctionObject *function;
  CallState *state;
};

FunctionObject *asFunction(PyObject *self) {
  return reinterpret_cast<FunctionObject *>(self);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call with keywords gives: the arguments in order, and `out`.
struct Given {
  std::vector<PyObject *> arguments;
  PyObject *out = Py_None;
};

/// The names that keywords may have, as the end of a message.
std::string listNames(const BroadloomFunctionInfo *info) {
  std::string listed = "; there are: ";
  for (int32_t i = 0; i < info->numArguments; ++i)
    if (const char *name = info->arguments[i].name; *name)
      listed += std::string(name) + ", ";
  return listed + "out";
}

/// Puts the value of a keyword in its place; false with an exception where
/// there is none. `out` is the caller's memory, whatever arguments are called.
bool place(const BroadloomFunctionInfo *info, PyObject *name, PyObject *value,
           Given &given) {
  if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
    given.out = value;
    return true;
  }
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(name, &size);
  if (!text)
    return false;
  for (int32_t i = 0; i < info->numArguments; ++i) {
    if (info->arguments[i].name != std::string_view(text, size_t(size)))
      continue;
    if (!given.arguments[size_t(i)]) {
      given.arguments[size_t(i)] = value;
      return true;
    }
    PyErr_Format(PyExc_TypeError,
                 "'%s' is given the argument '%U' by position and by name",
                 info->name, name);
    return false;
  }
  PyErr_Format(PyExc_TypeError, "'%s' has no keyword argument '%U'%s",
               info->name, name, listNames(info).c_str());
  return false;
}

/// Fills `given` of a call with keywords; false with an exception where they do
/// not fit.
bool take(const BroadloomFunctionInfo *info, PyObject *const *arguments,
          Py_ssize_t count, PyObject *names, Given &given) {
  given.arguments.assign(arguments, arguments + count);
  given.arguments.resize(
      size_t(std::max<Py_ssize_t>(count, info->numArguments)));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i)
    if (!place(info, PyTuple_GET_ITEM(names, i), arguments[count + i], given))
      return false;
  // Missing ones behind the others are told of as those of other calls.
  while (!given.arguments.empty() && !given.arguments.back())
    given.arguments.pop_back();
  for (size_t i = 0; i < given.arguments.size(); ++i) {
    if (given.arguments[i])
      continue;
    PyErr_Format(PyExc_TypeError, "'%s' is not given %s", info->name,
                 info->arguments[i].called);
    return false;
  }
  return true;
}

PyObject *call(PyObject *self, PyObject *const *arguments, size_t flags,
               PyObject *names) {
  FunctionObject *function = asFunction(self);
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  Given given;
  if (names && PyTuple_GET_SIZE(names) > 0) {
    if (!take(function->info, arguments, count, names, given))
      return nullptr;
    arguments = given.arguments.data();
    count = Py_ssize_t(given.arguments.size());
  }
  PyObject *out = given.out;
  Lease state(function);
  if (count != function->info->numArguments) {
    state->raiseCount(count);
    return nullptr;
  }
  state->setFindsLeaks(function->findsLeaks);
  if (!state->setArguments(arguments) ||
      (out != Py_None && !state->setOutputs(out)) ||
      !state->run(function->threads))
    return nullptr;
  return state->takeResults();
}

PyObject *computeShapes(PyObject *self, PyObject *const *arguments,
                        Py_ssize_t count) {
  FunctionObject *function = asFunction(self);
  Lease state(function);
  if (count != function->info->numArguments) {
    state->raiseCount(count);
    return nullptr;
  }
  return state->setArguments(arguments) ? state->computeShapes() : nullptr;
}

PyObject *cancel(PyObject *self, PyObject *) {
  for (const auto &state : asFunction(self)->calls->all)
    state->cancel();
  Py_RETURN_NONE;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

PyObject *getName(PyObject *self, void *) {
  return PyUnicode_FromString(asFunction(self)->info->name);
}

PyObject *listTexts(const BroadloomValueInfo *values, int32_t count) {
  Ref texts(PyTuple_New(count));
  for (int32_t i = 0; texts && i < count; ++i)
    PyTuple_SET_ITEM(texts.get(), i, PyUnicode_FromString(values[i].text));
  return texts.take();
}

PyObject *getArguments(PyObject *self, void *) {
  const BroadloomFunctionInfo *info = asFunction(self)->info;
  return listTexts(info->arguments, info->numArguments);
}

PyObject *getResults(PyObject *self, void *) {
  const BroadloomFunctionInfo *info = asFunction(self)->info;
  return listTexts(info->results, info->numResults);
}

PyObject *getPlannedBytes(PyObject *self, void *) {
  return PyLong_FromLongLong(asFunction(self)->info->plannedBytes);
}

PyObject *getThreads(PyObject *self, void *) {
  return PyLong_FromLong(asFunction(self)->threads);
}

int setThreads(PyObject *self, PyObject *value, void *) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "threads cannot be deleted");
    return -1;
  }
  long threads = PyLong_AsLong(value);
  if (threads == -1 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "threads is an integer, not %s",
                   Py_TYPE(value)->tp_name);
    return -1;
  }
  if (threads < 0 || threads > 128) {
    PyErr_Format(PyExc_ValueError,
                 "threads is %ld; it must be from 0, for all cores, to 128",
                 threads);
    return -1;
  }
  asFunction(self)->threads = int32_t(threads);
  return 0;
}

PyObject *getFindsLeaks(PyObject *self, void *) {
  return PyBool_FromLong(asFunction(self)->findsLeaks);
}

int setFindsLeaks(PyObject *self, PyObject *value, void *) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "finds_leaks cannot be deleted");
    return -1;
  }
  int wanted = PyObject_IsTrue(value);
  asFunction(self)->findsLeaks = wanted > 0;
  return wanted < 0 ? -1 : 0;
}

PyObject *forgetConstants(PyObject *self, PyObject *) {
  broadloomModuleForgetConstants(asFunction(self)->module);
  Py_RETURN_NONE;
}

PyObject *represent(PyObject *self) {
  const BroadloomFunctionInfo *info = asFunction(self)->info;
  auto join = [](const BroadloomValueInfo *values, int32_t count) {
    std::string text;
    for (int32_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + std::string(values[i].text);
    return text;
  };
  return PyUnicode_FromFormat("<broadloom.Function %s(%s) -> (%s)>", info->name,
                              join(info->arguments, info->numArguments).c_str(),
                              join(info->results, info->numResults).c_str());
}

/// A class written in Python is the base, and such classes are collected.
int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(asFunction(self)->program);
  return 0;
}

void deallocate(PyObject *self) {
  PyObject_GC_UnTrack(self);
  FunctionObject *function = asFunction(self);
  if (function->weakReferences)
    PyObject_ClearWeakRefs(self);
  delete function->calls;
  Py_XDECREF(function->program);
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

template <typename F> void *address(F *function) {
  return reinterpret_cast<void *>(function);
}

PyMethodDef methods[] = {
    {"_shapes", reinterpret_cast<PyCFunction>(address(computeShapes)),
     METH_FASTCALL, "The shapes of the results for these arrays."},
    {"forget_constants", forgetConstants, METH_NOARGS,
     "forget_constants($self)\n--\n\n"
     "Forget what was made of arguments that are promised not to change.\n\n"
     "A program promises it by the attribute loom.constant (abi-9). Calls "
     "that\n"
     "begin after this read these arguments anew."},
    {"cancel", cancel, METH_NOARGS,
     "cancel($self)\n--\n\n"
     "End the calls of this function that other threads have under way.\n\n"
     "They raise CancelledError before their next kernel, or in a loop that\n"
     "the program itself has; a function that is one kernel runs to its end."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {const_cast<char *>("__vectorcalloffset__"), T_PYSSIZET,
     offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {const_cast<char *>("__weaklistoffset__"), T_PYSSIZET,
     offsetof(FunctionObject, weakReferences), READONLY, nullptr},
    {const_cast<char *>("program"), T_OBJECT_EX,
     offsetof(FunctionObject, program), READONLY,
     const_cast<char *>("The program that the function is of.")},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"__name__", getName, nullptr, "The function's name in its program.",
     nullptr},
    {"arguments", getArguments, nullptr,
     "The types of the arguments, such as 'tensor<BxTx64xf32>'.", nullptr},
    {"results", getResults, nullptr, "The types of the results.", nullptr},
    {"planned_bytes", getPlannedBytes, nullptr,
     "The bytes that each call needs for temporaries whose sizes the types\n"
     "tell; others are allocated while the function runs.",
     nullptr},
    {"threads", getThreads, setThreads,
     "The most threads that a call uses; 0 for all cores, or as many as\n"
     "OMP_NUM_THREADS says. Results do not depend on it.",
     nullptr},
    {"finds_leaks", getFindsLeaks, setFindsLeaks,
     "Whether a call raises an error if it leaves memory that it has\n"
     "allocated, and has neither freed nor returned. Without this, such\n"
     "memory is freed when the call ends.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr const char *kDocument =
    "A compiled function.\n\n"
    "    y = f(a, b)\n"
    "    f(a, b, out=y)\n\n"
    "Arguments are NumPy arrays of any strides, what has __dlpack__ (such as\n"
    "PyTorch's tensors) or the buffer protocol, and numbers; none is copied.\n"
    "A result is a NumPy array that owns its memory, or the caller's own\n"
    "memory with `out`: an array of the result's shape or, for several\n"
    "results, a tuple of arrays and None. It may overlap arguments.\n\n"
    "One compiled function serves all shapes that its types allow, and may be\n"
    "called from several threads; Python's lock is released while it "
    "computes.\n\n"
    "Raises ShapeError where shapes do not fit, with the operation and the\n"
    "axis; TypeError for a wrong number of arguments or a wrong element type;\n"
    "ValueError for memory that cannot be written to; MemoryError.";

} // namespace

PyTypeObject *broadloom::python::getFunctionType() {
  static PyTypeObject *type = [] {
    PyType_Slot slots[] = {{Py_tp_dealloc, address(deallocate)},
                           {Py_tp_traverse, address(traverse)},
                           {Py_tp_call, address(PyVectorcall_Call)},
                           {Py_tp_repr, address(represent)},
                           {Py_tp_methods, methods},
                           {Py_tp_members, members},
                           {Py_tp_getset, attributes},
                           {Py_tp_doc, const_cast<char *>(kDocument)},
                           {0, nullptr}};
    PyType_Spec spec = {"broadloom.Function", sizeof(FunctionObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                            Py_TPFLAGS_HAVE_VECTORCALL |
                            Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    Ref file(PyImport_ImportModule("broadloom._function"));
    Ref base(file ? PyObject_GetAttrString(file.get(), "Function") : nullptr);
    return reinterpret_cast<PyTypeObject *>(
        base ? PyType_FromSpecWithBases(&spec, base.get()) : nullptr);
  }();
  return type;
}

PyObject *broadloom::python::makeFunction(PyObject *program,
                                          const BroadloomModule *module,
                                          const BroadloomFunctionInfo *info,
                                          BroadloomState *state,
                                          int32_t threads) {
  FunctionObject *function = PyObject_GC_New(FunctionObject, getFunctionType());
  if (!function)
    return nullptr;
  Py_INCREF(program);
  function->vectorcall = call;
  function->program = program;
  function->weakReferences = nullptr;
  function->module = module;
  function->info = info;
  function->state = state;
  function->calls = new Calls;
  function->findsLeaks = false;
  function->threads = threads;
  PyObject_GC_Track(function);
  return reinterpret_cast<PyObject *>(function);
}
