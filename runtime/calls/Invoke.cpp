//===- Invoke.cpp - calling compiled functions from C ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Invoke.h"

#include "runtime/calls/Call.h"
#include "runtime/memory/Allocator.h"

#include <new>

BroadloomCall *broadloomCallCreate(void) {
  return new (std::nothrow) BroadloomCall;
}

void broadloomCallDestroy(BroadloomCall *call) { delete call; }

void broadloomCallSetThreads(BroadloomCall *call, int32_t threads) {
  if (call)
    call->setThreads(threads);
}

int32_t broadloomCallSetFunction(BroadloomCall *call,
                                 const BroadloomFunctions *program,
                                 const char *name) {
  if (!call)
    return BROADLOOM_INVALID_ARGUMENT;
  return program ? call->setFunction(*program, name ? name : "")
                 : call->refuseProgram();
}

int32_t broadloomCallSetOutput(BroadloomCall *call, int32_t index,
                               const BroadloomTensor *output) {
  return call ? call->setOutput(index, output)
              : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

int32_t broadloomCallRun(BroadloomCall *call,
                         const BroadloomTensor *const *arguments,
                         int32_t count) {
  return call ? call->run(arguments, count)
              : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

int32_t broadloomCallShapes(BroadloomCall *call,
                            const BroadloomTensor *const *arguments,
                            int32_t count, BroadloomShape *results) {
  return call ? call->computeShapes(arguments, count, results)
              : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

int32_t broadloomCallTakeResult(BroadloomCall *call, int32_t index,
                                BroadloomTensor *out) {
  return call ? call->takeResult(index, out)
              : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

void broadloomCallCancel(BroadloomCall *call) {
  if (call)
    call->cancel();
}

const char *broadloomCallMessage(const BroadloomCall *call) {
  return call ? call->failure().message.c_str()
              : "there is no call: it is null";
}

int32_t broadloomSetAllocator(const BroadloomAllocator *allocator) {
  broadloom::BlockSource source = {};
  if (allocator)
    source = {allocator->allocate, allocator->release, allocator->context};
  bool isHalf = !source.allocate != !source.release;
  return !isHalf && broadloom::setBlockSource(source)
             ? BROADLOOM_OK
             : BROADLOOM_INVALID_ARGUMENT;
}
