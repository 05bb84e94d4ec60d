//===- Function.cpp - compiled functions and their frames -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets tables that describe arguments, operands and results, because
// tables compile faster than equivalent code.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/MemoryArguments.h"
#include "runtime/calls/Tables.h"
#include "runtime/calls/TouchedBytes.h"

using namespace broadloom;

namespace {

/// Checks one argument; advances `expected` to the next one.
int32_t checkArgument(BroadloomCall *call, int32_t index,
                      const BroadloomView &view, const int64_t *&expected) {
  int64_t rank = *expected++;
  if (rank < 0)
    return BROADLOOM_OK;
  const int64_t *extents = expected;
  expected += rank;
  return fits(view, rank, extents)
             ? int32_t(BROADLOOM_OK)
             : broadloomCheckArgument(call, index, &view, rank, extents);
}

int32_t takeOver(BroadloomCall *call, int32_t index,
                 const BroadloomResult &result, char *at) {
  if (result.rank != BROADLOOM_RANK_OF_SCALAR) {
    BroadloomView view{result.rank, at};
    return call->returnResult(
        index, result.elementBytes,
        result.rank < 0 ? *reinterpret_cast<BroadloomView *>(at) : view);
  }
  BroadloomDescriptor scalar{at, at, 0};
  return call->returnResult(index, result.elementBytes,
                            BroadloomView{0, &scalar});
}

} // namespace

int32_t broadloomEnter(BroadloomCall *call, BroadloomCode function,
                       const BroadloomSignature *signature,
                       const BroadloomView *args) {
  const int64_t *expected = signature->arguments;
  for (int32_t i = 0; i < signature->numArguments; ++i)
    if (int32_t status = checkArgument(call, i, args[i], expected))
      return status;
  Tables memory, views;
  char *results = memory.allocate(signature->resultBytes);
  if (!results)
    return call->failMemory();
  if (signature->layouts)
    if (int32_t status = describeMemory(*call, *signature, args, views))
      return status;
  int32_t status = function(call, args, results);
  for (int32_t i = 0; status == BROADLOOM_OK && i < signature->numResults; ++i)
    status = takeOver(call, i, signature->results[i],
                      results + signature->results[i].offset);
  return status;
}

void *broadloomFrame(BroadloomCall *call, int64_t bytes) {
  void *frame = call->temporaries().allocate(bytes);
  if (!frame)
    call->failMemory();
  return frame;
}

int32_t broadloomFreeFrame(BroadloomCall *call, void *frame) {
  call->temporaries().release(frame);
  return BROADLOOM_OK;
}

namespace {

/// The bases of a function's slots.
struct Bases {
  char *bases[3];

  char *at(const BroadloomSlot &location) const {
    return bases[location.where & BROADLOOM_IN_BITS] +
           (location.where & ~BROADLOOM_IN_BITS);
  }
  BroadloomView &viewAt(const BroadloomSlot &location) const {
    return *reinterpret_cast<BroadloomView *>(at(location));
  }
};

/// Advances `steps` over `count` structs, or numbers, of type `T`.
template <typename T> const T *take(const int32_t *&steps, int32_t count = 1) {
  static_assert(alignof(T) == alignof(int32_t));
  auto *taken = reinterpret_cast<const T *>(steps);
  steps = reinterpret_cast<const int32_t *>(taken + count);
  return taken;
}

/// Runs one launch; advances `steps` to the next step, as do the functions
/// below.
int32_t launchAt(BroadloomCall *call, const BroadloomProgram *const *programs,
                 const char *places, const Bases &bases,
                 const int32_t *&steps) {
  const auto *step = take<BroadloomLaunchStep>(steps);
  const BroadloomProgram &program = *programs[step->program];
  int32_t numRead = program.numOperands + step->numDestinations;
  int32_t count = numRead + program.numResults;
  call->setPlace(places + step->place);
  const auto *slots = take<int32_t>(steps, program.numResults);
  const auto *locations = take<BroadloomSlot>(steps, count);
  Tables memory;
  auto *views = reinterpret_cast<BroadloomView *>(
      memory.allocate(int64_t(sizeof(BroadloomView)) * count));
  if (!views)
    return call->failMemory();
  for (int32_t i = 0; i < count; ++i) {
    if (locations[i].rank >= 0)
      views[i] = BroadloomView{locations[i].rank, bases.at(locations[i])};
    else if (i < numRead)
      views[i] = bases.viewAt(locations[i]);
    else
      views[i] = BroadloomView{0, nullptr};
  }
  call->setStep(step);
  if (step->memory != BROADLOOM_NO_MEMORY) {
    void *descriptor = bases.at(BroadloomSlot{1, step->memory});
    call->setPlannedMemory(*static_cast<BroadloomDescriptor *>(descriptor));
  }
  int32_t status =
      broadloomLaunch(call, &program, views, views + numRead, slots);
  call->setStep(nullptr);
  for (int32_t i = numRead; i < count; ++i)
    if (locations[i].rank < 0)
      bases.viewAt(locations[i]) = views[i];
  if (call->profile() && status == BROADLOOM_OK)
    call->countTouched(touchedBytes(program, views, views + numRead));
  return status;
}

void releaseAt(BroadloomCall *call, const Bases &bases, const int32_t *&steps) {
  const auto *step = take<BroadloomReleaseStep>(steps);
  BroadloomSlot location{step->rank, step->where};
  void *descriptor = location.rank < 0 ? bases.viewAt(location).descriptor
                                       : bases.at(location);
  broadloomRelease(call, static_cast<BroadloomDescriptor *>(descriptor));
}

void enterSiteAt(BroadloomCall *call, const Bases &bases,
                 const int32_t *&steps) {
  const auto *step = take<BroadloomSiteStep>(steps);
  const auto *tensors = take<BroadloomSiteTensor>(steps, step->numTensors);
  Profile *profile = call->profile();
  if (!profile)
    return;
  profile->enter(step->site, call->work());
  for (int32_t i = 0; i < step->numTensors; ++i) {
    BroadloomSlot location{tensors[i].rank, tensors[i].where};
    call->countTouched(touchedBytes(
        location.rank < 0 ? bases.viewAt(location)
                          : BroadloomView{location.rank, bases.at(location)},
        tensors[i].elementBytes));
  }
}

} // namespace

int32_t broadloomLaunchAll(BroadloomCall *call, int32_t count, void *frame,
                           const BroadloomView *args, void *results,
                           const BroadloomProgram *const *programs,
                           const int32_t *steps, const char *places) {
  Bases bases = {{static_cast<char *>(frame),
                  reinterpret_cast<char *>(const_cast<BroadloomView *>(args)),
                  static_cast<char *>(results)}};
  int32_t status = BROADLOOM_OK;
  for (int32_t i = 0; status == BROADLOOM_OK && i < count; ++i) {
    int32_t kind = *steps;
    if (kind == BROADLOOM_STEP_LAUNCH)
      status = launchAt(call, programs, places, bases, steps);
    else if (kind == BROADLOOM_STEP_RELEASE)
      releaseAt(call, bases, steps);
    else
      enterSiteAt(call, bases, steps);
  }
  if (status == BROADLOOM_OK)
    call->setPlace(nullptr);
  return status;
}
