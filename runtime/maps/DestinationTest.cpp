//===- DestinationTest.cpp - results in memory that others own ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Descriptor.h"
#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <array>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// The descriptor of a tensor of one or two axes.
struct Space {
  std::array<int64_t, 7> words{};

  BroadloomDescriptor *get() {
    return reinterpret_cast<BroadloomDescriptor *>(words.data());
  }
};

constexpr int64_t kSkipped = 2;

/// The memory of the function below, of which a launch writes `rows` rows
/// behind the first two.
struct Destination {
  int64_t rows, length;
  /// From one row to the next.
  int64_t pitch;
  /// Rows beyond those of the operand.
  int64_t more = 0;
  /// Whether the memory is a temporary and not the function's result.
  bool isTemporary = false;
  /// Whether the launch may write rows with gaps between them.
  bool mayHaveGaps = false;
  /// Whether the launch wrote there.
  bool isUsed = false;
  /// Whether the temporary was there while the launch's result was, and after.
  bool lived = false, left = false;
};
Destination *running = nullptr;

TestProgram &program() {
  static TestProgram made(1);
  if (made.resultValues().empty())
    made.result(made.stage(Op::Scale, {0}));
  return made;
}

int32_t finish(BroadloomCall *call, Space &whole, const BroadloomView &result) {
  const void *memory = whole.get()->aligned;
  if (!running->isTemporary) {
    BroadloomView all{2, whole.get()};
    return broadloomReturn(call, 0, 4, &all);
  }
  broadloomRelease(call, whole.get());
  running->lived = call->temporaries().isOwn(memory, 4);
  int32_t status = broadloomReturn(call, 0, 4, &result);
  broadloomRelease(call, &descriptorOf(result));
  running->left = call->temporaries().isOwn(memory, 4);
  return status;
}

int32_t writeInto(BroadloomCall *call, const BroadloomView *args) {
  Destination &to = *running;
  Space whole, part;
  int64_t extents[] = {kSkipped + to.rows + to.more, to.pitch};
  if (int32_t status = broadloomAllocate(call, "", to.isTemporary ? -1 : 0,
                                         nullptr, 4, 2, extents, whole.get()))
    return status;
  memset(whole.get()->aligned, 0, size_t(extents[0] * extents[1] * 4));
  *part.get() = *whole.get();
  part.get()->offset = kSkipped * to.pitch;
  int64_t dims[] = {to.rows + to.more, to.length, to.pitch, 1};
  std::copy_n(dims, 4, part.get()->dims);
  // The operand, and behind it the destination.
  BroadloomView views[] = {args[0], {2, part.get()}};
  BroadloomView result{0, nullptr};
  int32_t number = program().numOperands;
  int32_t slot = to.mayHaveGaps ? slotWithGaps(number) : slotAbout(number);
  if (int32_t status =
          broadloomLaunch(call, &program().get(), views, &result, &slot))
    return status;
  BroadloomDescriptor *made =
      static_cast<BroadloomDescriptor *>(result.descriptor);
  EXPECT_TRUE(!to.mayHaveGaps || made->aligned != part.get()->aligned ||
              std::equal(dims, dims + 4, made->dims));
  auto *memory = static_cast<char *>(whole.get()->aligned);
  to.isUsed = made->aligned == memory + 4 * kSkipped * to.pitch;
  EXPECT_EQ(result.rank, args[0].rank);
  EXPECT_EQ(made->offset, 0);
  EXPECT_EQ(made->allocated, to.isUsed ? memory : made->aligned);
  return finish(call, whole, result);
}

/// Runs it with an operand of `extents`, and compares what is in the memory.
void runInto(Destination &to, const Extents &extents, int threads) {
  Buffer operand(extents, 4);
  operand.fill(1);
  CallContext call;
  call.setThreads(threads);
  declareResults(call, program());
  running = &to;
  std::vector<const BroadloomTensor *> operands = {operand.tensor()};
  ASSERT_EQ(call.run(writeInto, operands.data(), 1), BROADLOOM_OK)
      << call.failure().message;
  BroadloomTensor result;
  ASSERT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
  if (to.isTemporary) {
    EXPECT_EQ(compare(result, program(), 0, operands, extents), "");
  } else {
    BroadloomTensor part = result;
    part.offset += kSkipped * to.pitch;
    part.rank = int32_t(extents.size());
    int64_t stride = 1;
    for (size_t axis = extents.size(); axis-- > 0;) {
      part.dims[axis] = extents[axis];
      part.dims[extents.size() + axis] = stride;
      bool isRow = axis + 1 == extents.size();
      stride *= to.mayHaveGaps && isRow ? to.pitch : extents[axis];
    }
    std::string difference = compare(part, program(), 0, operands, extents);
    EXPECT_EQ(difference.empty(), to.isUsed) << difference;
    auto *first = static_cast<const int32_t *>(result.data) + result.offset;
    EXPECT_TRUE(std::all_of(first, first + kSkipped * to.pitch,
                            [](int32_t element) { return element == 0; }));
    for (int64_t row = 0; to.mayHaveGaps && row < to.rows; ++row) {
      auto *end = first + (kSkipped + row) * to.pitch + to.length;
      EXPECT_TRUE(std::all_of(end, end + (to.pitch - to.length),
                              [](int32_t element) { return element == 0; }));
    }
  }
  broadloomTensorRelease(&result);
}

TEST(Destination, rowsOfMoreMemory) {
  // In one strip, in levels, and with as many elements in other axes.
  for (int64_t length : {5, 64, 999})
    for (int threads : {1, 2}) {
      Destination rows{4, length, length}, flat{4, length, length};
      runInto(rows, {4, length}, threads);
      EXPECT_TRUE(rows.isUsed);
      runInto(flat, {2, 1, 2 * length}, threads);
      EXPECT_TRUE(flat.isUsed);
    }
}

TEST(Destination, notWithGaps) {
  Destination gaps{4, 100, 103}, row{1, 100, 103};
  runInto(gaps, {4, 100}, 1);
  EXPECT_FALSE(gaps.isUsed);
  runInto(row, {1, 100}, 1);
  EXPECT_TRUE(row.isUsed);
}

/// Rows that are shorter than a strip go to memory of their own.
TEST(Destination, withGapsWhereItMay) {
  for (int64_t length : {63, 64, 65, 128, 511, 3000})
    for (int64_t rows : {1, 2, 7, 40})
      for (int threads : {1, 2}) {
        Destination gaps{rows, length, length + 3};
        gaps.mayHaveGaps = true;
        runInto(gaps, {rows, length}, threads);
        // One row has no gaps; few elements need no plan.
        bool isPlanned = rows * length > 4 * BROADLOOM_STRIP_MULTIPLE;
        EXPECT_EQ(gaps.isUsed,
                  rows == 1 ||
                      (isPlanned && length >= BROADLOOM_STRIP_MULTIPLE))
            << rows << " x " << length;
      }
}

TEST(Destination, notWithGapsOfOtherExtents) {
  Destination more{4, 100, 103, /*more=*/1}, cube{4, 100, 103};
  more.mayHaveGaps = cube.mayHaveGaps = true;
  runInto(more, {4, 100}, 1);
  EXPECT_FALSE(more.isUsed);
  runInto(cube, {4, 1, 100}, 1);
  EXPECT_FALSE(cube.isUsed);
}

TEST(Destination, memoryWithGapsLivesAsLongAsTheResult) {
  Destination gaps{4, 100, 103, 0, /*isTemporary=*/true, /*mayHaveGaps=*/true};
  runInto(gaps, {4, 100}, 1);
  EXPECT_TRUE(gaps.isUsed);
  EXPECT_TRUE(gaps.lived);
  EXPECT_FALSE(gaps.left);
}

TEST(Destination, notOfOtherCounts) {
  Destination more{4, 100, 100, /*more=*/1};
  runInto(more, {4, 100}, 1);
  EXPECT_FALSE(more.isUsed);
}

TEST(Destination, memoryLivesAsLongAsTheResult) {
  Destination used{4, 100, 100, 0, /*isTemporary=*/true},
      gaps{4, 100, 103, 0, true};
  runInto(used, {4, 100}, 1);
  EXPECT_TRUE(used.isUsed);
  EXPECT_TRUE(used.lived);
  EXPECT_FALSE(used.left);
  runInto(gaps, {4, 100}, 1);
  EXPECT_FALSE(gaps.isUsed);
  EXPECT_FALSE(gaps.lived);
}

TEST(Destination, allocations) {
  auto allocate = [](BroadloomCall *call, const BroadloomView *) {
    Space whole, part, made;
    int64_t extents[] = {6, 5}, cube[] = {2, 10};
    if (int32_t status =
            broadloomAllocate(call, "", 0, nullptr, 4, 2, extents, whole.get()))
      return status;
    *part.get() = *whole.get();
    part.get()->offset = 10;
    std::copy_n(std::array<int64_t, 4>{4, 5, 5, 1}.data(), 4, part.get()->dims);
    BroadloomView into{2, part.get()};
    auto *memory = static_cast<int32_t *>(whole.get()->aligned);
    if (int32_t status =
            broadloomAllocate(call, "", -1, &into, 4, 2, cube, made.get()))
      return status;
    EXPECT_EQ(made.get()->aligned, memory + 10);
    EXPECT_EQ(made.get()->dims[1], 10);
    // A copy to where the elements are writes nothing.
    std::fill_n(memory, 30, 7);
    BroadloomView from = into;
    EXPECT_EQ(broadloomCopy(call, "", 4, &from, &into), BROADLOOM_OK);
    EXPECT_EQ(memory[10], 7);
    // Of other strides it is none: there are gaps between the rows.
    part.get()->dims[2] = 4;
    part.get()->dims[0] = 2;
    int64_t two[] = {2, 5};
    if (int32_t status =
            broadloomAllocate(call, "", -1, &into, 4, 2, two, made.get()))
      return status;
    EXPECT_NE(made.get()->aligned, memory + 10);
    BroadloomView all{2, whole.get()};
    return broadloomReturn(call, 0, 4, &all);
  };
  CallContext call;
  BroadloomElementType type = BROADLOOM_I32;
  call.setResultTypes(&type, 1);
  EXPECT_EQ(call.run(allocate, nullptr, 0), BROADLOOM_OK)
      << call.failure().message;
}

/// A launch at byte 64 of planned memory, which has as many bytes as the second
/// argument.
int32_t launchPlanned(BroadloomCall *call, const BroadloomView *args) {
  Space memory, result;
  int64_t bytes = descriptorOf(args[1]).dims[0];
  if (int32_t status = broadloomAllocate(call, "", BROADLOOM_SLOT_PLANNED,
                                         nullptr, 1, 1, &bytes, memory.get()))
    return status;
  struct {
    Space memory, result;
  } frame = {memory, result};
  int32_t where = int32_t(offsetof(decltype(frame), result));
  const BroadloomLaunchStep step = {BROADLOOM_STEP_LAUNCH, 0, 0, 0,
                                    BROADLOOM_IN_FRAME};
  std::vector<int32_t> steps = {step.kind, step.program, step.place,
                                step.numDestinations, step.memory};
  steps.push_back(BROADLOOM_SLOT_FIRST_OFFSET + 64);
  const int32_t locations[] = {BROADLOOM_RANK_OF_VIEW, BROADLOOM_IN_ARGUMENTS,
                               1, where | BROADLOOM_IN_FRAME};
  steps.insert(steps.end(), std::begin(locations), std::end(locations));
  const BroadloomProgram *programs[] = {&program().get()};
  if (int32_t status = broadloomLaunchAll(call, 1, &frame, args, nullptr,
                                          programs, steps.data(), ""))
    return status;
  EXPECT_EQ(frame.result.get()->aligned,
            static_cast<char *>(memory.get()->aligned) + 64);
  EXPECT_EQ(frame.result.get()->allocated, nullptr);
  BroadloomView view{1, frame.result.get()};
  return broadloomReturn(call, 0, 4, &view);
}

TEST(Destination, plannedMemory) {
  Buffer operand({100}, 4), fits({464}, 1), small({463}, 1);
  operand.fill(1);
  CallContext call;
  declareResults(call, program());
  std::vector<const BroadloomTensor *> operands = {operand.tensor(),
                                                   fits.tensor()};
  ASSERT_EQ(call.run(launchPlanned, operands.data(), 2), BROADLOOM_OK)
      << call.failure().message;
  BroadloomTensor result;
  ASSERT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
  operands.pop_back();
  EXPECT_EQ(compare(result, program(), 0, operands, {100}), "");
  broadloomTensorRelease(&result);
  operands.push_back(small.tensor());
  EXPECT_EQ(call.run(launchPlanned, operands.data(), 2),
            BROADLOOM_INTERNAL_ERROR);
  EXPECT_EQ(call.failure().message,
            "a result does not fit the memory that was planned for it");
}

} // namespace
