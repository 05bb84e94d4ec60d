//===- capi.c - one function, timed through the C API -----------*- C -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: broadloom-bench-capi PROGRAM THREADS SECONDS RESULT (RxC DATA)...
//
// Calls the only function of PROGRAM on f32 matrices read from raw files. The
// result goes to memory that the caller owns and that is warm, and at the end
// to the file RESULT. The last RxC, without DATA, is the result's. Prints
// {"calls", "min_ns", "median_ns"}.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 199309L

#include "driver/CApi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MaxArguments = 8, MaxSamples = 1000000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static void stop(const char *what, const char *detail) {
  fprintf(stderr, "%s: %s\n", what, detail);
  exit(1);
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A matrix of the extents in `text`, all zero. */
static BroadloomTensor makeMatrix(const char *text, size_t *bytes) {
  long long rows, columns;
  if (sscanf(text, "%lldx%lld", &rows, &columns) != 2)
    stop("not of the form RxC", text);
  int64_t extents[2] = {rows, columns};
  BroadloomTensor tensor;
  if (broadloomTensorCreate(BROADLOOM_F32, 2, extents, &tensor) != BROADLOOM_OK)
    stop("no memory for", text);
  *bytes = (size_t)rows * (size_t)columns * sizeof(float);
  memset(tensor.data, 0, *bytes);
  return tensor;
}

static void transfer(const char *path, const char *mode, void *data,
                     size_t bytes) {
  FILE *file = fopen(path, mode);
  if (!file)
    stop("cannot open", path);
  size_t done = mode[0] == 'r' ? fread(data, 1, bytes, file)
                               : fwrite(data, 1, bytes, file);
  if (fclose(file) != 0 || done != bytes)
    stop("cannot transfer all bytes of", path);
}

int main(int argc, char **argv) {
  if (argc < 6 || argc % 2 != 0 || (argc - 6) / 2 > MaxArguments)
    stop("usage", "PROGRAM THREADS SECONDS RESULT (RxC DATA)... RxC");
  BroadloomTensor arguments[MaxArguments];
  const BroadloomTensor *pointers[MaxArguments];
  int count = (argc - 6) / 2;
  size_t bytes;
  for (int i = 0; i < count; ++i) {
    arguments[i] = makeMatrix(argv[5 + 2 * i], &bytes);
    transfer(argv[6 + 2 * i], "rb", arguments[i].data, bytes);
    pointers[i] = &arguments[i];
  }
  BroadloomTensor result = makeMatrix(argv[argc - 1], &bytes);

  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module = broadloomCompileFile(compiler, argv[1]);
  if (!module)
    stop("rejected", broadloomDiagnostics(compiler));
  BroadloomInvocation *call = broadloomInvocationCreate(module, NULL);
  if (!call)
    stop("no function in", argv[1]);
  broadloomInvocationSetThreads(call, atoi(argv[2]));
  if (broadloomInvocationSetOutput(call, 0, &result) != BROADLOOM_OK)
    stop("output", broadloomInvocationMessage(call));

  double *samples = malloc(MaxSamples * sizeof(double));
  if (!samples)
    stop("no memory for", "the samples");
  int calls = 0;
  double end = now() + atof(argv[3]) * 1e9;
  for (int warm = 3; calls < MaxSamples && (calls < 5 || now() < end);) {
    double begin = now();
    if (broadloomInvocationRun(call, pointers, count) != BROADLOOM_OK)
      stop("failed", broadloomInvocationMessage(call));
    if (warm > 0)
      --warm;
    else
      samples[calls++] = now() - begin;
  }
  qsort(samples, calls, sizeof(double), compareDoubles);
  printf("{\"calls\": %d, \"min_ns\": %.0f, \"median_ns\": %.0f}\n", calls,
         samples[0], samples[calls / 2]);
  transfer(argv[4], "wb", result.data, bytes);

  free(samples);
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
  for (int i = 0; i < count; ++i)
    broadloomTensorRelease(&arguments[i]);
  broadloomTensorRelease(&result);
  return 0;
}
