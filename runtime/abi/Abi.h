//===- Abi.h - what compiled code calls of the runtime ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the runtime library that compiled code calls, in C. Nothing
// here knows of LLVM or MLIR: runtime/abi/Abi.def describes these functions and
// the structs they take, and compiled code is made from that description.
//
// Invariant: every pointer is borrowed for the duration of one call, and no
// function throws or aborts, not even where memory runs out.
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

/// What an entry does: checks the arguments against what was compiled
/// (BROADLOOM_INVALID_ARGUMENT, with a message, where one does not fit), calls
/// the function, and takes over its results: without a copy where a result is
/// the very buffer that was made for it.
int32_t broadloomEnter(BroadloomCall *call, BroadloomCode function,
                       const BroadloomSignature *signature,
                       const BroadloomView *args);

/// Memory for the descriptors of a function that has many of them, a temporary
/// of the call's; null, with a message, where there is none.
void *broadloomFrame(BroadloomCall *call, int64_t bytes);
/// Frees it again, where the function returns well.
int32_t broadloomFreeFrame(BroadloomCall *call, void *frame);

/// Runs `program` over the broadcast of `operands` (bcast-3, n-ary) and makes
/// its results. For each result i: if `results[i].descriptor` is not null it
/// points to space for a descriptor of rank `results[i].rank`, which the
/// broadcast has, and is filled in; if it is null, rank and a descriptor that
/// lives as long as the call are set (rt-7). `slots[i]` is the index of the
/// function result whose buffer this is, -1 for a temporary, or -2 - k for one
/// that may lie where operand k does, which is not read afterwards. (Whether it
/// does is decided in the call: only a temporary of its own, with the result's
/// extents in row-major order, can be written over.)
/// Incompatible extents give BROADLOOM_GUARD_FAILED (a guard should have come
/// before; this is the last line of defence).
int32_t broadloomLaunch(BroadloomCall *call, const BroadloomProgram *program,
                        const BroadloomView *operands, BroadloomView *results,
                        const int32_t *slots);

/// `count` launches and releases one after another; ends with the first that
/// fails. For a launch, `numbers` has the number of its program in `programs`,
/// its slots (as for broadloomLaunch), and the locations of its operands and
/// results (BroadloomSlot) in the calling function; for a release,
/// BROADLOOM_RELEASE and the location of what is released. BROADLOOM_SITE, a
/// number of a profile's site and a list of tensors say that the site begins
/// (runtime/profile/Profile.h); it counts among the launches and releases.
int32_t broadloomLaunchAll(BroadloomCall *call, int32_t count,
                           const BroadloomProgram *const *programs,
                           const int32_t *numbers, void *frame,
                           const BroadloomView *args, void *results);

/// Checks argument `index` of a shape query's entry as broadloomEnter would.
int32_t broadloomCheckArgument(BroadloomCall *call, int32_t index,
                               const BroadloomView *view, int64_t rank,
                               const int64_t *extents);

/// Memory for a tensor of `rank` extents, row-major and contiguous, filled
/// into `descriptor`. `slot` as for broadloomLaunch.
int32_t broadloomAllocate(BroadloomCall *call, int32_t slot,
                          int64_t elementBytes, int64_t rank,
                          const int64_t *extents,
                          BroadloomDescriptor *descriptor);

/// One reference more, or less, to the temporary whose descriptor this is:
/// what broadloomLaunch and broadloomAllocate make with slot -1 has one
/// reference, and is freed with the last. Does nothing to other memory, and
/// cannot fail.
int32_t broadloomRetain(BroadloomCall *call,
                        const BroadloomDescriptor *descriptor);
int32_t broadloomRelease(BroadloomCall *call,
                         const BroadloomDescriptor *descriptor);

/// Makes `view` contiguous and row-major with offset 0: itself where it already
/// is, with one reference more, a copy of the call's where not. `out` is space
/// for a descriptor of the same rank.
int32_t broadloomContiguous(BroadloomCall *call, int64_t elementBytes,
                            const BroadloomView *view,
                            BroadloomDescriptor *out);

/// Moves the descriptor of `view` to memory that lives as long as the call, so
/// that a function may return a tensor whose rank is known at run time only.
int32_t broadloomKeepView(BroadloomCall *call, BroadloomView *view);

/// Copies the elements of `from` to `to`, which has the same extents and does
/// not overlap it. Any strides.
int32_t broadloomCopy(BroadloomCall *call, int64_t elementBytes,
                      const BroadloomView *from, const BroadloomView *to);

/// Writes the first elements of `views[0]` in order along `axis` to `views[1]`,
/// and where they were, as i64, to `views[2]`, which do not overlap it. These
/// have the same extents, along the axis at most those of `views[0]`. Any
/// strides; `elementType` is a BroadloomElementType. Equal elements keep their
/// order, -0 equals 0, and a NaN is larger than every number.
int32_t broadloomSort(BroadloomCall *call, int32_t elementType, int32_t axis,
                      int32_t isDescending, const BroadloomView *views);

/// Hands over function result `index`, for entries written by hand: without a
/// copy where `view` is the very buffer that was made for that slot, else by
/// copying.
int32_t broadloomReturn(BroadloomCall *call, int32_t index,
                        int64_t elementBytes, const BroadloomView *view);

/// Records a failed guard with its values; returns BROADLOOM_GUARD_FAILED.
int32_t broadloomFail(BroadloomCall *call, const BroadloomGuardSite *site,
                      const int64_t *values);

/// The same where some values are shapes. `kinds` has a character for each. The
/// failure's values have a shape's rank in its place.
int32_t broadloomFailShapes(BroadloomCall *call, const BroadloomGuardSite *site,
                            const int64_t *values, const char *kinds);

/// Guard of a function that calls itself, by way of others or not: records the
/// failure under `site` where little is left of the thread's stack.
int32_t broadloomCheckStack(BroadloomCall *call,
                            const BroadloomGuardSite *site);

/// Guard over shapes whose rank is known at run time only (rt-7): checks that
/// `shapes` (descriptors; only rank and extents are read) broadcast (bcast-4),
/// and records the failure of rt-2 under `site` where they do not.
int32_t broadloomCheckBroadcast(BroadloomCall *call,
                                const BroadloomGuardSite *site,
                                int32_t numShapes, const BroadloomView *shapes);

/// Guard that evaluates a shape function's program (shape/FunctionProgram.h;
/// `texts` are packTexts' words) and records the failure under `site`. Of the
/// inputs rank and extents are read, and the elements of those that `kinds`
/// says to read (runtime/abi/ElementKind.h has a character for each kind). If
/// `isStrict`, what cannot be decided fails too.
int32_t broadloomCheckFunction(BroadloomCall *call,
                               const BroadloomGuardSite *site,
                               const int64_t *program, const int64_t *texts,
                               int32_t numInputs, const BroadloomView *inputs,
                               const char *kinds, int32_t isStrict);

/// Whether any element of a tensor of i1 is true.
int32_t broadloomAny(const BroadloomView *flags);

/// The broadcast of `shapes` as a view whose descriptor lives as long as the
/// call (data pointers null, strides 0). Where they do not broadcast, the
/// extents are unspecified but safe to read.
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
