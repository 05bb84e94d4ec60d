//===- Invoke.h - calling compiled functions from C -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BroadloomCall for programs that link a compiled function but not the
// compiler. Call.h has the same for C++.
//
//   BroadloomCall *call = broadloomCallCreate();
//   broadloomCallSetResultTypes(call, types, 1);
//   if (broadloomCallRun(call, entry, arguments, 2) != BROADLOOM_OK)
//     puts(broadloomCallMessage(call));
//   else
//     broadloomCallTakeResult(call, 0, &result);
//   broadloomCallDestroy(call);
//
// Invariant: every function returns a status of Abi.h unless said otherwise;
// broadloomCallMessage tells of the last one that was not BROADLOOM_OK.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_INVOKE_H
#define BROADLOOM_RUNTIME_INVOKE_H

#include "runtime/Abi.h"
#include "runtime/Tensor.h"

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

/// Element types of the function's results; forgets outputs set before.
int32_t broadloomCallSetResultTypes(BroadloomCall *call,
                                    const BroadloomElementType *types,
                                    int32_t count);

/// Memory of the caller's for a result, in this and later calls, or null.
int32_t broadloomCallSetOutput(BroadloomCall *call, int32_t index,
                               const BroadloomTensor *output);

int32_t broadloomCallRun(BroadloomCall *call, BroadloomEntry entry,
                         const BroadloomTensor *const *arguments,
                         int32_t count);

/// The shapes of the results, without running anything (abi-2); arguments need
/// no memory.
int32_t broadloomCallShapes(BroadloomCall *call, BroadloomShapes shapes,
                            const BroadloomTensor *const *arguments,
                            int32_t count, BroadloomShape *results);

/// Hands over a result; release it with broadloomTensorRelease.
int32_t broadloomCallTakeResult(BroadloomCall *call, int32_t index,
                                BroadloomTensor *out);

/// What went wrong, in one line; "" where nothing did. Lives until the next
/// function is called on `call`.
const char *broadloomCallMessage(const BroadloomCall *call);

/// Returns memory that is kept for later calls to the system.
void broadloomTrim(void);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_INVOKE_H
