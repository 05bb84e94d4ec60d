//===- Call.cpp - one call of a compiled function -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"

#include "runtime/calls/Descriptor.h"
#include "runtime/calls/ElementFacts.h"
#include "runtime/calls/LentMemory.h"
#include "runtime/calls/ParallelLoop.h"
#include "runtime/calls/Slot.h"
#include "runtime/memory/StridedCopy.h"
#include "shape/Memory.h"
#include "shape/Message.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>

using namespace broadloom;

std::string broadloom::formatExtents(const int64_t *extents, int64_t rank) {
  if (rank == 0)
    return "scalar";
  std::string text;
  for (int64_t axis = 0; axis < rank; ++axis)
    text += (axis ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

BroadloomCall::BroadloomCall() = default;

BroadloomCall::~BroadloomCall() { forgetResults(); }

void BroadloomCall::forgetFailure() noexcept {
  if (failed.status == BROADLOOM_OK)
    return;
  failed.status = BROADLOOM_OK;
  place = nullptr;
  failed.axis = -1;
  failed.operation.clear();
  failed.location.clear();
  failed.values.clear();
  failed.message.clear();
}

int32_t BroadloomCall::setResultTypes(const BroadloomElementType *types,
                                      int32_t count) noexcept {
  forgetResults();
  forgetFailure();
  launchPlans.clear();
  numSlots = 0;
  numOutputs = 0;
  slots.reset(count > 0 ? new (std::nothrow) Slot[size_t(count)] : nullptr);
  if (count < 0 || (count > 0 && !slots))
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "a call cannot have " + std::to_string(count) + " results";
    });
  numSlots = count;
  for (int32_t i = 0; i < count; ++i) {
    slots[size_t(i)].type = types[i];
    slots[size_t(i)].bytes = int32_t(broadloomElementBytes(types[i]));
  }
  return BROADLOOM_OK;
}

int32_t BroadloomCall::setOutput(int32_t index,
                                 const BroadloomTensor *output) noexcept {
  forgetFailure();
  if (index < 0 || index >= numSlots)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "there is no result " + std::to_string(index) +
             ", the function has " + std::to_string(numSlots);
    });
  Slot &slot = slots[size_t(index)];
  numOutputs += int32_t(output != nullptr) - int32_t(slot.hasOutput);
  slot.hasOutput = output != nullptr;
  // A result of an earlier call stays where it was written.
  slot.ready = false;
  if (output)
    copyTensor(*output, slot.output);
  outputsChecked = false;
  return BROADLOOM_OK;
}

void BroadloomCall::allowInPlace(int32_t index,
                                 const BroadloomTensor *argument) noexcept {
  Slot &slot = slots[size_t(index)];
  slot.isInPlace = false;
  slot.inPlace = argument ? static_cast<const char *>(argument->data) +
                                argument->offset * slot.bytes
                          : nullptr;
}

bool BroadloomCall::isInPlace(int32_t index) const noexcept {
  return slots[size_t(index)].isInPlace;
}

int32_t BroadloomCall::run(BroadloomEntry entry,
                           const BroadloomTensor *const *arguments,
                           int32_t count) noexcept {
  if (!profiler)
    return runUnprofiled(entry, arguments, count);
  profiler->begin();
  int32_t status = runUnprofiled(entry, arguments, count);
  profiler->end(done);
  return status;
}

int32_t BroadloomCall::runUnprofiled(BroadloomEntry entry,
                                     const BroadloomTensor *const *arguments,
                                     int32_t count) noexcept {
  forgetResults();
  forgetFailure();
  attention.store(0, std::memory_order_relaxed);
  lastBlock = nullptr;
  hasLentMemory.store(false, std::memory_order_relaxed);
  done = Work();
  if (planned != entry)
    launchPlans.clear();
  planned = entry;
  if (numOutputs > 0) {
    if (!outputsChecked)
      if (int32_t status = checkOutputs())
        return status;
    findOverlaps(arguments, count);
  }
  BroadloomView *views = nullptr;
  int32_t status = makeViews(arguments, count, views);
  if (status == BROADLOOM_OK)
    status = entry(this, views);
  if (status == BROADLOOM_OK && hasLentMemory.load(std::memory_order_relaxed))
    status = checkLentMemory(this);
  if (status == BROADLOOM_OK && findsLeaks)
    status = checkLeaks();
  if (status == BROADLOOM_OK)
    status = finish();
  else if (failed.status == BROADLOOM_OK)
    fail(status, [&] {
      return "the function failed with status " + std::to_string(status) +
             " and did not say why";
    });
  if (status != BROADLOOM_OK)
    forgetResults();
  memory.reset();
  descriptors.reset();
  buffers.freeAll();
  if (readsKept)
    kept->leave();
  readsKept = false;
  return status;
}

int32_t BroadloomCall::computeShapes(BroadloomShapes shapes,
                                     const BroadloomTensor *const *arguments,
                                     int32_t count,
                                     BroadloomShape *results) noexcept {
  forgetFailure();
  attention.store(0, std::memory_order_relaxed);
  if (int32_t status = checkArguments(arguments, count, /*needsMemory=*/false))
    return status;
  auto *views = memory.array<BroadloomView>(count);
  if (!views)
    return failMemory();
  for (int32_t i = 0; i < count; ++i)
    views[i] = {arguments[i]->rank,
                const_cast<void **>(&arguments[i]->allocated)};
  int32_t status = shapes(this, views, results);
  memory.reset();
  descriptors.reset();
  buffers.freeAll();
  return status;
}

int32_t BroadloomCall::makeViews(const BroadloomTensor *const *arguments,
                                 int32_t count,
                                 BroadloomView *&views) noexcept {
  views = memory.array<BroadloomView>(count);
  hasMovedArguments = false;
  if (!views)
    return failMemory();
  for (int32_t i = 0; i < count; ++i) {
    const BroadloomTensor &tensor = *arguments[i];
    views[i].rank = tensor.rank;
    views[i].descriptor = const_cast<void **>(&tensor.allocated);
    int64_t bytes = getTypeBytes(tensor.elementType);
    if (isAligned(tensor.data, bytes))
      continue;
    // Compiled code assumes that elements are aligned to their size.
    auto *copy = static_cast<BroadloomDescriptor *>(
        memory.allocate(descriptorBytes(tensor.rank)));
    if (!copy)
      return failMemory();
    if (int32_t status = broadloomContiguous(this, "", bytes, &views[i], copy))
      return status;
    views[i].descriptor = copy;
    hasMovedArguments = true;
  }
  return BROADLOOM_OK;
}

int32_t BroadloomCall::takeResult(int32_t index,
                                  BroadloomTensor *out) noexcept {
  forgetFailure();
  if (!out)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "there is no tensor to take result " + std::to_string(index) +
             " into: it is null";
    });
  if (index < 0 || index >= numSlots || !slots[size_t(index)].ready)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "result " + std::to_string(index) +
             " is not there: no call has succeeded since it was taken, "
             "or the function has fewer results";
    });
  Slot &slot = slots[size_t(index)];
  slot.ready = false;
  if (slot.hasOutput) {
    copyTensor(slot.output, *out);
    out->release = nullptr;
    out->manager = nullptr;
    return BROADLOOM_OK;
  }
  adoptMemory(slot.memory, slot.memoryBytes, slot.type, int32_t(slot.rank),
              slot.extents, out);
  slot.memory = nullptr;
  return BROADLOOM_OK;
}

int32_t BroadloomCall::failWith(int32_t status,
                                std::string (*makeText)(const void *),
                                const void *context,
                                const BroadloomGuardSite *site,
                                const int64_t *values, int32_t numValues,
                                int32_t axis) noexcept {
  // Functions of other libraries may fail on several threads.
  static std::mutex recording;
  std::lock_guard<std::mutex> lock(recording);
  if (failed.status != BROADLOOM_OK)
    return status;
  failed.status = status;
  try {
    failed.operation = site ? site->operation : "";
    if (site)
      failed.location = site->location;
    else if (status == BROADLOOM_OUT_OF_MEMORY && place)
      failed.location = place;
    else
      failed.location = "";
    failed.axis = axis;
    failed.values.assign(values, values + numValues);
    failed.message =
        withSite(failed.location, failed.operation, makeText(context));
  } catch (const std::exception &) {
    // Short enough for std::string's internal buffer.
    failed.message = "out of memory";
  }
  return status;
}

bool BroadloomCall::worksOnMemory() const noexcept {
  auto isMemory = [](int32_t type) { return (type & BROADLOOM_MEMORY) != 0; };
  return function &&
         std::any_of(function->argumentTypes,
                     function->argumentTypes + function->numArguments,
                     isMemory);
}

int32_t BroadloomCall::attend() noexcept {
  // The thread of the call itself does what is to be done once.
  if (runsPartOfLoop())
    return attention.load(std::memory_order_relaxed) & Cancelled
               ? BROADLOOM_CANCELLED
               : BROADLOOM_OK;
  if (attention.fetch_and(~Pause, std::memory_order_relaxed) & Pause)
    if (pausing && pausing(pausingContext))
      draw(Cancelled);
  if (!(attention.load(std::memory_order_relaxed) & Cancelled))
    return BROADLOOM_OK;
  return fail(BROADLOOM_CANCELLED,
              worksOnMemory()
                  ? "the call was cancelled; memory that it writes to has what "
                    "was written until then"
                  : "the call was cancelled");
}

int32_t BroadloomCall::failMemory(const int64_t *extents, int64_t rank,
                                  int64_t elementBytes,
                                  bool isMemory) noexcept {
  int64_t count = countElements(extents, rank), bytes;
  // Extents that are not 0 count beside one that is (ext-5).
  bool isTooLarge = count < 0 ||
                    __builtin_mul_overflow(count, elementBytes, &bytes) ||
                    (bytes == 0 && !canExist(extents, rank, elementBytes));
  return fail(BROADLOOM_OUT_OF_MEMORY, [&] {
    std::string text = isMemory || worksOnMemory() ? "an array" : "a tensor";
    text += " of shape " + formatExtents(extents, rank);
    return isTooLarge ? text + " is larger than any memory"
                      : "there is no memory for " + text + ", " +
                            std::to_string(bytes) + " bytes";
  });
}
