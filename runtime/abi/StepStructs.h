//===- StepStructs.h - what a function does in order ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs of runtime/abi/Structs.h for the arguments, the results and the
// steps of a function, in C.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_STEPSTRUCTS_H
#define BROADLOOM_RUNTIME_ABI_STEPSTRUCTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Replaces the rank of a result that is not a descriptor but a view or a
/// scalar.
enum { BROADLOOM_RANK_OF_VIEW = -1, BROADLOOM_RANK_OF_SCALAR = -2 };

/// The offset of a result in bytes from the beginning of its function's
/// results.
typedef struct BroadloomResult {
  /// The rank of the descriptor, or BROADLOOM_RANK_OF_VIEW or
  /// BROADLOOM_RANK_OF_SCALAR.
  int32_t rank;
  int32_t elementBytes;
  int32_t offset;
} BroadloomResult;

/// The arguments and results of a function.
typedef struct BroadloomSignature {
  int32_t numArguments;
  int32_t numResults;
  /// Bytes of all results together.
  int64_t resultBytes;
  /// The rank of each argument (-1 for any), followed, if it is known, by its
  /// extents (-1 for any).
  const int64_t *arguments;
  const BroadloomResult *results;
  /// Of a function over memory: what the type of each argument says of its
  /// layout, a BroadloomLayoutKind each. Behind that of memory stand the bytes
  /// of an element, and behind BROADLOOM_LAYOUT_STRIDED the offset and the
  /// strides, BROADLOOM_ANY_STRIDE where they are open. Null for other
  /// functions.
  const int64_t *layouts;
} BroadloomSignature;

enum BroadloomLayoutKind {
  /// It is no memory.
  BROADLOOM_LAYOUT_NONE = 0,
  BROADLOOM_LAYOUT_ROW_MAJOR = 1,
  BROADLOOM_LAYOUT_STRIDED = 2,
};
#define BROADLOOM_ANY_STRIDE INT64_MIN

/// What the field `allocated` of a descriptor points to in a function over
/// memory. It lives as long as the call, so that a use after a free is met, or
/// as long as the program.
typedef struct BroadloomBlock {
  /// 0 while the memory may be used.
  int32_t isFreed;
  /// BroadloomBlockOwner.
  int32_t owner;
  /// Its first byte, and the one behind its last.
  void *data;
  void *end;
  /// Where it was allocated and freed, or null.
  const char *allocatedAt;
  const char *freedAt;
  /// The block that the call made before; null where the call did not allocate
  /// it.
  struct BroadloomBlock *before;
} BroadloomBlock;

enum BroadloomBlockOwner {
  /// The caller's memory. A zero, so that a block of zeros is live and never
  /// freed.
  BROADLOOM_OWNED_BY_CALLER = 0,
  /// Memory that the program frees.
  BROADLOOM_OWNED_BY_PROGRAM = 1,
  /// Memory of a scope (`memref.alloca`).
  BROADLOOM_OWNED_BY_SCOPE = 2,
  /// The program's memory once it is the result of a call.
  BROADLOOM_OWNED_BY_RESULT = 3,
  /// Memory of a `memref.global`, and of one that is constant.
  BROADLOOM_OWNED_BY_GLOBAL = 4,
  BROADLOOM_OWNED_BY_CONSTANT = 5,
};

/// The base from which a BroadloomSlot counts bytes; the last constant is the
/// mask of these bits.
enum {
  BROADLOOM_IN_FRAME = 0,
  BROADLOOM_IN_ARGUMENTS = 1,
  BROADLOOM_IN_RESULTS = 2,
  BROADLOOM_IN_BITS = 3,
};

/// The address of a descriptor or view: `where & ~BROADLOOM_IN_BITS` bytes from
/// the beginning of the function's frame, arguments or results.
typedef struct BroadloomSlot {
  /// The rank of the descriptor, or BROADLOOM_RANK_OF_VIEW.
  int32_t rank;
  int32_t where;
} BroadloomSlot;

#define BROADLOOM_NO_MEMORY (-1)

/// The kinds of steps of broadloomLaunchAll: the first field of a
/// BroadloomLaunchStep, BroadloomReleaseStep or BroadloomSiteStep. Sites are
/// only in code that was compiled for a profile, which runs in the process that
/// compiled it.
enum {
  BROADLOOM_STEP_LAUNCH = 0,
  BROADLOOM_STEP_RELEASE = 1,
  BROADLOOM_STEP_SITE = 2,
};

/// A launch: the number of its program, and the offset of its location among
/// the texts of locations. Behind it stand the slot of each result
/// (broadloomLaunch), a number of 32 bits, and a BroadloomSlot for each
/// operand, each destination and each result.
typedef struct BroadloomLaunchStep {
  int32_t kind;
  int32_t program;
  int32_t place;
  int32_t numDestinations;
  /// Where the descriptor of the memory is that offsets in slots are about, or
  /// BROADLOOM_NO_MEMORY.
  int32_t memory;
} BroadloomLaunchStep;

/// A release: the BroadloomSlot of what is released.
typedef struct BroadloomReleaseStep {
  int32_t kind;
  int32_t rank;
  int32_t where;
} BroadloomReleaseStep;

/// The beginning of a site (runtime/profile/Profile.h): its number, or
/// Profile::kOutside. Behind it stands a BroadloomSiteTensor for each tensor
/// that the site reads or writes outside of launches and copies.
typedef struct BroadloomSiteStep {
  int32_t kind;
  int32_t site;
  int32_t numTensors;
} BroadloomSiteStep;

/// The bytes of an element of a tensor, and its BroadloomSlot.
typedef struct BroadloomSiteTensor {
  int32_t elementBytes;
  int32_t rank;
  int32_t where;
} BroadloomSiteTensor;

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_STEPSTRUCTS_H
