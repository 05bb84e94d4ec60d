//===- CApiInvocation.cpp - call from C -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/capi/Handles.h"

#include <algorithm>
#include <string>

using namespace broadloom;

struct BroadloomInvocation {
  BroadloomInvocation(const CompiledModule &module,
                      const FunctionSignature &function)
      : signature(function), invocation(module, function) {}
  const FunctionSignature &signature;
  Invocation invocation;
  /// Reused so that a call allocates nothing.
  std::vector<const BroadloomTensor *> inputs;
  std::vector<BroadloomShape> shapes;
  std::unique_ptr<OwnedError> error;
};

/// The status of every function for a null invocation.
static constexpr int32_t kNoInvocation = BROADLOOM_INVALID_ARGUMENT;

static const Failure &noInvocation() {
  static const Failure failure = [] {
    Failure made;
    made.status = kNoInvocation;
    made.message = "there is no invocation: it is null, as "
                   "broadloomInvocationCreate gives it where there is no such "
                   "function";
    return made;
  }();
  return failure;
}

BroadloomInvocation *broadloomInvocationCreate(const BroadloomModule *module,
                                               const char *name) {
  const FunctionSignature *function =
      module ? module->module->function(given(name)) : nullptr;
  return function ? new BroadloomInvocation(*module->module, *function)
                  : nullptr;
}

void broadloomInvocationDestroy(BroadloomInvocation *invocation) {
  delete invocation;
}

int32_t broadloomInvocationNumArguments(const BroadloomInvocation *invocation) {
  return invocation
             ? static_cast<int32_t>(invocation->signature.arguments.size())
             : 0;
}

int32_t broadloomInvocationNumResults(const BroadloomInvocation *invocation) {
  return invocation ? static_cast<int32_t>(invocation->signature.results.size())
                    : 0;
}

void broadloomInvocationSetThreads(BroadloomInvocation *invocation,
                                   int32_t threads) {
  if (invocation)
    invocation->invocation.setThreads(threads);
}

int32_t broadloomInvocationSetOutput(BroadloomInvocation *invocation,
                                     int32_t index,
                                     const BroadloomTensor *output) {
  return invocation ? invocation->invocation.setOutput(index, output)
                    : kNoInvocation;
}

void broadloomInvocationSetState(BroadloomInvocation *invocation,
                                 BroadloomState *state) {
  if (invocation)
    invocation->invocation.setState(state ? &state->state : nullptr);
}

int32_t broadloomInvocationRun(BroadloomInvocation *invocation,
                               const BroadloomTensor *const *arguments,
                               int32_t count) {
  return invocation
             ? invocation->invocation.run(arguments, size_t(std::max(count, 0)))
             : kNoInvocation;
}

void broadloomInvocationCancel(BroadloomInvocation *invocation) {
  if (invocation)
    invocation->invocation.cancel();
}

void broadloomInvocationOnPause(BroadloomInvocation *invocation,
                                int32_t (*function)(void *), void *context) {
  if (invocation)
    invocation->invocation.onPause(function, context);
}

void broadloomInvocationPause(BroadloomInvocation *invocation) {
  if (invocation)
    invocation->invocation.pause();
}

int32_t broadloomInvocationLibraryCall(const BroadloomInvocation *invocation,
                                       char *text, size_t size) {
  std::string place = invocation ? invocation->invocation.libraryCall() : "";
  if (place.empty() || size == 0)
    return 0;
  size_t length = std::min(place.size(), size - 1);
  std::copy_n(place.data(), length, text);
  text[length] = '\0';
  return 1;
}

void broadloomInvocationSetFindsLeaks(BroadloomInvocation *invocation,
                                      int32_t wanted) {
  if (invocation)
    invocation->invocation.setFindsLeaks(wanted != 0);
}

int32_t broadloomInvocationShapes(BroadloomInvocation *invocation,
                                  const BroadloomTensor *const *arguments,
                                  int32_t count, BroadloomShape *shapes) {
  if (!invocation)
    return kNoInvocation;
  size_t given = size_t(std::max(count, 0));
  if (arguments)
    invocation->inputs.assign(arguments, arguments + given);
  else
    invocation->inputs.assign(given, nullptr);
  int32_t status = invocation->invocation.resultShapes(invocation->inputs,
                                                       invocation->shapes);
  if (status == BROADLOOM_OK && shapes)
    std::copy(invocation->shapes.begin(), invocation->shapes.end(), shapes);
  return status;
}

int32_t broadloomInvocationTakeResult(BroadloomInvocation *invocation,
                                      int32_t index, BroadloomTensor *out) {
  return invocation ? invocation->invocation.takeResult(index, out)
                    : kNoInvocation;
}

const char *broadloomInvocationMessage(const BroadloomInvocation *invocation) {
  return (invocation ? invocation->invocation.message()
                     : noInvocation().message)
      .c_str();
}

const BroadloomError *
broadloomInvocationError(const BroadloomInvocation *invocation) {
  static const OwnedError none(noInvocation());
  if (!invocation)
    return &none.error;
  auto &error = const_cast<BroadloomInvocation *>(invocation)->error;
  error = std::make_unique<OwnedError>(invocation->invocation.failure());
  return &error->error;
}
