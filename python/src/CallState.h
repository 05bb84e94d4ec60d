//===- CallState.h - what one call of a function uses -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_CALLSTATE_H
#define BROADLOOM_PYTHON_SRC_CALLSTATE_H

#include "python/src/Arrays.h"

#include <memory>
#include <vector>

namespace broadloom::python {

/// What one call uses, and the next one again.
class CallState {
public:
  /// `state` has the variables; null where the program has none.
  CallState(const BroadloomModule *module, const BroadloomFunctionInfo *info,
            BroadloomState *state);
  ~CallState();
  CallState(const CallState &) = delete;
  CallState &operator=(const CallState &) = delete;

  /// Borrows the arguments; null, with an exception, where one cannot be.
  bool setArguments(PyObject *const *objects);
  /// Borrows the memory for results: `out` is an array or, for several results,
  /// a sequence of arrays and None.
  bool setOutputs(PyObject *out);
  /// Calls the function without Python's lock. False with an exception.
  bool run(int32_t threads);
  /// Computes the shapes of the results alone, as a list of tuples of numbers,
  /// and texts for extents that data decides.
  PyObject *computeShapes();
  /// The results of the last run: one, or a tuple of them.
  PyObject *takeResults();
  /// Gives back what was borrowed.
  void release();
  /// Whether runs fail that leave memory.
  void setFindsLeaks(bool wanted) {
    broadloomInvocationSetFindsLeaks(invocation, wanted);
  }
  /// Ends the run under way.
  void cancel() { broadloomInvocationCancel(invocation); }
  /// Sets the exception for `count` arguments, which are too many or too few.
  void raiseCount(Py_ssize_t count);

private:
  /// Sets the exception for the last call.
  void raise();
  bool hasWrongType() const;
  /// What a run does when it pauses: lets the handlers of signals run. Not 0
  /// where one has raised an exception.
  static int32_t lookForSignals(void *self);
  PyObject *takeResult(int32_t index);

  const BroadloomFunctionInfo *info;
  BroadloomInvocation *invocation;
  /// Of the run under way.
  PyThreadState *thread = nullptr;
  std::unique_ptr<Borrowed[]> arguments, outputs;
  std::vector<const BroadloomTensor *> pointers;
  /// A tuple of what results are written to, and of it the objects in order;
  /// null where fresh memory is used.
  Ref outputList;
  std::vector<PyObject *> outputObjects;
  bool hasOutputs = false;
};

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_CALLSTATE_H
