//===- Abi.h - what compiled code calls of the runtime ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the runtime library that compiled code calls, in C. Nothing
// here depends on LLVM or MLIR: runtime/abi/Abi.def describes these functions
// and the structs they take, and compiled code is made from that description.
//
// Invariant: every pointer is borrowed for the duration of one call, and no
// function throws or aborts, not even if memory runs out.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_ABI_H
#define BROADLOOM_RUNTIME_ABI_ABI_H

#include "runtime/abi/Structs.h"

#ifdef __cplusplus
extern "C" {
#endif

/// BROADLOOM_ABI_VERSION of the runtime library.
extern const int32_t BROADLOOM_ABI_SYMBOL;

/// The body of an entry: checks the arguments against the compiled types
/// (BROADLOOM_INVALID_ARGUMENT, with a message, if one does not fit), calls the
/// function, and takes over its results, without a copy if a result is the
/// buffer that was allocated for it.
int32_t broadloomEnter(BroadloomCall *call, BroadloomCode function,
                       const BroadloomSignature *signature,
                       const BroadloomView *args);

/// Memory for the descriptors of a function that has many of them, as a
/// temporary of the call; null, with a message, if there is none.
void *broadloomFrame(BroadloomCall *call, int64_t bytes);
/// Frees it when the function returns successfully.
int32_t broadloomFreeFrame(BroadloomCall *call, void *frame);

/// Runs `program` over the broadcast of `operands` (bcast-3, n-ary) and makes
/// its results. For each result i: if `results[i].descriptor` is not null it
/// points to space for a descriptor of rank `results[i].rank`, which the
/// broadcast has, and is filled in; if it is null, rank and a descriptor that
/// lives as long as the call are set (rt-7). `slots[i]` is the index of the
/// function result whose buffer this is, -1 for a temporary, or -2 - k. If the
/// program has an operand k, it is not read afterwards, and the result is a
/// temporary that may be written over it. (The runtime decides that: only a
/// temporary with one reference that has the result's extents in row-major
/// order can be written over.) Behind its own operands, operand k is a
/// destination: memory for as many elements, which nobody has read. If it is
/// row-major the result is written there, and is one more reference to that
/// memory; else it is a temporary. If slotWithGaps says that only a copy to the
/// destination reads the result, it may also be written there where rows have
/// gaps between them, and has the destination's strides. An offset in planned
/// memory (BROADLOOM_SLOT_FIRST_OFFSET) is for the steps of broadloomLaunchAll
/// alone. Incompatible extents give BROADLOOM_GUARD_FAILED (a guard should have
/// failed before).
int32_t broadloomLaunch(BroadloomCall *call, const BroadloomProgram *program,
                        const BroadloomView *operands, BroadloomView *results,
                        const int32_t *slots);

/// Runs `count` steps in order; ends with the first that fails. `steps` has
/// them one after another (BroadloomLaunchStep, BroadloomReleaseStep,
/// BroadloomSiteStep). Launches name their programs in `programs` and their
/// locations in the user's program in `places`, as texts that end with a zero.
/// The three bases of slots are in registers on all processors: read from the
/// stack together, they would wait for the caller's stores.
int32_t broadloomLaunchAll(BroadloomCall *call, int32_t count, void *frame,
                           const BroadloomView *args, void *results,
                           const BroadloomProgram *const *programs,
                           const int32_t *steps, const char *places);

/// Checks argument `index` of a shape query's entry as broadloomEnter would.
int32_t broadloomCheckArgument(BroadloomCall *call, int32_t index,
                               const BroadloomView *view, int64_t rank,
                               const int64_t *extents);

/// Memory for a tensor of `rank` extents, row-major and contiguous, filled
/// into `descriptor`. `slot` is the index of a result of the function,
/// BROADLOOM_SLOT_TEMPORARY, or BROADLOOM_SLOT_PLANNED for memory of other
/// temporaries; `into`, if not null, is a destination as for broadloomLaunch,
/// for a temporary, or for a result the memory of an argument, which is taken
/// where the caller allows it. `place`, here and below, is the location in the
/// user's program, for a lack of memory; empty for none.
int32_t broadloomAllocate(BroadloomCall *call, const char *place, int32_t slot,
                          const BroadloomView *into, int64_t elementBytes,
                          int64_t rank, const int64_t *extents,
                          BroadloomDescriptor *descriptor);

/// Adds or removes a reference to the temporary of this descriptor. A temporary
/// of broadloomLaunch or broadloomAllocate with slot -1 begins with one
/// reference, and is freed with the last. These do nothing to other memory, and
/// cannot fail.
int32_t broadloomRetain(BroadloomCall *call,
                        const BroadloomDescriptor *descriptor);
int32_t broadloomRelease(BroadloomCall *call,
                         const BroadloomDescriptor *descriptor);

/// Makes `view` contiguous and row-major with offset 0: returns it with one
/// more reference if it already is, else a copy that belongs to the call. `out`
/// is space for a descriptor of the same rank.
int32_t broadloomContiguous(BroadloomCall *call, const char *place,
                            int64_t elementBytes, const BroadloomView *view,
                            BroadloomDescriptor *out);

/// Moves the descriptor of `view` to memory that lives as long as the call, so
/// that a function can return a tensor of unknown rank.
int32_t broadloomKeepView(BroadloomCall *call, BroadloomView *view);

/// Memory for a function over memory (BroadloomBlock): row-major,
/// uninitialised, freed at the latest when the call ends. Fails at `site` for
/// extents that are negative. `owner` is a BroadloomBlockOwner.
int32_t broadloomMemoryAllocate(BroadloomCall *call,
                                const BroadloomGuardSite *site, int32_t owner,
                                int64_t elementBytes, int64_t rank,
                                const int64_t *extents,
                                BroadloomDescriptor *descriptor);

/// Frees such memory; a later use of it is an error. Fails at `site` where it
/// has been freed, or is not the program's to free. `owner` says who frees it.
int32_t broadloomMemoryFree(BroadloomCall *call, const BroadloomGuardSite *site,
                            int32_t owner,
                            const BroadloomDescriptor *descriptor);

/// Copies the elements of `from` to `to`, which has the same extents and may
/// overlap it: all elements are read before the first is written.
int32_t broadloomMemoryCopy(BroadloomCall *call, const char *place,
                            int64_t elementBytes, const BroadloomView *from,
                            const BroadloomView *to);

/// Copies the elements of `from` to `to`, which has the same extents and either
/// does not overlap it or is the same memory. Any strides.
int32_t broadloomCopy(BroadloomCall *call, const char *place,
                      int64_t elementBytes, const BroadloomView *from,
                      const BroadloomView *to);

/// Writes the first elements of `views[0]` in order along `axis` to `views[1]`,
/// and their old indices, as i64, to `views[2]`, which do not overlap it. These
/// two have the same extents, along the axis at most that of `views[0]`. Any
/// strides; `elementType` is a BroadloomElementType. Equal elements keep their
/// order, -0 equals 0, and a NaN is larger than every number.
int32_t broadloomSort(BroadloomCall *call, const char *place,
                      int32_t elementType, int32_t axis, int32_t isDescending,
                      const BroadloomView *views);

/// Applies a function of linear algebra (LinearAlgebraKind) to each matrix of a
/// batch: `views` has the operands of its form, of any strides, whose inputs
/// and destinations do not overlap. `elementType` is that of the floats,
/// `flags` is of LinearAlgebraFlags. Fails at `site`, with the index of the
/// first matrix for which the function fails and the number that it gives.
int32_t broadloomLinearAlgebra(BroadloomCall *call,
                               const BroadloomGuardSite *site, int32_t kind,
                               int32_t elementType, int32_t flags,
                               const BroadloomView *views);

/// Returns function result `index`, for entries written by hand: without a copy
/// if `view` is the buffer that was allocated for that slot, else by copying.
int32_t broadloomReturn(BroadloomCall *call, int32_t index,
                        int64_t elementBytes, const BroadloomView *view);

/// Records a failed guard with its values; returns BROADLOOM_GUARD_FAILED.
int32_t broadloomFail(BroadloomCall *call, const BroadloomGuardSite *site,
                      const int64_t *values);

/// The same with shapes among the values. `kinds` has a character for each
/// value. In the failure's values, the rank replaces a shape.
int32_t broadloomFailShapes(BroadloomCall *call, const BroadloomGuardSite *site,
                            const int64_t *values, const char *kinds);

/// Fails if the call was cancelled. Functions with loops call it, and in loops
/// where the first 32 bits of `call` are not 0.
int32_t broadloomPoll(BroadloomCall *call);

/// Runs the iterations of a loop, whose order does not matter. The first three
/// arguments are numbers: the first iteration, the end, and the elements that
/// the loop works on, roughly. `body` runs the iterations from its first
/// argument up to its second one; it is called with parts of them, on several
/// threads where the work pays for that.
int32_t broadloomRunLoop(BroadloomCall *call, BroadloomCode body,
                         int32_t numArguments, const BroadloomView *arguments);

/// Calls a function of another library, by `caller` with `block`. An exception
/// that leaves it is a failure under `site`.
int32_t broadloomCallLibrary(BroadloomCall *call,
                             const BroadloomGuardSite *site,
                             BroadloomLibraryCaller caller, void *block);

/// The same with copies of the memory in `block`, whose descriptors `arguments`
/// tells. What the function has written is then in the memory itself. A copy
/// that it has freed, and what it has written outside or after its return, is a
/// failure, now or at the end of this or a later call.
int32_t broadloomCallLibraryOnCopies(BroadloomCall *call,
                                     const BroadloomGuardSite *site,
                                     BroadloomLibraryCaller caller, void *block,
                                     const BroadloomLentArgument *arguments,
                                     int32_t count);

/// Records a use, at `site`, of memory that has been freed.
int32_t broadloomFailFreed(BroadloomCall *call, const BroadloomGuardSite *site,
                           const BroadloomBlock *block);

/// Guard of a recursive function: records a failure under `site` if little of
/// the thread's stack is left.
int32_t broadloomCheckStack(BroadloomCall *call,
                            const BroadloomGuardSite *site);

/// Guard over shapes whose rank is known at run time only (rt-7): checks that
/// `shapes` (descriptors; only rank and extents are read) broadcast (bcast-4),
/// and records the failure of rt-2 under `site` if they do not.
int32_t broadloomCheckBroadcast(BroadloomCall *call,
                                const BroadloomGuardSite *site,
                                int32_t numShapes, const BroadloomView *shapes);

/// Guard that evaluates a shape function's program (shape/FunctionProgram.h;
/// `texts` are packTexts' words) and records the failure under `site`. Reads
/// ranks and extents of the inputs, and the elements of those that `kinds`
/// selects (runtime/abi/ElementKind.h has a character for each kind). If
/// `isStrict`, an undecided requirement fails too.
int32_t broadloomCheckFunction(BroadloomCall *call,
                               const BroadloomGuardSite *site,
                               const int64_t *program, const int64_t *texts,
                               int32_t numInputs, const BroadloomView *inputs,
                               const char *kinds, int32_t isStrict);

/// Whether any element of a tensor of i1 is true.
int32_t broadloomAny(const BroadloomView *flags);

/// The broadcast of `shapes` as a view whose descriptor lives as long as the
/// call (data pointers null, strides 0). If they do not broadcast, the extents
/// are unspecified but can be read.
int32_t broadloomBroadcastShape(BroadloomCall *call, int32_t numShapes,
                                const BroadloomView *shapes,
                                BroadloomView *result);

/// Writes the extents of `shape` to `result`, all of them exact.
int32_t broadloomStoreShape(BroadloomCall *call, const BroadloomView *shape,
                            BroadloomShape *result);

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_ABI_H
