//===- CApiInvocation.cpp - call from C -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApiImpl.h"

#include <algorithm>

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

BroadloomInvocation *broadloomInvocationCreate(const BroadloomModule *module,
                                               const char *name) {
  const FunctionSignature *function =
      module->module->function(name ? name : "");
  return function ? new BroadloomInvocation(*module->module, *function)
                  : nullptr;
}

void broadloomInvocationDestroy(BroadloomInvocation *invocation) {
  delete invocation;
}

int32_t broadloomInvocationNumArguments(const BroadloomInvocation *invocation) {
  return static_cast<int32_t>(invocation->signature.arguments.size());
}

int32_t broadloomInvocationNumResults(const BroadloomInvocation *invocation) {
  return static_cast<int32_t>(invocation->signature.results.size());
}

void broadloomInvocationSetThreads(BroadloomInvocation *invocation,
                                   int32_t threads) {
  invocation->invocation.setThreads(threads);
}

int32_t broadloomInvocationSetOutput(BroadloomInvocation *invocation,
                                     int32_t index,
                                     const BroadloomTensor *output) {
  return invocation->invocation.setOutput(index, output);
}

void broadloomInvocationSetState(BroadloomInvocation *invocation,
                                 BroadloomState *state) {
  invocation->invocation.setState(state ? &state->state : nullptr);
}

int32_t broadloomInvocationRun(BroadloomInvocation *invocation,
                               const BroadloomTensor *const *arguments,
                               int32_t count) {
  return invocation->invocation.run(arguments, size_t(std::max(count, 0)));
}

void broadloomInvocationCancel(BroadloomInvocation *invocation) {
  invocation->invocation.cancel();
}

int32_t broadloomInvocationShapes(BroadloomInvocation *invocation,
                                  const BroadloomTensor *const *arguments,
                                  int32_t count, BroadloomShape *shapes) {
  invocation->inputs.assign(arguments, arguments + (count > 0 ? count : 0));
  int32_t status = invocation->invocation.resultShapes(invocation->inputs,
                                                       invocation->shapes);
  if (status == BROADLOOM_OK)
    std::copy(invocation->shapes.begin(), invocation->shapes.end(), shapes);
  return status;
}

int32_t broadloomInvocationTakeResult(BroadloomInvocation *invocation,
                                      int32_t index, BroadloomTensor *out) {
  return invocation->invocation.takeResult(index, out);
}

const char *broadloomInvocationMessage(const BroadloomInvocation *invocation) {
  return invocation->invocation.message().c_str();
}

const BroadloomError *
broadloomInvocationError(const BroadloomInvocation *invocation) {
  auto &error = const_cast<BroadloomInvocation *>(invocation)->error;
  error = std::make_unique<OwnedError>(invocation->invocation.failure());
  return &error->error;
}
