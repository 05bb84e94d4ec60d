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

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes whenever the structs of this header or the functions of
/// runtime/abi/Abi.h do. Only here is the number.
#define BROADLOOM_ABI_VERSION 8

/// The name of the runtime's symbol for its version, here broadloomAbi8: a
/// program refers to the one of its compiler, so that it does not load with a
/// runtime library of another version.
#define BROADLOOM_JOIN_EXPANDED(name, version) name##version
#define BROADLOOM_JOIN(name, version) BROADLOOM_JOIN_EXPANDED(name, version)
#define BROADLOOM_ABI_SYMBOL BROADLOOM_JOIN(broadloomAbi, BROADLOOM_ABI_VERSION)

/// Number of elements to which every strip is padded, with its first element:
/// kernels are compiled for run lengths that are multiples of this, so that
/// they need no scalar tail and an element's value does not depend on where in
/// the run it stands.
#define BROADLOOM_STRIP_MULTIPLE 64

/// Where streamed results begin: at a cache line, and no vector is longer.
#define BROADLOOM_STREAM_ALIGNMENT 64

/// Most axes of an argument or a result.
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
  /// The compiler itself has failed, which is a bug of it (abi-5). Of a
  /// compiled program, only a shape query may give it.
  BROADLOOM_INTERNAL_ERROR = 4,
  /// Another thread has ended the call, or the compilation.
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

/// A strip kernel: computes `n` consecutive elements of each output, strip by
/// strip of BROADLOOM_STRIP_MULTIPLE elements; `n` is a positive multiple of
/// that. The elements of input i for a strip are consecutive, and those for the
/// next strip begin `steps[i]` elements further on: a whole strip where all are
/// consecutive, 0 where every strip reads the same ones. Inputs and outputs do
/// not overlap, except that two inputs may be the same. No alignment beyond the
/// element's is assumed, but of outputs if `streamed` is not 0: then they begin
/// at a multiple of BROADLOOM_STREAM_ALIGNMENT bytes, and the kernel may store
/// past the caches.
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
  /// Whether the kernel does store past the caches where it may.
  int32_t streams;
} BroadloomStage;

/// Number of partial results in which the elements of a row are reduced where
/// rows are consecutive in memory: element i goes to lane i modulo this, and
/// the lanes are reduced in halves. A constant, so that results do not depend
/// on how work is shared among threads.
#define BROADLOOM_REDUCTION_LANES 64

/// Which element of its row lane `l` computes in step `s`: base + l perLane +
/// s perStep.
typedef struct BroadloomRowIndex {
  int64_t base;
  int64_t perLane;
  int64_t perStep;
} BroadloomRowIndex;

/// A kernel over rows: `count` times in a row it computes `lanes` consecutive
/// elements of each output, and reductions as many into each accumulator.
/// `pointers` are the inputs, the outputs, the accumulators and, last, a
/// BroadloomRowIndex; `steps` says for each value how many elements on the
/// next repetition begins: 0 for an input with one element for each row.
/// `lanes` is a positive multiple of BROADLOOM_STRIP_MULTIPLE. Nothing that is
/// written overlaps anything else.
typedef void (*BroadloomRowKernel)(void *const *pointers, const int64_t *steps,
                                   int64_t lanes, int64_t count);

/// Rows that a kernel for short rows takes through all stages together, and
/// partial results of a row in it.
#define BROADLOOM_SHORT_ROWS 16

/// All stages of a program over `rows` rows of `length` elements, both
/// positive. For each value `bases` says where it begins and `strides` how
/// many elements on the next row does; the elements of a row are consecutive.
/// Values with one element for each row that are neither operands nor results
/// are not looked at. Other values that are neither have room for
/// BROADLOOM_SHORT_ROWS rows of `length` elements, rounded up to a multiple of
/// BROADLOOM_SHORT_ROWS. Nothing that is written overlaps anything else.
typedef void (*BroadloomShortRowsKernel)(void *const *bases,
                                         const int64_t *strides, int64_t length,
                                         int64_t rows);

/// Folds BROADLOOM_REDUCTION_LANES elements and writes the value as many times.
typedef void (*BroadloomReduceFinish)(const void *lanes, void *result);

/// A value that all elements of a row are reduced into.
typedef struct BroadloomReduce {
  BroadloomReduceFinish finish;
  /// One element that changes nothing it is reduced with.
  const void *neutral;
  /// Which operands the reduced elements depend on element by element, as bits:
  /// the broadcast of their extents is what is reduced.
  uint64_t domain;
} BroadloomReduce;

/// One step of a program over rows. Its values are its outputs and then its
/// reductions.
typedef struct BroadloomRowStage {
  BroadloomRowKernel kernel;
  const int32_t *inputs;
  const BroadloomReduce *reductions;
  int32_t numInputs;
  int32_t numOutputs;
  int32_t numReductions;
  /// Whether it computes one element for each row, and not for each element.
  int32_t perRow;
  int64_t operations;
} BroadloomRowStage;

typedef struct BroadloomRowValue {
  int32_t bytes;
  /// One element for each row: the extents of the reduced axes are 1.
  int32_t perRow;
  /// The operands, as bits, whose extents the value's are the broadcast of
  /// along the axes that are kept, and those of them along the reduced axes.
  uint64_t operands;
  uint64_t direct;
} BroadloomRowValue;

/// What makes a program one over rows: of a space of `rank` axes, a row is all
/// elements that differ along the axes of `reduced` (bits; 0 is the outermost
/// axis) alone.
typedef struct BroadloomReduction {
  int32_t rank;
  uint64_t reduced;
  const BroadloomRowValue *values;
  const BroadloomRowStage *stages;
  /// The same for rows that are short and consecutive in memory, or null.
  BroadloomShortRowsKernel shortRows;
  /// Operands, as bits, of which it is not known whether they have more than
  /// one element for each row, and the same program for the case that none of
  /// them has: what is computed from these and from reduced values alone is
  /// computed once for each row there. 0 and null where there is none.
  uint64_t narrowOperands;
  const struct BroadloomProgram *narrow;
} BroadloomReduction;

/// What a fused map computes: stages over strips, a small directed acyclic
/// graph. The extents of a stage's outputs are the broadcast of the extents of
/// its inputs; a stage that depends on fewer axes than the result is evaluated
/// once per element of its own extents, not once per element of the result.
typedef struct BroadloomProgram {
  int32_t numOperands;
  int32_t numStages;
  int32_t numResults;
  int32_t numValues;
  /// Bytes per element of each value (i1 takes one byte, 0 or 1).
  const int32_t *valueBytes;
  const BroadloomStage *stages;
  /// Value number of each result. A result's extents are always those of the
  /// broadcast of all operands, even where its value depends on fewer of them
  /// (rt-6).
  const int32_t *results;
  /// Null, or fused reductions: then `stages` and `valueBytes` are null, each
  /// result has the extents of its own value and the rank of the space, and
  /// none is an operand.
  const BroadloomReduction *rows;
  /// Null, or a contraction: then there are no stages, and the values are the
  /// operands and the results, in this order.
  const BroadloomContraction *contraction;
} BroadloomProgram;

/// Where a guard stands in the source, for rt-2. All strings are
/// zero-terminated and outlive the call.
typedef struct BroadloomGuardSite {
  /// Name of the operation as the user wrote it, e.g. "tosa.add".
  const char *operation;
  /// "file:line:column", or "" where unknown.
  const char *location;
  /// Result axis that the guard is about, or -1.
  int32_t axis;
  int32_t numValues;
  /// Text with {0}, {1}, ... for the values. For broadloomCheckBroadcast
  /// instead whose each shape is, such as "argument 0": a line for each, which
  /// is empty where that has no name.
  const char *message;
} BroadloomGuardSite;

/// What a value of broadloomFailShapes is: a number, or the address of a
/// BroadloomView, of which rank and extents are read.
enum { BROADLOOM_VALUE_NUMBER = 'n', BROADLOOM_VALUE_SHAPE = 's' };

/// State of one call of a compiled function: its failure, its arena, its
/// outputs. Opaque to generated code.
typedef struct BroadloomCall BroadloomCall;

/// Entry of a compiled function: `args` holds one view per argument. Results
/// are handed over through broadloomEnter or broadloomReturn.
typedef int32_t (*BroadloomEntry)(BroadloomCall *call,
                                  const BroadloomView *args);

/// The shape of a result, as a shape query tells it.
typedef struct BroadloomShape {
  int32_t rank;
  /// Bit i is set where data decides extent i: `extents[i]` is then the most
  /// that it can be, or -1 where nothing is known.
  uint32_t inexact;
  int64_t extents[BROADLOOM_MAX_RANK];
} BroadloomShape;

/// Shape query of a compiled function (abi-2): computes the shapes of its
/// results, one BroadloomShape each, from those of its arguments. Only ranks
/// and extents of `args` are read. Fails as the function would, except for what
/// depends on data and on memory.
typedef int32_t (*BroadloomShapes)(BroadloomCall *call,
                                   const BroadloomView *args,
                                   BroadloomShape *results);

/// Is added to the element type of an argument that may be an integer of either
/// sign; the type is then the signed one.
#define BROADLOOM_SIGNLESS 256

/// A function of a compiled program that can be called.
typedef struct BroadloomFunction {
  const char *name;
  BroadloomEntry entry;
  /// Null where there is none; then `whyNoShapes` says why.
  BroadloomShapes shapes;
  const char *whyNoShapes;
  int32_t numArguments;
  int32_t numResults;
  /// BroadloomElementType of each argument, with BROADLOOM_SIGNLESS where that
  /// holds, and of each result.
  const int32_t *argumentTypes;
  const int32_t *resultTypes;
} BroadloomFunction;

/// What a compiled program is: the symbol `broadloom_functions` of an object
/// file or shared library, unless it was given another name when it was
/// compiled.
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

/// The code of a function: `results` is space for what it returns, one after
/// another as BroadloomResult says.
typedef int32_t (*BroadloomCode)(BroadloomCall *call, const BroadloomView *args,
                                 void *results);

/// What stands in place of a rank where there is no descriptor, but a view, or
/// a scalar.
enum { BROADLOOM_RANK_OF_VIEW = -1, BROADLOOM_RANK_OF_SCALAR = -2 };

/// Where a function puts a result, in bytes from the beginning of its results.
typedef struct BroadloomResult {
  /// A descriptor of that rank is there, or a view or a scalar.
  int32_t rank;
  int32_t elementBytes;
  int32_t offset;
} BroadloomResult;

/// What a function takes and gives.
typedef struct BroadloomSignature {
  int32_t numArguments;
  int32_t numResults;
  /// Bytes of all results together.
  int64_t resultBytes;
  /// For each argument its rank (-1 for any) and then, where that is known,
  /// its extents (-1 for any).
  const int64_t *arguments;
  const BroadloomResult *results;
} BroadloomSignature;

/// What a BroadloomSlot counts bytes from; the last are the bits that
/// say which it is.
enum {
  BROADLOOM_IN_FRAME = 0,
  BROADLOOM_IN_ARGUMENTS = 1,
  BROADLOOM_IN_RESULTS = 2,
  BROADLOOM_IN_BITS = 3,
};

/// Where a descriptor or view is: at `where & ~BROADLOOM_IN_BITS` bytes from
/// the beginning of the function's frame, its arguments or its results.
typedef struct BroadloomSlot {
  /// Of the descriptor, or BROADLOOM_RANK_OF_VIEW.
  int32_t rank;
  int32_t where;
} BroadloomSlot;

/// What stands in place of a program's number in the numbers of
/// broadloomLaunchAll where there is no launch. A site is there only in code
/// that was compiled to be profiled, which runs in the process that compiled
/// it.
enum { BROADLOOM_RELEASE = -1, BROADLOOM_SITE = -2 };

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_STRUCTS_H
