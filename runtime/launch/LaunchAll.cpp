//===- LaunchAll.cpp - the steps of a compiled function -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets tables that describe launches and their operands, because tables
// compile faster than equivalent code.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Tables.h"
#include "runtime/calls/TouchedBytes.h"

using namespace broadloom;

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
