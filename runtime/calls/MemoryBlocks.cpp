//===- MemoryBlocks.cpp - memory that functions allocate and free ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mem-5, mem-6. Each allocation has a block (BroadloomBlock), which stays until
// the call ends while its memory is freed. So a use of freed memory is met
// whoever asks, and wherever the address has gone meanwhile.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Slot.h"
#include "shape/Memory.h"

#include <algorithm>

using namespace broadloom;

int32_t broadloomMemoryAllocate(BroadloomCall *call,
                                const BroadloomGuardSite *site, int32_t owner,
                                int64_t elementBytes, int64_t rank,
                                const int64_t *extents,
                                BroadloomDescriptor *descriptor) {
  if (int32_t status = call->checkCancelled())
    return status;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (extents[axis] < 0)
      return call->fail(
          BROADLOOM_GUARD_FAILED,
          [&] {
            return "axis " + std::to_string(axis) + " has extent " +
                   std::to_string(extents[axis]) + ", expected at least 0";
          },
          site, &extents[axis], 1, int32_t(axis));
  call->setPlace(site->location);
  int64_t count = countElements(extents, rank), bytes;
  if (!canExist(extents, rank, elementBytes) || count < 0 ||
      __builtin_mul_overflow(count, elementBytes, &bytes))
    return call->failMemory(extents, rank, elementBytes, /*isMemory=*/true);
  auto *block = call->arena().array<BroadloomBlock>(1);
  // Memory without elements has an address as well.
  void *data = block ? call->temporaries().allocate(std::max<int64_t>(bytes, 1))
                     : nullptr;
  if (!data)
    return call->failMemory(extents, rank, elementBytes, /*isMemory=*/true);
  call->setPlace(nullptr);
  *block = BroadloomBlock{
      0,       owner,  data, static_cast<char *>(data) + bytes, site->location,
      nullptr, nullptr};
  call->addBlock(*block);
  describeRowMajor(*descriptor, block, data, extents, rank);
  return BROADLOOM_OK;
}

static std::string_view orEmpty(const char *text) { return text ? text : ""; }

/// `, at k.mlir:3:8`, or nothing where the place is not known.
static std::string at(const char *location) {
  return location && *location ? std::string(", at ") + location : "";
}

/// Whether the program has neither freed nor returned the memory.
static bool isLeft(const BroadloomBlock &block) {
  return !block.isFreed && block.owner == BROADLOOM_OWNED_BY_PROGRAM;
}

static std::string describeUse(const BroadloomBlock &block) {
  bool isOfScope = block.owner == BROADLOOM_OWNED_BY_SCOPE;
  return describeFreed(orEmpty(block.freedAt),
                       isOfScope ? "memref.alloca" : "memref.alloc",
                       orEmpty(block.allocatedAt));
}

static std::string describeWrongFree(const BroadloomBlock &block) {
  if (block.owner == BROADLOOM_OWNED_BY_CALLER)
    return "the memory is the caller's; a function frees what it has allocated";
  if (block.owner == BROADLOOM_OWNED_BY_SCOPE)
    return "the memory is of 'memref.alloca'" + at(block.allocatedAt) +
           "; it is freed where its scope ends";
  if (block.owner == BROADLOOM_OWNED_BY_GLOBAL ||
      block.owner == BROADLOOM_OWNED_BY_CONSTANT)
    return "the memory is of a 'memref.global'; it lives as long as the "
           "program";
  return describeUse(block);
}

int32_t broadloomFailFreed(BroadloomCall *call, const BroadloomGuardSite *site,
                           const BroadloomBlock *block) {
  return call->fail(
      BROADLOOM_GUARD_FAILED, [&] { return describeUse(*block); }, site);
}

void BroadloomCall::keepReturned(const void *returned) noexcept {
  for (BroadloomBlock *block = lastBlock; block; block = block->before)
    if (block == returned && block->owner == BROADLOOM_OWNED_BY_PROGRAM)
      block->owner = BROADLOOM_OWNED_BY_RESULT;
}

static int64_t countBytes(const BroadloomBlock &block) {
  return static_cast<const char *>(block.end) -
         static_cast<const char *>(block.data);
}

int32_t BroadloomCall::checkLeaks() noexcept {
  constexpr int64_t mostTold = 10;
  int64_t count = 0;
  for (BroadloomBlock *block = lastBlock; block; block = block->before)
    count += isLeft(*block);
  if (count == 0)
    return BROADLOOM_OK;
  return fail(BROADLOOM_GUARD_FAILED, [&] {
    // The last blocks are the first of the list.
    std::string text;
    int64_t number = count;
    for (BroadloomBlock *block = lastBlock; block; block = block->before)
      if (isLeft(*block) && number-- <= mostTold)
        text = (number ? ", " : "") + std::to_string(countBytes(*block)) +
               " bytes" + inBrackets(orEmpty(block->allocatedAt)) + text;
    if (count > mostTold)
      text += ", and " + std::to_string(count - mostTold) + " more";
    return "memory that the call has allocated is neither freed nor "
           "returned: " +
           text;
  });
}

int32_t broadloomMemoryFree(BroadloomCall *call, const BroadloomGuardSite *site,
                            int32_t owner,
                            const BroadloomDescriptor *descriptor) {
  auto &block = *static_cast<BroadloomBlock *>(descriptor->allocated);
  if (block.owner != owner || block.isFreed)
    return call->fail(
        BROADLOOM_GUARD_FAILED, [&] { return describeWrongFree(block); }, site);
  // A view that has come by a call or a branch (legalize/memory/).
  if (descriptor->aligned != block.data || descriptor->offset != 0)
    return call->fail(
        BROADLOOM_GUARD_FAILED,
        [&] {
          return "the memory is a view of what 'memref.alloc' gave" +
                 at(block.allocatedAt);
        },
        site);
  block.isFreed = 1;
  block.freedAt = site->location;
  call->temporaries().release(block.data);
  return BROADLOOM_OK;
}

MemoryRange broadloom::memoryRange(const BroadloomView &view,
                                   int64_t elementBytes) {
  const int64_t *extents = descriptorOf(view).dims;
  int64_t low = 0, high = 0;
  for (int64_t axis = 0; axis < view.rank; ++axis) {
    if (extents[axis] == 0)
      return MemoryRange();
    int64_t reach = (extents[axis] - 1) * extents[view.rank + axis];
    (reach < 0 ? low : high) += reach;
  }
  const char *base = elementsOf(view, elementBytes);
  return {base + low * elementBytes, base + (high + 1) * elementBytes};
}

int32_t broadloomMemoryCopy(BroadloomCall *call, const char *place,
                            int64_t elementBytes, const BroadloomView *from,
                            const BroadloomView *to) {
  if (isSamePlace(*from, *to, elementBytes) ||
      !memoryRange(*from, elementBytes)
           .overlaps(memoryRange(*to, elementBytes)))
    return broadloomCopy(call, place, elementBytes, from, to);
  int64_t rank = from->rank;
  const BroadloomDescriptor &source = descriptorOf(*from);
  Arena::Mark mark = call->arena().mark();
  auto *between = static_cast<BroadloomDescriptor *>(
      call->arena().allocate(descriptorBytes(rank)));
  int64_t bytes = countElements(source.dims, rank) * elementBytes;
  void *data = call->arena().allocate(bytes);
  int32_t status = BROADLOOM_OK;
  if (!between || !data) {
    call->setPlace(place);
    status = call->failMemory(source.dims, rank, elementBytes,
                              /*isMemory=*/true);
  } else {
    describeRowMajor(*between, nullptr, data, source.dims, rank);
    BroadloomView middle{rank, between};
    status = broadloomCopy(call, place, elementBytes, from, &middle);
    if (status == BROADLOOM_OK)
      status = broadloomCopy(call, place, elementBytes, &middle, to);
  }
  call->arena().rewind(mark);
  return status;
}
