//===- ContractLaunch.cpp - one run of a contraction ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/ContractLaunch.h"

#include "runtime/Rounding.h"
#include "runtime/calls/KeptPanels.h"
#include "runtime/contractions/Windows.h"
#include "runtime/memory/StridedCopy.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>

using namespace broadloom;

/// Rows of an image that are copied together.
static constexpr int64_t kRowsOfPart = 64;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

int64_t ContractLaunch::countOperandWords(const BroadloomProgram &program,
                                          const BroadloomView *operands) {
  int64_t words = program.numOperands;
  for (int32_t i = 0; i < program.numOperands; ++i)
    words += countDims(program, operands, i);
  return words;
}

inline void ContractLaunch::placeArrays(ArrayLayout &layout, ContractPlan &plan,
                                        const BroadloomProgram &program,
                                        const BroadloomView *operands) {
  int64_t rank = operands[0].rank;
  Contraction &c = plan.c;
  c.numTensors = program.numOperands + program.numResults - 2;
  plan.operands = layout.take<int64_t>(countOperandWords(program, operands));
  plan.extents = layout.take<int64_t>(rank);
  plan.gapStrides = layout.take<int64_t>(rank);
  c.window = layout.take<WindowAxis>(rank + 1);
  c.data = layout.take<char *>(c.numTensors);
  c.rows.extents = layout.take<int64_t>(rank);
  c.rows.strides = layout.take<int64_t>(c.numTensors * rank);
  plan.tiles.place(layout, c.numTensors);
  c.bytes = layout.take<int32_t>(c.numTensors);
  c.hasChannels = layout.take<bool>(c.numTensors);
}

int64_t ContractLaunch::planBytes(const BroadloomProgram &program,
                                  const BroadloomView *operands) {
  ContractPlan measured;
  ArrayLayout layout;
  placeArrays(layout, measured, program, operands);
  return int64_t(sizeof(ContractPlan)) + layout.bytes();
}

/// The destination of the result, if rows can be written there with the gaps
/// that it has.
const BroadloomView *ContractLaunch::findGaps(int32_t slot) const {
  const BroadloomView *view = gapsOf(program, operands, slot, rank);
  if (!view || plan.count <= 0 || !fits(*view, rank, extents) ||
      descriptorOf(*view).dims[2 * rank - 1] != 1)
    return nullptr;
  return view;
}

/// Whether the plan in the block is one for these operands, and for the
/// destination of the only result.
bool ContractLaunch::isPlanned(int32_t slot) const {
  if (!plan.isValid || plan.threads != call.threads() ||
      (isGiven && (plan.given != weightAddress() || !call.keptPanels() ||
                   plan.panelTime != call.keptPanelTime())))
    return false;
  const int64_t *known = plan.operands + program.numOperands;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    const int64_t *dims = extentsOf(i);
    if (plan.operands[i] != operands[i].rank)
      return false;
    // A loop, because a call of memcmp takes longer for so few numbers.
    int64_t count = countDims(program, operands, i);
    for (int64_t k = 0; k < count; ++k)
      if (known[k] != dims[k])
        return false;
    known += count;
  }
  const BroadloomView *to = findGaps(slot);
  return plan.hasGaps == (to != nullptr) &&
         (!to || std::equal(plan.gapStrides, plan.gapStrides + rank,
                            descriptorOf(*to).dims + rank));
}

/// Notes for which operands the plan is.
void ContractLaunch::noteOperands() {
  int64_t *next = plan.operands + program.numOperands;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    plan.operands[i] = operands[i].rank;
    next = std::copy_n(extentsOf(i), countDims(program, operands, i), next);
  }
  plan.threads = call.threads();
  plan.hasGaps = gaps != nullptr;
  if (gaps)
    std::copy_n(descriptorOf(*gaps).dims + rank, rank, plan.gapStrides);
  plan.isValid = true;
}

void ContractLaunch::setAddresses(const BroadloomView *results) {
  c.record = &record;
  c.image = elementsOf(operands[0], program.valueBytes[0]);
  c.weight = weightAddress();
  char **next = c.data;
  for (int32_t i = 2; i < program.numOperands; ++i)
    *next++ = elementsOf(operands[i], program.valueBytes[i]);
  for (int32_t i = 0; i < program.numResults; ++i)
    *next++ = static_cast<char *>(descriptorOf(results[i]).aligned);
}

int32_t ContractLaunch::makeResults(BroadloomView *results,
                                    const int32_t *slots) {
  if (gaps) {
    if (int32_t status = call.makeDescriptor(results[0], rank))
      return status;
    auto &made = *static_cast<BroadloomDescriptor *>(results[0].descriptor);
    describeElements(made, *gaps, program.valueBytes[program.numOperands]);
    call.temporaries().retain(made.allocated);
    return BROADLOOM_OK;
  }
  for (int32_t i = 0; i < program.numResults; ++i) {
    char *data;
    if (int32_t status = call.makeResult(
            results[i], targetOf(program, operands, slots[i]),
            program.valueBytes[program.numOperands + i], rank, extents, data))
      return status;
  }
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// The weight in panels
//===----------------------------------------------------------------------===//

/// Whether the steps of a given weight are evenly spaced, as those of a matrix
/// and of a row-major weight are.
bool ContractLaunch::hasEvenSteps() const {
  const int64_t *dims = extentsOf(1), *strides = stridesOf(1);
  int64_t stride = c.givenStep;
  for (int64_t axis = operands[1].rank - 2; axis >= 0; --axis) {
    if (dims[axis] != 1 && strides[axis] != stride)
      return false;
    stride *= dims[axis];
  }
  return true;
}

/// Copies a given weight, so that its steps are evenly spaced.
int32_t ContractLaunch::copyWeight() {
  int64_t axes = operands[1].rank;
  int64_t bytes = countBytes(extentsOf(1), axes, c.weightBytes);
  int64_t *dense = arena.array<int64_t>(axes);
  char *to = bytes < 0 ? nullptr : static_cast<char *>(arena.allocate(bytes));
  if (!dense || !to)
    return call.failMemory();
  rowMajorStrides(extentsOf(1), axes, dense);
  if (!copyStrided(arena, call.threads(), extentsOf(1), axes, c.weightBytes,
                   {to, dense}, {const_cast<char *>(c.weight), stridesOf(1)},
                   call.cancellation()))
    return call.failMemory();
  c.weight = to;
  c.givenStep = c.channelsOut;
  c.givenChannel = 1;
  return BROADLOOM_OK;
}

int32_t ContractLaunch::packWeight() {
  if ((!isGiven && c.weightSource != WeightSource::LaidOut) ||
      c.panelStride == 0)
    return BROADLOOM_OK;
  if (isGiven && hasEvenSteps() && call.keptPanels())
    return keepPanels();
  if (isGiven && !hasEvenSteps())
    if (int32_t status = copyWeight())
      return status;
  int64_t bytes;
  if (__builtin_mul_overflow(c.numGroups * c.groupStride, c.weightBytes,
                             &bytes))
    return call.failMemory(extents, rank, c.weightBytes);
  char *panels = static_cast<char *>(arena.allocate(bytes));
  if (!panels)
    return call.failMemory();
  int32_t status = layOut(panels);
  hasCopies = true;
  c.weight = panels;
  return status;
}

int32_t ContractLaunch::layOut(char *panels) {
  int64_t count = c.numPanels(), panelBytes = c.panelStride * c.weightBytes;
  parallelForEach(threadsFor(call.threads(), c.numGroups * count * panelBytes),
                  c.numGroups * count, call.cancellation(), [&](int64_t i) {
                    layOutPanel(c, i / count, i % count,
                                panels + i * panelBytes);
                  });
  return call.checkCancelled();
}

/// Finds or makes the panels of a weight that is laid out once.
int32_t ContractLaunch::keepPanels() {
  KeptPanels::Key key{c.weight,        c.weightBytes,  c.taps(),
                      c.tapDepth(),    c.channelsOut,  c.parts,
                      c.givenStep,     c.givenChannel, record.panel,
                      record.together, record.padding};
  KeptPanels &kept = *call.keptPanels();
  plan.given = c.weight;
  plan.panelTime = call.keptPanelTime();
  plan.panels = kept.find(key, plan.panelTime);
  if (!plan.panels) {
    int64_t bytes;
    if (__builtin_mul_overflow(c.groupStride, c.weightBytes, &bytes))
      return call.failMemory(extents, rank, c.weightBytes);
    char *panels = KeptPanels::make(bytes);
    if (!panels)
      return call.failMemory();
    if (int32_t status = layOut(panels)) {
      KeptPanels::discard(panels);
      return status;
    }
    plan.panels = kept.keep(key, panels, plan.panelTime);
  }
  c.weight = plan.panels;
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// The image in rows
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::copyImage() {
  if (!c.copiesImage)
    return BROADLOOM_OK;
  int64_t pitch = c.lineElements, perGroup = c.rowsPerGroup * pitch;
  int64_t bytes = c.numGroups * perGroup * c.imageBytes;
  char *to = static_cast<char *>(arena.allocate(bytes));
  if (!to)
    return call.failMemory();
  int64_t parts = divideUp(c.rowsPerGroup, kRowsOfPart);
  parallelForEach(
      threadsFor(call.threads(), bytes), c.numGroups * parts,
      call.cancellation(), [&](int64_t i) {
        int64_t group = i / parts, first = i % parts * kRowsOfPart;
        copyRows(c, group, first, std::min(kRowsOfPart, c.rowsPerGroup - first),
                 to + (group * perGroup + first * pitch) * c.imageBytes);
      });
  hasCopies = true;
  c.image = to;
  c.imageStep = 1;
  c.imageRowStride = pitch;
  c.imageGroupStride = perGroup;
  return call.checkCancelled();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::makePlan() {
  plan.products =
      plan.count * c.windowCount * (isByChannel(kind) ? 1 : c.channelsIn);
  if (int32_t status = describeImage())
    return status;
  if (int32_t status = describeTensors())
    return status;
  planContraction(c, call.threads());
  if (int32_t status = copyImage())
    return status;
  if (int32_t status = packWeight())
    return status;
  c.threads = int32_t(std::min<int64_t>(c.threads, c.numItems()));
  plan.threadBytes = contractionBytes(c);
  int64_t all;
  if (plan.threadBytes < 0 ||
      __builtin_mul_overflow(plan.threadBytes, int64_t(c.threads), &all))
    return call.failMemory(extents, rank, c.imageBytes);
  return BROADLOOM_OK;
}

int32_t ContractLaunch::runBlocks(RecordedTiles *record) {
  int64_t bytes = plan.threadBytes;
  char *memory = static_cast<char *>(arena.allocate(c.threads * bytes));
  if (!memory)
    return call.failMemory();
  parallelFor(c.threads, c.numItems(),
              [&](int32_t thread, int64_t begin, int64_t end) {
                runContraction(c, {call, thread == 0}, memory + thread * bytes,
                               begin, end, record);
              });
  return call.checkCancelled();
}

void ContractLaunch::countWork() {
  int64_t pooled = isPool(kind) ? plan.products : 0;
  call.countOperations(record.operations * plan.count + pooled);
  call.countMultiplyAdds(plan.products - pooled);
  call.countReduced(pooled);
}

int32_t ContractLaunch::runFirst() {
  if (int32_t status = makePlan())
    return status;
  plan.tiles.begin(c);
  countWork();
  int32_t status = runBlocks(c.threads == 1 ? &plan.tiles : nullptr);
  if (status == BROADLOOM_OK && !hasCopies)
    noteOperands();
  return status;
}

int32_t ContractLaunch::run(BroadloomView *results, const int32_t *slots) {
  bool isKnown = isPlanned(slots[0]);
  if (!isKnown) {
    plan.isValid = false;
    c = Contraction{};
    ArrayLayout layout(&plan + 1);
    placeArrays(layout, plan, program, operands);
    if (int32_t status = describe())
      return status;
  }
  gaps = findGaps(slots[0]);
  if (int32_t status = makeResults(results, slots))
    return status;
  if (plan.count == 0)
    return BROADLOOM_OK;
  setAddresses(results);
  if (!isKnown)
    return runFirst();
  if (isGiven)
    c.weight = plan.panels;
  countWork();
  if (!plan.tiles.areComplete())
    return runBlocks(nullptr);
  plan.tiles.run(c);
  return BROADLOOM_OK;
}

int32_t ContractLaunch::run(BroadloomCall &call,
                            const BroadloomProgram &program,
                            const BroadloomView *operands,
                            BroadloomView *results, const int32_t *slots) {
  void *block =
      call.plans().find({&program, call.step()}, planBytes(program, operands));
  if (!block)
    return call.failMemory();
  return ContractLaunch(call, program, operands,
                        *static_cast<ContractPlan *>(block))
      .run(results, slots);
}
