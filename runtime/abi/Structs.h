//===- Structs.h - data of compiled code and the runtime --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs and the types of functions that compiled code and the runtime
// share, in C. runtime/abi/Abi.def lists them, and runtime/abi/Description.h
// checks each field against that list: a change here is a change there and,
// once programs of the old form may exist, of BROADLOOM_ABI_VERSION.
//
// Invariant: every struct is plain old data, and every pointer is borrowed for
// the duration of one call.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_STRUCTS_H
#define BROADLOOM_RUNTIME_ABI_STRUCTS_H

#include "runtime/abi/ContractStructs.h"
#include "runtime/abi/StepStructs.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Must change whenever the structs of this header or the functions of
/// runtime/abi/Abi.h change. The number is defined only here.
#define BROADLOOM_ABI_VERSION 22

/// The name of the runtime's symbol for its version, here broadloomAbi22: a
/// program refers to the symbol of its compiler's version, so that it does not
/// load with a runtime library of another version.
#define BROADLOOM_JOIN_EXPANDED(name, version) name##version
#define BROADLOOM_JOIN(name, version) BROADLOOM_JOIN_EXPANDED(name, version)
#define BROADLOOM_ABI_SYMBOL BROADLOOM_JOIN(broadloomAbi, BROADLOOM_ABI_VERSION)

/// Every strip is padded to a multiple of this number of elements, with its
/// first element. Kernels are compiled for runs of such lengths, so that they
/// need no scalar tail and an element's value does not depend on its position
/// in the run.
#define BROADLOOM_STRIP_MULTIPLE 64

/// The alignment of streamed results: a cache line, which is as long as the
/// longest vector.
#define BROADLOOM_STREAM_ALIGNMENT 64

/// The highest rank of an argument or a result.
#define BROADLOOM_MAX_RANK 32

/// Status of a call, and of every function that generated code calls.
enum {
  BROADLOOM_OK = 0,
  /// Arguments or outputs do not fit the function (wrong rank, extents, ...).
  BROADLOOM_INVALID_ARGUMENT = 1,
  /// Memory ran out, or a size overflowed.
  BROADLOOM_OUT_OF_MEMORY = 2,
  /// A guard failed (rt-2).
  BROADLOOM_GUARD_FAILED = 3,
  /// The compiler itself failed because of a bug (abi-5). Of a compiled
  /// program's functions, only a shape query can return it.
  BROADLOOM_INTERNAL_ERROR = 4,
  /// Another thread cancelled the call or the compilation.
  BROADLOOM_CANCELLED = 5,
};

/// A ranked strided tensor in MLIR's memref layout, as a pointer to
/// `{allocated, aligned, offset, extents[rank], strides[rank]}` beside its
/// rank: binary compatible with MLIR's unranked memref descriptor.
/// Offset and strides count elements.
typedef struct BroadloomView {
  int64_t rank;
  void *descriptor;
} BroadloomView;

/// The leading part of a memref descriptor; `dims` holds `rank` extents and
/// then `rank` strides.
typedef struct BroadloomDescriptor {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t dims[];
} BroadloomDescriptor;

/// Slots of tensors (broadloomLaunch, broadloomAllocate). Planned memory has
/// the temporaries of a function at fixed offsets; a slot that is an offset
/// there is BROADLOOM_SLOT_FIRST_OFFSET plus the offset in bytes, which is less
/// than BROADLOOM_MOST_PLANNED.
enum {
  BROADLOOM_SLOT_TEMPORARY = -1,
  BROADLOOM_SLOT_PLANNED = -2,
  BROADLOOM_SLOT_FIRST_OFFSET = INT32_MIN,
  BROADLOOM_MOST_PLANNED = 1 << 30,
};

/// The runtime writes results of fewer bytes over no operand.
#define BROADLOOM_LEAST_OVERWRITTEN (1 << 16)

/// A strip kernel: computes `n` consecutive elements of each output, strip by
/// strip of BROADLOOM_STRIP_MULTIPLE elements; `n` is a positive multiple of
/// that. The elements of input i for a strip are consecutive, and those for the
/// next strip begin `steps[i]` elements later: a whole strip if all are
/// consecutive, 0 if every strip reads the same ones. Inputs and outputs do not
/// overlap, except that two inputs may be the same. Only the element's
/// alignment is assumed, unless `streamed` is not 0: outputs then begin at a
/// multiple of BROADLOOM_STREAM_ALIGNMENT bytes, and the kernel may store past
/// the caches.
typedef void (*BroadloomStripKernel)(const void *const *inputs,
                                     void *const *outputs, const int64_t *steps,
                                     int64_t n, int32_t streamed);

/// One step of a program. Values are numbered: first the operands, then the
/// outputs of the stages in order.
typedef struct BroadloomStage {
  BroadloomStripKernel kernel;
  int32_t numInputs;
  int32_t numOutputs;
  /// Value numbers of the inputs; each is less than the stage's own first
  /// output.
  const int32_t *inputs;
  /// Scalar operations per element, for benchmarks.
  int64_t operations;
  /// Whether the kernel has a version that stores past the caches.
  int32_t streams;
} BroadloomStage;

/// Number of partial results into which the elements of a row are reduced one
/// row after the other: element i goes to lane i modulo this number, and the
/// lanes are combined in halves. A constant, so that results do not depend on
/// how work is shared among threads.
#define BROADLOOM_REDUCTION_LANES 64

/// The index in the row of the element that lane `l` computes in step `s`: base
/// + l * perLane + s * perStep.
typedef struct BroadloomReductionIndex {
  int64_t base;
  int64_t perLane;
  int64_t perStep;
} BroadloomReductionIndex;

/// A kernel over rows: for each of `count` steps it computes `lanes`
/// consecutive elements of each output, and combines as many values with each
/// accumulator. `pointers` are the inputs, the outputs, the accumulators and,
/// last, a BroadloomReductionIndex; `steps` is the distance in elements from
/// one step to the next for each value: 0 for an input with one element per
/// row. `lanes` is a positive multiple of BROADLOOM_STRIP_MULTIPLE. Written
/// memory overlaps no other memory.
typedef void (*BroadloomReductionKernel)(void *const *pointers,
                                         const int64_t *steps, int64_t lanes,
                                         int64_t count);

/// The number of rows that a kernel for short rows computes together, and of
/// partial results per row.
#define BROADLOOM_SHORT_ROWS 16

/// All stages of a program over `rows` rows of `length` elements, both
/// positive. `bases` are the addresses of values, and `strides` the distances
/// of their rows in elements; the elements of a row are consecutive. Bases of
/// values with one element per row that are neither operands nor results are
/// not read. Other values that are neither have space for BROADLOOM_SHORT_ROWS
/// rows of `length` elements, rounded up to a multiple of BROADLOOM_SHORT_ROWS,
/// or are in a result: the elements that a stage then reads are those it
/// writes.
typedef void (*BroadloomShortRowsKernel)(void *const *bases,
                                         const int64_t *strides, int64_t length,
                                         int64_t rows);

/// Combines BROADLOOM_REDUCTION_LANES elements to one value, and writes the
/// value to all of them.
typedef void (*BroadloomReduceFinish)(const void *lanes, void *result);

/// A reduction of all elements of a row to one value.
typedef struct BroadloomReduce {
  BroadloomReduceFinish finish;
  /// The neutral element of the reduction.
  const void *neutral;
  /// The operands on which the reduced elements depend element by element, as
  /// bits: the broadcast of their extents is reduced.
  uint64_t domain;
  /// If the result depends on the order of the elements, as a sum of floats
  /// does: a kernel that combines elements with accumulators, its only input
  /// and output. Else null.
  BroadloomReductionKernel fold;
} BroadloomReduce;

/// One step of a program over rows. Its values are its outputs and then its
/// reductions.
typedef struct BroadloomReductionStage {
  BroadloomReductionKernel kernel;
  const int32_t *inputs;
  const BroadloomReduce *reductions;
  int32_t numInputs;
  int32_t numOutputs;
  int32_t numReductions;
  /// Whether it computes one element per row.
  int32_t perRow;
  int64_t operations;
} BroadloomReductionStage;

typedef struct BroadloomReductionValue {
  int32_t bytes;
  /// Whether there is one element per row: the extents of the reduced axes are
  /// 1.
  int32_t perRow;
  /// The operands, as bits, whose broadcast gives the value's extents: along
  /// the kept axes, and along the reduced axes.
  uint64_t operands;
  uint64_t direct;
} BroadloomReductionValue;

/// The description of a program over rows: in an iteration space of `rank`
/// axes, a row is all elements that differ only along the axes of `reduced`
/// (bits; 0 is the outermost axis).
typedef struct BroadloomReduction {
  int32_t rank;
  uint64_t reduced;
  const BroadloomReductionValue *values;
  const BroadloomReductionStage *stages;
  /// The same for short rows whose elements are consecutive, or null.
  BroadloomShortRowsKernel shortRows;
  /// Operands, as bits, that may have one element per row, and a program for
  /// the case that all of them have: it computes values that depend only on
  /// these and on reduced values once per row. 0 and null if there is none.
  uint64_t narrowOperands;
  const struct BroadloomProgram *narrow;
} BroadloomReduction;

/// The program of a fused map: a small directed acyclic graph of stages over
/// strips. The extents of a stage's outputs are the broadcast of the extents of
/// its inputs; a stage that depends on fewer axes than the result is evaluated
/// once per element of its own extents, not once per element of the result.
typedef struct BroadloomProgram {
  int32_t numOperands;
  int32_t numStages;
  int32_t numResults;
  int32_t numValues;
  /// Bytes per element of each value (i1 takes one byte, of which each but 0 is
  /// true).
  const int32_t *valueBytes;
  const BroadloomStage *stages;
  /// Value number of each result. A result's extents are always those of the
  /// broadcast of all operands, even where its value depends on fewer of them
  /// (rt-6).
  const int32_t *results;
  /// Null, or the description of fused reductions: `stages` and `valueBytes`
  /// are then null, each result has the extents of its own value and the rank
  /// of the iteration space, and no result is an operand.
  const BroadloomReduction *rows;
  /// Null, or the description of a contraction: there are then no stages, and
  /// the values are the operands followed by the results.
  const BroadloomContraction *contraction;
} BroadloomProgram;

/// The source location of a guard, for rt-2. All strings are zero-terminated
/// and outlive the call.
typedef struct BroadloomGuardSite {
  /// Name of the operation as the user wrote it, e.g. "tosa.add".
  const char *operation;
  /// "file:line:column", or "" where unknown.
  const char *location;
  /// The axis of the result, or -1.
  int32_t axis;
  int32_t numValues;
  /// Text with {0}, {1}, ... for the values. For broadloomCheckBroadcast,
  /// instead one line per shape with the name of its tensor, such as "argument
  /// 0", or empty.
  const char *message;
} BroadloomGuardSite;

/// Memory that a function of another library gets a copy of
/// (broadloomCallLibraryOnCopies).
typedef struct BroadloomLentArgument {
  /// Its name in messages, such as "argument 'x' of 'f'".
  const char *name;
  /// Where its descriptor is in the block of arguments, in bytes.
  int64_t offset;
  int32_t rank;
  int32_t elementBytes;
  /// Whether the function declares to write it. Writes to other memory stay in
  /// the copy.
  int64_t isWritten;
} BroadloomLentArgument;

/// The kinds of values of broadloomFailShapes: a number, or the address of a
/// BroadloomView, of which rank and extents are read.
enum { BROADLOOM_VALUE_NUMBER = 'n', BROADLOOM_VALUE_SHAPE = 's' };

/// State of one call of a compiled function: its failure, its arena, its
/// outputs. It begins with 32 bits that are 0 until the call has to look at
/// something (broadloomPoll); the rest is opaque to generated code.
typedef struct BroadloomCall BroadloomCall;

/// Entry of a compiled function: `args` holds one view per argument. Results
/// are returned through broadloomEnter or broadloomReturn.
typedef int32_t (*BroadloomEntry)(BroadloomCall *call,
                                  const BroadloomView *args);

/// The shape of a result in the answer of a shape query.
typedef struct BroadloomShape {
  int32_t rank;
  /// Bit i is set if extent i depends on data: `extents[i]` is then its upper
  /// bound, or -1 if none is known.
  uint32_t inexact;
  int64_t extents[BROADLOOM_MAX_RANK];
} BroadloomShape;

/// Shape query of a compiled function (abi-2): computes the shapes of its
/// results, one BroadloomShape each, from those of its arguments. Only ranks
/// and extents of `args` are read. Fails as the function would, except for
/// guards on data and for memory.
typedef int32_t (*BroadloomShapes)(BroadloomCall *call,
                                   const BroadloomView *args,
                                   BroadloomShape *results);

/// Added to the signed element type of an argument that may be signed or
/// unsigned.
#define BROADLOOM_SIGNLESS 256
/// Added to the element type of an argument that is memory: the function reads
/// and writes the caller's memory itself, which is never copied (mem-1).
#define BROADLOOM_MEMORY 512

/// A function of a compiled program that can be called.
typedef struct BroadloomFunction {
  const char *name;
  BroadloomEntry entry;
  /// Null if there is none; `whyNoShapes` then has the reason.
  BroadloomShapes shapes;
  const char *whyNoShapes;
  int32_t numArguments;
  int32_t numResults;
  /// BroadloomElementType of each argument, with BROADLOOM_SIGNLESS and
  /// BROADLOOM_MEMORY if they apply, and of each result.
  const int32_t *argumentTypes;
  const int32_t *resultTypes;
  /// The size of its planned memory, which each call has; 0 if there is none.
  int64_t plannedBytes;
} BroadloomFunction;

/// The table of a compiled program: the symbol `broadloom_functions` of an
/// object file or shared library, unless another name was chosen at
/// compilation.
typedef struct BroadloomFunctions {
  /// BROADLOOM_ABI_VERSION of the compiler.
  int32_t abiVersion;
  int32_t numFunctions;
  const BroadloomFunction *functions;
  /// The address of the runtime's BROADLOOM_ABI_SYMBOL.
  const int32_t *runtime;
  /// The instruction sets that the code uses, as bits
  /// (runtime/abi/Processor.def).
  uint64_t instructionSets;
} BroadloomFunctions;

/// The code of a function: `results` is space for its results, at the offsets
/// of BroadloomResult.
typedef int32_t (*BroadloomCode)(BroadloomCall *call, const BroadloomView *args,
                                 void *results);

/// The code that calls a function of another library: it reads the arguments
/// from `block`, and writes the result to it.
typedef void (*BroadloomLibraryCaller)(void *block);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_STRUCTS_H
