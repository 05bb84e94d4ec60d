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
// broadloomCallMessage has the message of the last status other than
// BROADLOOM_OK. For a null call each returns BROADLOOM_INVALID_ARGUMENT and
// does nothing.
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

/// A call object for repeated use by one thread at a time; null if memory has
/// run out.
BroadloomCall *broadloomCallCreate(void);
void broadloomCallDestroy(BroadloomCall *call);

/// The most threads of one call; 0, the default, stands for OMP_NUM_THREADS if
/// it is set, else for all cores that the process may run on.
void broadloomCallSetThreads(BroadloomCall *call, int32_t threads);

/// Selects the function of later calls: `name` of `program`, or, if `name` is
/// null, its only function or `main`. Forgets outputs set before. Fails if
/// there is no such function, or if the program was compiled for another
/// version of the runtime or for instructions that this processor does not
/// have.
int32_t broadloomCallSetFunction(BroadloomCall *call,
                                 const BroadloomFunctions *program,
                                 const char *name);

/// Sets the caller's memory for a result, in this and later calls, or null.
int32_t broadloomCallSetOutput(BroadloomCall *call, int32_t index,
                               const BroadloomTensor *output);

/// Calls the function. The number, element types, ranks and extents of the
/// arguments are checked before their elements are read.
int32_t broadloomCallRun(BroadloomCall *call,
                         const BroadloomTensor *const *arguments,
                         int32_t count);

/// The shapes of the results, without running anything (abi-2); arguments need
/// no memory.
int32_t broadloomCallShapes(BroadloomCall *call,
                            const BroadloomTensor *const *arguments,
                            int32_t count, BroadloomShape *results);

/// Moves a result to the caller; release it with broadloomTensorRelease.
int32_t broadloomCallTakeResult(BroadloomCall *call, int32_t index,
                                BroadloomTensor *out);

/// Cancels the current call, which may run on another thread: it fails with
/// BROADLOOM_CANCELLED before its next launch or its next tensor, or in a loop
/// of the program itself. A running launch is not interrupted. Does nothing if
/// no call is running.
void broadloomCallCancel(BroadloomCall *call);

/// The last error, in one line; "" if there is none. Valid until the next
/// function is called on `call`.
const char *broadloomCallMessage(const BroadloomCall *call);

/// Returns memory that is kept for later calls to the system, or to the
/// allocator.
void broadloomTrim(void);

/// A source of memory for results and temporaries, in place of the system. Any
/// thread may call both functions. `allocate` returns `bytes` bytes at a
/// multiple of `alignment`, or null; `release` takes them back, with the
/// requested size.
typedef struct BroadloomAllocator {
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*release)(void *context, void *memory, size_t bytes);
  void *context;
} BroadloomAllocator;

/// Makes `allocator`, which is copied, the source of memory, or the system
/// again if it is null. Freed blocks are still kept for later calls. Returns
/// BROADLOOM_INVALID_ARGUMENT, and changes nothing, while there are results, or
/// calls that have run, because their memory must return to its source.
int32_t broadloomSetAllocator(const BroadloomAllocator *allocator);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_CALLS_INVOKE_H
