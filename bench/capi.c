//===- capi.c - one function, timed through the C API -----------*- C -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that Python loads (bench/peers/broadloom.py): compiles a program,
// binds tensors that the caller owns, and calls.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 199309L

#include "driver/CApi.h"
#include "bench/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { MaxArguments = 8 };

typedef struct Bench {
  BroadloomCompiler *compiler;
  BroadloomModule *module;
  BroadloomInvocation *invocation;
  BroadloomTensor arguments[MaxArguments], result;
  const BroadloomTensor *pointers[MaxArguments];
  int count;
  /// Each call makes its own result; the one before is released.
  int isFresh;
} Bench;

void benchClose(Bench *bench);

/// Null where the program is rejected; then `message` says why.
Bench *benchOpen(const char *path, int threads, char *message, long size) {
  Bench *bench = calloc(1, sizeof(Bench));
  if (!bench)
    return NULL;
  bench->compiler = broadloomCompilerCreate();
  bench->module = broadloomCompileFile(bench->compiler, path);
  if (!bench->module) {
    snprintf(message, size, "%s", broadloomDiagnostics(bench->compiler));
    benchClose(bench);
    return NULL;
  }
  bench->invocation = broadloomInvocationCreate(bench->module, NULL);
  broadloomInvocationSetThreads(bench->invocation, threads);
  return bench;
}

/// The next argument, or the result where `isResult`, which each call makes
/// anew if `data` is null. Returns a status.
int benchBind(Bench *bench, int isResult, int type, int rank,
              const int64_t *extents, const int64_t *strides, void *data) {
  if (!isResult && bench->count == MaxArguments)
    return BROADLOOM_INVALID_ARGUMENT;
  bench->isFresh = isResult && !data;
  if (bench->isFresh)
    return BROADLOOM_OK;
  BroadloomTensor *tensor =
      isResult ? &bench->result : &bench->arguments[bench->count];
  int status = broadloomTensorBorrow((BroadloomElementType)type, rank, extents,
                                     strides, data, tensor);
  if (isResult)
    return status ? status
                  : broadloomInvocationSetOutput(bench->invocation, 0, tensor);
  bench->pointers[bench->count++] = tensor;
  return status;
}

static int callOnce(void *context) {
  Bench *bench = context;
  int status =
      broadloomInvocationRun(bench->invocation, bench->pointers, bench->count);
  if (!bench->isFresh || status != BROADLOOM_OK)
    return status;
  broadloomTensorRelease(&bench->result);
  return broadloomInvocationTakeResult(bench->invocation, 0, &bench->result);
}

int benchCall(Bench *bench) { return callOnce(bench); }

long benchSample(Bench *bench, double seconds, double *samples, long most) {
  return sampleCalls(callOnce, bench, seconds, samples, most);
}

/// Two programs in turns, each first in every other turn, so that what changes
/// between two calls meets both alike: the times of turn i are `samples[2 * i]`
/// and `samples[2 * i + 1]`. Returns how many turns, at most `most`, or a
/// status (negated).
long benchSamplePairs(Bench *one, Bench *other, double seconds, double *samples,
                      long most) {
  Bench *benches[] = {one, other};
  double end = now() + seconds * 1e9;
  int status = 0;
  long batch = findBatch(callOnce, one, &status), count = 0;
  if (status == 0)
    status = callOnce(other);
  while (status == 0 && count < most && (count < 4 || now() < end)) {
    for (int i = 0; i < 2; ++i) {
      int which = (i + count) % 2;
      samples[2 * count + which] =
          timeBatch(callOnce, benches[which], batch, &status);
    }
    ++count;
  }
  return status == 0 ? count : -status;
}

void *benchResult(Bench *bench) { return (char *)bench->result.data; }

const char *benchMessage(const Bench *bench) {
  return broadloomInvocationMessage(bench->invocation);
}

void benchClose(Bench *bench) {
  if (bench->isFresh)
    broadloomTensorRelease(&bench->result);
  if (bench->invocation)
    broadloomInvocationDestroy(bench->invocation);
  if (bench->module)
    broadloomModuleDestroy(bench->module);
  broadloomCompilerDestroy(bench->compiler);
  free(bench);
}
