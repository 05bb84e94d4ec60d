//===- CApi.h - compile and call from C -------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface: driver/Compiler.h in C. A module may be called from any
// number of threads at once, each with an invocation of its own. No function
// throws, aborts or prints. Every string that is returned lives as long as the
// object it was asked of, or until the next call on that object. Memory that is
// kept for later calls goes back to the system by broadloomTrim
// (runtime/calls/Invoke.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CAPI_H
#define BROADLOOM_DRIVER_CAPI_H

#include "runtime/calls/Tensor.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BroadloomCompiler BroadloomCompiler;
typedef struct BroadloomModule BroadloomModule;
typedef struct BroadloomInvocation BroadloomInvocation;

BroadloomCompiler *broadloomCompilerCreate(void);
void broadloomCompilerDestroy(BroadloomCompiler *compiler);

/// Adds a file of shape libraries (docs/user-operations.md) to those that
/// programs are compiled with from now on; it is read when one is compiled.
void broadloomCompilerAddShapeLibrary(BroadloomCompiler *compiler,
                                      const char *path);

/// Whether bytecode is read at once (not 0), or by another process first (0,
/// the default; CompileOptions::trustBytecode in driver/Compiler.h).
void broadloomCompilerTrustBytecode(BroadloomCompiler *compiler, int32_t trust);

/// Compiles a file, or `size` bytes of MLIR text or bytecode that diagnostics
/// call `name`. Null where the program is rejected.
BroadloomModule *broadloomCompileFile(BroadloomCompiler *compiler,
                                      const char *path);
BroadloomModule *broadloomCompileText(BroadloomCompiler *compiler,
                                      const char *text, size_t size,
                                      const char *name);
/// What became of the last program (runtime/abi/Abi.h): BROADLOOM_OK,
/// BROADLOOM_INVALID_ARGUMENT where it is rejected or cannot be read, or
/// BROADLOOM_INTERNAL_ERROR where the compiler itself has failed.
int32_t broadloomCompileStatus(const BroadloomCompiler *compiler);
/// What was reported about the last program.
const char *broadloomDiagnostics(const BroadloomCompiler *compiler);

void broadloomModuleDestroy(BroadloomModule *module);

/// State for calling a function, or null where there is no such function;
/// `name` may be null for the only one or `main`. The module must outlive it.
BroadloomInvocation *broadloomInvocationCreate(const BroadloomModule *module,
                                               const char *name);
void broadloomInvocationDestroy(BroadloomInvocation *invocation);
int32_t broadloomInvocationNumArguments(const BroadloomInvocation *invocation);
int32_t broadloomInvocationNumResults(const BroadloomInvocation *invocation);
/// 0 (the default) for all cores, or as many as OMP_NUM_THREADS says; at most
/// 128.
void broadloomInvocationSetThreads(BroadloomInvocation *invocation,
                                   int32_t threads);
/// Result `index` goes to memory of the caller's, or to fresh memory where
/// `output` is null. Returns a status (runtime/abi/Abi.h).
int32_t broadloomInvocationSetOutput(BroadloomInvocation *invocation,
                                     int32_t index,
                                     const BroadloomTensor *output);
/// Calls the function with `count` arguments. Returns a status.
int32_t broadloomInvocationRun(BroadloomInvocation *invocation,
                               const BroadloomTensor *const *arguments,
                               int32_t count);
/// Computes the shapes of all results without running anything (abi-2):
/// `shapes` has room for each. Arguments need no memory. Returns a status.
int32_t broadloomInvocationShapes(BroadloomInvocation *invocation,
                                  const BroadloomTensor *const *arguments,
                                  int32_t count, BroadloomShape *shapes);
/// Hands over result `index` of the last call, for the caller to release.
int32_t broadloomInvocationTakeResult(BroadloomInvocation *invocation,
                                      int32_t index, BroadloomTensor *out);
/// What went wrong last, as one line.
const char *broadloomInvocationMessage(const BroadloomInvocation *invocation);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_DRIVER_CAPI_H
