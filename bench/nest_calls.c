//===- nest_calls.c - nests over memory, timed in C -------------*- C -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that Python loads (bench/memory.py): calls a nest that another
// compiler made, or Broadloom's through the C API, from the same loop.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 199309L

#include "bench/timing.h"
#include "driver/CApi.h"

#include <stdlib.h>
#include <string.h>

enum { MostArrays = 5 };

/// A function of another compiler, of the size and the addresses of arrays.
typedef struct Native {
  void *run;
  long size;
  void *arrays[MostArrays];
  int count;
} Native;

static int callNative(void *context) {
  const Native *n = context;
  void *const *a = n->arrays;
  switch (n->count) {
  case 1:
    ((void (*)(long, void *))n->run)(n->size, a[0]);
    return 0;
  case 2:
    ((void (*)(long, void *, void *))n->run)(n->size, a[0], a[1]);
    return 0;
  case 3:
    ((void (*)(long, void *, void *, void *))n->run)(n->size, a[0], a[1], a[2]);
    return 0;
  case 4:
    ((void (*)(long, void *, void *, void *, void *))n->run)(n->size, a[0],
                                                             a[1], a[2], a[3]);
    return 0;
  case 5:
    ((void (*)(long, void *, void *, void *, void *, void *))n->run)(
        n->size, a[0], a[1], a[2], a[3], a[4]);
    return 0;
  }
  return 1;
}

/// The time of one of `count` calls in ns; negative where a call fails.
double timeNative(Native *native, long count) {
  int status = 0;
  double time = timeBatch(callNative, native, count, &status);
  return status ? -1 : time;
}

/// A program of Broadloom with the arguments of its calls.
typedef struct Compiled {
  BroadloomCompiler *compiler;
  BroadloomModule *module;
  BroadloomInvocation *invocation;
  BroadloomTensor arguments[MostArrays + 1];
  const BroadloomTensor *pointers[MostArrays + 1];
  int count;
} Compiled;

/// `schedule` may be null. Where the program is rejected, `module` is null.
Compiled *compileNest(const char *text, const char *schedule) {
  Compiled *compiled = calloc(1, sizeof(Compiled));
  if (!compiled)
    return NULL;
  compiled->compiler = broadloomCompilerCreate();
  if (schedule)
    broadloomCompilerSetOption(compiled->compiler, "schedule", schedule);
  compiled->module =
      broadloomCompileText(compiled->compiler, text, strlen(text), "nest.mlir");
  if (compiled->module) {
    compiled->invocation = broadloomInvocationCreate(compiled->module, NULL);
    broadloomInvocationSetThreads(compiled->invocation, 1);
  }
  return compiled;
}

/// Why a program was rejected, or a call failed. Programs are kept until the
/// process ends.
const char *nestMessage(const Compiled *compiled) {
  if (!compiled)
    return "there is no memory";
  return compiled->invocation ? broadloomInvocationMessage(compiled->invocation)
                              : broadloomDiagnostics(compiled->compiler);
}

/// The next argument. Returns a status.
int bindArgument(Compiled *compiled, int type, int rank, const int64_t *extents,
                 void *data) {
  if (!compiled->invocation || compiled->count > MostArrays)
    return BROADLOOM_INVALID_ARGUMENT;
  BroadloomTensor *tensor = &compiled->arguments[compiled->count];
  compiled->pointers[compiled->count++] = tensor;
  return broadloomTensorBorrow((BroadloomElementType)type, rank, extents, NULL,
                               data, tensor);
}

static int callCompiled(void *context) {
  Compiled *compiled = context;
  return broadloomInvocationRun(compiled->invocation, compiled->pointers,
                                compiled->count);
}

/// The time of one of `count` calls in ns; negative where a call fails.
double timeCompiled(Compiled *compiled, long count) {
  int status = 0;
  double time = timeBatch(callCompiled, compiled, count, &status);
  return status ? -1 : time;
}
