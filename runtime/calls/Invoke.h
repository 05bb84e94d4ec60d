//===- Invoke.h - calling compiled functions from C -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BroadloomCall for programs that link or load a compiled program but not the
// compiler (docs/compile-and-load.md). Call.h has the same for C++.
//
//   extern const BroadloomFunctions broadloom_functions;
//
//   BroadloomCall *call = broadloomCallCreate();
//   if (broadloomCallSetFunction(call, &broadloom_functions, "main") ||
//       broadloomCallRun(call, arguments, 2))
//     puts(broadloomCallMessage(call));
//   else
//     broadloomCallTakeResult(call, 0, &result);
//   broadloomCallDestroy(call);
//
// Invariant: every function returns a status of Abi.h unless said otherwise;
// broadloomCallMessage tells of the last one that was not BROADLOOM_OK. Without
// a call (null) each gives BROADLOOM_INVALID_ARGUMENT and does nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_INVOKE_H
#define BROADLOOM_RUNTIME_CALLS_INVOKE_H

#include "runtime/abi/Abi.h"
#include "runtime/calls/Tensor.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A call to be used again and again, by one thread at a time; null where
/// memory has run out.
BroadloomCall *broadloomCallCreate(void);
void broadloomCallDestroy(BroadloomCall *call);

/// Most threads of one call; 0, the default, stands for as many as the
/// environment's OMP_NUM_THREADS says, else for all cores that the process may
/// run on.
void broadloomCallSetThreads(BroadloomCall *call, int32_t threads);

/// Chooses what later calls run: the function `name` of `program`, or, where
/// `name` is null, its only function or `main`. Forgets outputs set before.
/// Fails where there is no such function, and where the program was compiled
/// for another version of the runtime or for instructions that this processor
/// does not have.
int32_t broadloomCallSetFunction(BroadloomCall *call,
                                 const BroadloomFunctions *program,
                                 const char *name);

/// Memory of the caller's for a result, in this and later calls, or null.
int32_t broadloomCallSetOutput(BroadloomCall *call, int32_t index,
                               const BroadloomTensor *output);

/// Calls the function. Their number, element types, ranks and extents are
/// checked before anything is read of the arguments.
int32_t broadloomCallRun(BroadloomCall *call,
                         const BroadloomTensor *const *arguments,
                         int32_t count);

/// The shapes of the results, without running anything (abi-2); arguments need
/// no memory.
int32_t broadloomCallShapes(BroadloomCall *call,
                            const BroadloomTensor *const *arguments,
                            int32_t count, BroadloomShape *results);

/// Hands over a result; release it with broadloomTensorRelease.
int32_t broadloomCallTakeResult(BroadloomCall *call, int32_t index,
                                BroadloomTensor *out);

/// Ends the call under way, which may be another thread's: it fails with
/// BROADLOOM_CANCELLED before its next launch or its next tensor. A call that
/// is one launch runs to its end. Does nothing where no call is under way.
void broadloomCallCancel(BroadloomCall *call);

/// What went wrong, in one line; "" where nothing did. Lives until the next
/// function is called on `call`.
const char *broadloomCallMessage(const BroadloomCall *call);

/// Returns memory that is kept for later calls to the system, or to the
/// allocator.
void broadloomTrim(void);

/// Where the memory of results and temporaries comes from in place of the
/// system. Both functions are called by any thread. `allocate` gives `bytes`
/// bytes at a multiple of `alignment`, or null where there are none; `release`
/// takes them back, with the size that was requested.
typedef struct BroadloomAllocator {
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*release)(void *context, void *memory, size_t bytes);
  void *context;
} BroadloomAllocator;

/// From now on memory comes from `allocator`, which is copied, or from the
/// system again where it is null. Freed blocks are still kept for later calls.
/// Returns BROADLOOM_INVALID_ARGUMENT, and changes nothing, while there are
/// results, or calls that have run: their memory goes back to where it came
/// from.
int32_t broadloomSetAllocator(const BroadloomAllocator *allocator);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_CALLS_INVOKE_H
