//===- CApi.h - compile and call from C -------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface: driver/Compiler.h in C. A module may be called from any
// number of threads at once, each with an invocation of its own. No function
// throws, aborts or prints. Every string and struct that is returned lives as
// long as the object it comes from, or until the next call on that object.
// A status is one of runtime/abi/Abi.h. broadloomTrim returns memory that is
// kept for later calls to the system, and broadloomSetAllocator sets the
// allocator (runtime/calls/Invoke.h). A null string counts as empty.
//
// Structs may get more fields at their ends, and BROADLOOM_API_VERSION then
// changes; broadloomApiVersion gives a program that of the library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CAPI_H
#define BROADLOOM_DRIVER_CAPI_H

#include "runtime/calls/Invoke.h"
#include "runtime/calls/Tensor.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BROADLOOM_API_VERSION 4

/// The version of the library, such as "0.1.0", and BROADLOOM_API_VERSION of
/// the headers that it was built with.
const char *broadloomVersion(void);
int32_t broadloomApiVersion(void);

typedef struct BroadloomCompiler BroadloomCompiler;
typedef struct BroadloomModule BroadloomModule;
typedef struct BroadloomInvocation BroadloomInvocation;
typedef struct BroadloomState BroadloomState;
typedef struct BroadloomReport BroadloomReport;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// One thread at a time may use a compiler; any thread may call
/// broadloomCompilerCancel.
BroadloomCompiler *broadloomCompilerCreate(void);
void broadloomCompilerDestroy(BroadloomCompiler *compiler);

/// Sets an option of later compilations. Those of the command line have its
/// names and values: `strategy` (default, rfc), `dynamic-to-static` (allow,
/// forbid), `shape-library`, `library` and `effects` (a file more), `function`
/// (compile only this one and what it calls), `compile-threads` (0 for all
/// cores), `error-limit`, `fill-elided`, `target`, `cpu`, `symbol`,
/// `check-effects` and `verbose` (on, off). These
/// are of the C interface alone: `optimise` (on, off), `trust-bytecode` (on,
/// off), `cache` (on, off; off at first), `keep-code` (on, off; for
/// broadloomModuleSave), `borrow` (on, off; on where texts stay as they are,
/// with a zero behind them, until the modules are destroyed), `verify-saved`
/// (on, off; on reads all of a saved program to compare it with its checksums)
/// and `constant-file` (a file more that constants are mapped from: its device,
/// inode, size, time of the last write in nanoseconds, and path; programs fail,
/// and are not cached, where it has changed).
/// Returns BROADLOOM_INVALID_ARGUMENT if there is no such option or value;
/// broadloomDiagnostics then lists those that exist.
int32_t broadloomCompilerSetOption(BroadloomCompiler *compiler,
                                   const char *name, const char *value);

/// Sets the elements of large constants of later programs: their text names
/// those of number N as `dense_resource<given_N>`. The caller leaves them as
/// they are while programs are compiled and, with the option `borrow`, until
/// the modules are destroyed.
void broadloomCompilerSetConstants(BroadloomCompiler *compiler,
                                   const void *const *bytes,
                                   const size_t *sizes, int32_t count);

/// Adds a file of shape libraries (docs/user-operations.md) to those that
/// programs are compiled with from now on; it is read when one is compiled.
void broadloomCompilerAddShapeLibrary(BroadloomCompiler *compiler,
                                      const char *path);

/// Whether bytecode is read at once (not 0), or by another process first (0,
/// the default; CompileOptions::trustBytecode in driver/CompileOptions.h).
void broadloomCompilerTrustBytecode(BroadloomCompiler *compiler, int32_t trust);

/// Compiles a file, or `size` bytes of MLIR text or bytecode that diagnostics
/// call `name`. Null where the program is rejected.
BroadloomModule *broadloomCompileFile(BroadloomCompiler *compiler,
                                      const char *path);
BroadloomModule *broadloomCompileText(BroadloomCompiler *compiler,
                                      const char *text, size_t size,
                                      const char *name);

/// Cancels the current compilation, from any thread: it fails with
/// BROADLOOM_CANCELLED at the next pass or the next piece of machine code.
/// Parsing is not interrupted. Does nothing if no compilation is running.
void broadloomCompilerCancel(BroadloomCompiler *compiler);

/// The status of the last program: BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT if
/// it is rejected or cannot be read; BROADLOOM_INTERNAL_ERROR if the compiler
/// itself failed; or BROADLOOM_CANCELLED.
int32_t broadloomCompileStatus(const BroadloomCompiler *compiler);
/// What was reported about the last program, in MLIR's form.
const char *broadloomDiagnostics(const BroadloomCompiler *compiler);

enum {
  BROADLOOM_ERROR = 0,
  BROADLOOM_WARNING = 1,
  BROADLOOM_REMARK = 2,
  BROADLOOM_NOTE = 3
};

/// A diagnostic, or the failure of a call, as data. Fields that do not apply
/// are "" or null.
typedef struct BroadloomError {
  /// Of a call.
  int32_t status;
  /// Of a diagnostic: one of BROADLOOM_ERROR to BROADLOOM_NOTE.
  int32_t severity;
  /// Whether the error is about shapes.
  int32_t isAboutShapes;
  /// The axis of the result that it is about, or -1.
  int32_t axis;
  /// `file:line:column`, and names of the location.
  const char *location;
  /// Such as `tosa.add`.
  const char *operation;
  /// The message without location and operation; one line.
  const char *text;
  /// The extents of the error, -1 for one that is not known: for operands that
  /// do not broadcast, the two that differ; else the numbers that were
  /// compared.
  int32_t numExtents;
  const int64_t *extents;
  /// Of operands that do not broadcast: their shapes, such as `4x3`.
  int32_t numOperands;
  const char *const *operands;
} BroadloomError;

/// The diagnostics of the last program as data, in their order.
int32_t broadloomNumDiagnostics(const BroadloomCompiler *compiler);
const BroadloomError *broadloomDiagnostic(const BroadloomCompiler *compiler,
                                          int32_t index);

/// The program in another form: `form` is loom, linalg, llvm, asm, obj,
/// shape-library or tosa (docs/compile-and-load.md). Null if the program is
/// rejected or there is no such form; else `size` bytes, followed by a zero.
const char *broadloomEmitFile(BroadloomCompiler *compiler, const char *path,
                              const char *form, size_t *size);
const char *broadloomEmitText(BroadloomCompiler *compiler, const char *text,
                              size_t size, const char *name, const char *form,
                              size_t *outputSize);

//===----------------------------------------------------------------------===//
// What is known of shapes
//===----------------------------------------------------------------------===//

/// Lists what must hold of a program's shapes (docs/check.md): of `function`
/// and what it calls, or of all where that is null. Null if the file is not a
/// program and there is nothing to list, or if the program has no such
/// function.
BroadloomReport *broadloomCheckFile(BroadloomCompiler *compiler,
                                    const char *path, const char *function);
BroadloomReport *broadloomCheckText(BroadloomCompiler *compiler,
                                    const char *text, size_t size,
                                    const char *name, const char *function);
void broadloomReportDestroy(BroadloomReport *report);

/// A row of a report.
typedef struct BroadloomReportRow {
  const char *function;
  /// Such as `tosa.add`.
  const char *operation;
  /// `file:line:column`, and names of the location; "" where not known.
  const char *location;
  const char *names;
  /// Result axis, or -1.
  int64_t axis;
  /// What must hold.
  const char *constraint;
  /// proved, run-time, refuted, unchecked or fixed.
  const char *status;
  /// The reason why it is proved or refuted, or why it is checked at run time.
  const char *reason;
} BroadloomReportRow;

int32_t broadloomReportNumRows(const BroadloomReport *report);
/// The row lives until the next call on the report.
const BroadloomReportRow *broadloomReportRow(BroadloomReport *report,
                                             int32_t index);
/// Whether the program would be compiled.
int32_t broadloomReportIsAccepted(const BroadloomReport *report);
/// The report as `text`, `json` or `html`; `title` names the program in a page.
/// Null where there is no such form.
const char *broadloomReportWrite(BroadloomReport *report, const char *form,
                                 const char *title, size_t *size);

/// An extent of a symbolic shape.
typedef struct BroadloomExtentAnswer {
  /// `4`, a name, `(2*B)`, `<=8`, or `?`.
  const char *text;
  /// The number; -1 where there is none.
  int64_t number;
  /// Whether the extent is at most the number.
  int32_t isBound;
} BroadloomExtentAnswer;

typedef struct BroadloomShapeAnswer {
  /// BroadloomElementType.
  int32_t elementType;
  /// -1 where the rank is not known.
  int32_t rank;
  const BroadloomExtentAnswer *extents;
} BroadloomShapeAnswer;

/// The shapes of the results of `function` (null for the only one or `main`)
/// for arguments of these shapes, such as `4x?x3`, `BxTx64` or `*`. Returns a
/// status, with what went wrong as broadloomShapesError. The answers live until
/// the next call on the compiler.
int32_t broadloomShapesOfFile(BroadloomCompiler *compiler, const char *path,
                              const char *function,
                              const char *const *arguments, int32_t count);
int32_t broadloomShapesOfText(BroadloomCompiler *compiler, const char *text,
                              size_t size, const char *name,
                              const char *function,
                              const char *const *arguments, int32_t count);
int32_t broadloomShapesNumResults(const BroadloomCompiler *compiler);
const BroadloomShapeAnswer *
broadloomShapesResult(const BroadloomCompiler *compiler, int32_t index);
/// Why the answer has only what the types declare; "" if it has more.
const char *broadloomShapesOnlyTypes(const BroadloomCompiler *compiler);
/// Why a guard may still fail in a call with arguments of these shapes, apart
/// from guards on data; "" if no such guard is open.
const char *broadloomShapesMayFail(const BroadloomCompiler *compiler);
const BroadloomError *broadloomShapesError(const BroadloomCompiler *compiler);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

void broadloomModuleDestroy(BroadloomModule *module);

/// Forgets what the module has made of arguments that are promised not to
/// change (loom.constant, abi-9): calls that begin after this read them anew.
/// Any thread may call it at any time.
void broadloomModuleForgetConstants(const BroadloomModule *module);

/// The compiled program as the bytes of a file, which the functions above load
/// without compiling (CompiledModule::save in driver/CompiledModule.h); `name`
/// may be null. Null if the option keep-code was off, or there is no such
/// function. The bytes live until the next such call.
const char *broadloomModuleSave(BroadloomModule *module, const char *name,
                                size_t *size);
/// The same in pieces, which `write` gets one after the other; it returns 0 to
/// go on. False (0) where there is nothing, or `write` has returned another
/// number.
int32_t broadloomModuleSaveTo(BroadloomModule *module, const char *name,
                              int32_t (*write)(void *context, const char *bytes,
                                               size_t size),
                              void *context);

/// An argument or a result.
typedef struct BroadloomValueInfo {
  /// BroadloomElementType.
  int32_t elementType;
  /// Whether signed and unsigned integers are both accepted.
  int32_t isSignless;
  /// -1 if any rank is accepted; then `extents` is null.
  int32_t rank;
  /// -1 for each extent that may be any.
  const int64_t *extents;
  /// The names of extents (docs/named-extents.md): null without any, "" for an
  /// extent without one.
  const char *const *names;
  /// Such as `tensor<BxTx64xf32>`, `memref<?xf64>`, or `i64` of a number.
  const char *text;
  /// Of an argument: its name in the program, "" without one.
  const char *name;
  /// Of an argument: what messages call it, such as `argument 'img'`, or
  /// `argument 0` without a name; "" of a result.
  const char *called;
  /// Whether it is memory, which a call reads and writes where it is: its
  /// elements must be aligned, and their strides those of its type (mem-1).
  int32_t isMemory;
  /// Of memory: whether no call writes it, since its type has several elements
  /// at one place (mem-17).
  int32_t isReadOnly;
} BroadloomValueInfo;

/// A function that can be called.
typedef struct BroadloomFunctionInfo {
  const char *name;
  int32_t numArguments;
  int32_t numResults;
  const BroadloomValueInfo *arguments;
  const BroadloomValueInfo *results;
  /// Why the function has no shape query; "" if it has one.
  const char *whyNoShapes;
  /// The bytes that each call needs for temporaries whose sizes the types tell,
  /// which live in one piece of memory.
  int64_t plannedBytes;
} BroadloomFunctionInfo;

/// The functions of the module, in the program's order. They live as long as
/// the module.
int32_t broadloomModuleNumFunctions(const BroadloomModule *module);
const BroadloomFunctionInfo *
broadloomModuleFunction(const BroadloomModule *module, int32_t index);
/// The function of that name; for null the only function, or `main`. Null if
/// there is no such function, or several that could be meant.
const BroadloomFunctionInfo *
broadloomModuleFindFunction(const BroadloomModule *module, const char *name);

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The variables of a module's functions (driver/State.h), with their first
/// values; the module must outlive it. It is empty if the functions use no
/// variables.
BroadloomState *broadloomStateCreate(const BroadloomModule *module);
void broadloomStateDestroy(BroadloomState *state);
int32_t broadloomStateNumVariables(const BroadloomState *state);
/// Null where there is no variable `index`.
const char *broadloomStateName(const BroadloomState *state, int32_t index);
/// The value of a variable until the next call or change; null where there is
/// none of that name.
const BroadloomTensor *broadloomStateGet(const BroadloomState *state,
                                         const char *name);
/// A copy of the value in `out`, for the caller to release. Unlike
/// broadloomStateGet, it may be called while another thread calls a function of
/// the module. Returns a status.
int32_t broadloomStateCopy(BroadloomState *state, const char *name,
                           BroadloomTensor *out);
/// The BroadloomElementType of a variable; -1 where there is none of that name.
int32_t broadloomStateElementType(const BroadloomState *state,
                                  const char *name);
/// Copies `value` into a variable. Returns a status.
int32_t broadloomStateSet(BroadloomState *state, const char *name,
                          const BroadloomTensor *value);
/// Copies `values[i]` into the variable `names[i]`, for each of `count`: either
/// all of them change or none. Returns a status.
int32_t broadloomStateSetAll(BroadloomState *state, int32_t count,
                             const char *const *names,
                             const BroadloomTensor *const *values);
/// Gives all variables their first values. Returns a status.
int32_t broadloomStateReset(BroadloomState *state);
/// What went wrong last, as one line.
const char *broadloomStateMessage(const BroadloomState *state);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// State for calling a function, or null where there is no such function or no
/// module; `name` may be null for the only one or `main`. The module must
/// outlive it. For a null invocation, the functions below return
/// BROADLOOM_INVALID_ARGUMENT and broadloomInvocationMessage returns a message.
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
/// Sets the variables for later calls; null for the invocation's own, which are
/// the default. The state must outlive the calls.
void broadloomInvocationSetState(BroadloomInvocation *invocation,
                                 BroadloomState *state);
/// Calls the function with `count` arguments. Returns a status.
int32_t broadloomInvocationRun(BroadloomInvocation *invocation,
                               const BroadloomTensor *const *arguments,
                               int32_t count);
/// Cancels the current call, from any thread (broadloomCallCancel).
void broadloomInvocationCancel(BroadloomInvocation *invocation);
/// Sets what a call does, on its own thread, after broadloomInvocationPause: it
/// is cancelled if `function` returns another number than 0. Null for nothing.
void broadloomInvocationOnPause(BroadloomInvocation *invocation,
                                int32_t (*function)(void *context),
                                void *context);
/// Makes the current call pause, from any thread, where it could be cancelled.
void broadloomInvocationPause(BroadloomInvocation *invocation);
/// Where the current call is in a function of another library, which nothing
/// can interrupt, as `place: 'name'`. Writes at most `size` bytes with the 0 at
/// the end to `text`. Returns 0, and writes nothing, if it is in none. Any
/// thread may ask while the call runs.
int32_t broadloomInvocationLibraryCall(const BroadloomInvocation *invocation,
                                       char *text, size_t size);
/// Whether a call fails that leaves memory which it has allocated, and has
/// neither freed nor returned; 0 is the default.
void broadloomInvocationSetFindsLeaks(BroadloomInvocation *invocation,
                                      int32_t wanted);
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
/// The same as data.
const BroadloomError *
broadloomInvocationError(const BroadloomInvocation *invocation);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_DRIVER_CAPI_H
