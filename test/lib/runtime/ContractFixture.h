//===- ContractFixture.h - launches of contractions -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs contractions with a kernel that is a loop over what a tile describes,
// and compares them with the reference in ContractCases.h.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_RUNTIME_CONTRACTFIXTURE_H
#define BROADLOOM_TEST_LIB_RUNTIME_CONTRACTFIXTURE_H

#include "runtime/abi/ContractionKind.h"
#include "runtime/abi/Slots.h"
#include "runtime/calls/KeptPanels.h"
#include "test/lib/runtime/ContractCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <random>

namespace broadloom::test {

/// What kernels have been called with; tilesOfImage are those whose rows are
/// read where the image is, and tilesOfPlans those that a plan repeats, which
/// are not on the stack. (With the address sanitizer, nothing may be on it.)
inline std::atomic<int64_t> tiles, longestTile, manyTaps, sumsInParts,
    tilesOfImage, tilesOfPlans;
inline const char *imageBegin, *imageEnd;

/// sum + bias + other, of images whose zero is kPadding.
inline void sumKernel(const BroadloomTile *tile, bool depthwise) {
  auto *image = static_cast<const int32_t *>(tile->image);
  auto *weight = static_cast<const int32_t *>(tile->weight);
  ++tiles;
  auto *at = static_cast<const char *>(tile->image);
  if (at >= imageBegin && at < imageEnd)
    ++tilesOfImage;
  auto *frame = static_cast<const char *>(__builtin_frame_address(0));
  if (std::abs(reinterpret_cast<const char *>(tile) - frame) > (1 << 20))
    ++tilesOfPlans;
  if (tile->rows > longestTile)
    longestTile = tile->rows;
  if (tile->taps > 1)
    ++manyTaps;
  if (tile->sumsBefore)
    ++sumsInParts;
  for (int64_t row = 0; row < tile->rows; ++row)
    for (int64_t o = 0; o < tile->channels; ++o) {
      int64_t pitch = depthwise ? tile->channels + kPanel : kPanel;
      int64_t ownSum = row * pitch + o;
      int32_t sum = 0;
      if (tile->sumsBefore)
        sum = static_cast<const int32_t *>(tile->sumsBefore)[ownSum];
      for (int64_t t = 0; t < tile->taps; ++t)
        for (int64_t k = 0; k < tile->depth; ++k) {
          int64_t at = row * tile->rowStride + t * tile->tapStride +
                       k * (depthwise ? tile->stride : 1) + (depthwise ? o : 0);
          int64_t with = t * tile->weightTapStride + k * tile->weightStride + o;
          sum += (image[at] - kPadding) * weight[with];
        }
      if (tile->sumsAfter) {
        static_cast<int32_t *>(tile->sumsAfter)[ownSum] = sum;
        continue;
      }
      auto elements = [&](int i) {
        return static_cast<int32_t *>(tile->bases[i]) + row * tile->strides[i];
      };
      elements(2)[o] = sum + elements(0)[o] + elements(1)[0];
    }
}
inline void overChannels(const BroadloomTile *tile) { sumKernel(tile, false); }
inline void byChannel(const BroadloomTile *tile) { sumKernel(tile, true); }

/// A launch whose result is a part of the function's result, one element behind
/// the begin of each row, and whether the launch has written it there.
struct PartLaunch {
  const BroadloomProgram *program;
  Extents extents;
  int64_t gap;
  bool isWritten;
};
inline PartLaunch *partLaunch;

/// What is in the gaps, before and after.
constexpr int32_t kInGaps = 77;

inline int32_t launchPart(BroadloomCall *call, const BroadloomView *args) {
  size_t rank = partLaunch->extents.size();
  int32_t numOperands = partLaunch->program->numOperands;
  std::vector<int64_t> wholeWords(3 + 2 * rank), partWords;
  auto *whole = reinterpret_cast<BroadloomDescriptor *>(wholeWords.data());
  Extents extents = partLaunch->extents;
  extents.back() += partLaunch->gap;
  if (int32_t status = broadloomAllocate(call, "", 0, nullptr, 4, int64_t(rank),
                                         extents.data(), whole))
    return status;
  auto *memory = static_cast<int32_t *>(whole->aligned);
  std::fill_n(memory, count(extents), kInGaps);
  partWords = wholeWords;
  auto *part = reinterpret_cast<BroadloomDescriptor *>(partWords.data());
  part->offset = 1;
  part->dims[rank - 1] = partLaunch->extents.back();
  std::vector<BroadloomView> views(args, args + numOperands);
  views.push_back({int64_t(rank), part});
  BroadloomView result{0, nullptr}, all{int64_t(rank), whole};
  int32_t slot = slotWithGaps(numOperands);
  if (int32_t status = broadloomLaunch(call, partLaunch->program, views.data(),
                                       &result, &slot))
    return status;
  auto *made = static_cast<BroadloomDescriptor *>(result.descriptor);
  partLaunch->isWritten = made->aligned == memory + 1;
  // Without elements there are no gaps.
  EXPECT_TRUE(!partLaunch->isWritten || isEmpty(partLaunch->extents) ||
              std::equal(part->dims, part->dims + 2 * rank, made->dims));
  int32_t status = broadloomReturn(call, 0, 4, &all);
  broadloomRelease(call, made);
  return status;
}

class Contractions : public testing::Test {
protected:
  void SetUp() override {
    tiles = longestTile = manyTaps = sumsInParts = tilesOfImage = tilesOfPlans =
        0;
  }

  static void put(Buffer &buffer, const std::vector<int32_t> &values) {
    if (isEmpty(buffer.extents))
      return;
    Extents index(buffer.extents.size(), 0);
    size_t i = 0;
    do
      buffer.set(index, uint32_t(values[i++]));
    while (next(index, buffer.extents));
  }

  void check(const ContractCase &c) { checkInTurn({c}); }

  /// Runs contractions that differ in extents alone one after another, as
  /// launches of one program by one call.
  void checkInTurn(const std::vector<ContractCase> &cases) {
    ContractProgram launch(cases[0].depthwise ? byChannel : overChannels, 4);
    CallContext call;
    KeptPanels kept;
    call.setKeptPanels(keepsPanels ? &kept : nullptr);
    BroadloomElementType type = typeOfBytes(4);
    call.setResultTypes(&type, 1);
    for (size_t i = 0; i < cases.size(); ++i)
      check(cases[i], unsigned(i), launch, call);
    buffers.clear();
  }

  void check(const ContractCase &c, unsigned turn, ContractProgram &launch,
             CallContext &call) {
    std::mt19937 random(unsigned(count(c.image) + 31 * c.channels) + turn);
    auto draw = [&](const Extents &extents) {
      std::vector<int32_t> values(size_t(count(extents)));
      for (int32_t &value : values)
        value = int32_t(random() % 41) - 20;
      return values;
    };
    Extents weights = weightExtents(c), result = resultOf(c);
    ContractData data{draw(c.image), draw(weights), draw(c.bias),
                      draw(c.other)};
    BroadloomContraction &contraction = launch.contraction;
    contraction.window = c.numbers.data();
    contraction.windowRank = int32_t(c.window.size());
    contraction.kind = int32_t(c.depthwise ? ContractionKind::Depthwise
                                           : ContractionKind::Products);
    contraction.packed = c.packed ? weights.data() : nullptr;
    contraction.padding = kPadding;
    contraction.groups = c.parts;
    contraction.ones = 2;
    contraction.operations = 2;

    Extents laidOut = weights;
    std::vector<int32_t> weight = data.weight;
    if (c.packed && !c.given) {
      weight = pack(c, data.weight);
      laidOut = panelExtents(c);
    }
    // They stay, so that the next launch has other addresses.
    auto make = [&](const Extents &extents, Layout layout) -> Buffer & {
      return *buffers.emplace_back(
          std::make_unique<Buffer>(extents, 4, layout));
    };
    Buffer &image = make(c.image, c.layout), &w = make(laidOut, c.weightLayout),
           &bias = make(c.bias, Layout::RowMajor),
           &other = make(c.other, Layout::RowMajor);
    put(image, data.image);
    imageBegin = static_cast<const char *>(image.tensor()->data);
    imageEnd = imageBegin + 4 * count(c.image);
    put(w, weight);
    put(bias, data.bias);
    put(other, data.other);
    call.setThreads(c.threads);
    std::vector<const BroadloomTensor *> operands = {
        image.tensor(), w.tensor(), bias.tensor(), other.tensor()};
    if (c.gap)
      return checkPart(c, data, result, launch.program, operands, call);
    int32_t status = runProgram(call, launch.program, 4, operands);
    ASSERT_EQ(status, BROADLOOM_OK) << call.failure().message;
    BroadloomTensor out;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    compare(c, data, result, out);
    out.release(&out);
    if (count(result) < 20000)
      checkGivenMemory(
          c, data, result,
          [&] { return runProgram(call, launch.program, 4, operands); }, call);
  }

  /// The same as a part of a larger tensor, whose other elements stay.
  void checkPart(const ContractCase &c, const ContractData &data,
                 const Extents &result, const BroadloomProgram &program,
                 const std::vector<const BroadloomTensor *> &operands,
                 CallContext &call) {
    PartLaunch part{&program, result, c.gap, false};
    partLaunch = &part;
    ASSERT_EQ(call.run(launchPart, operands.data(), int32_t(operands.size())),
              BROADLOOM_OK)
        << call.failure().message;
    EXPECT_TRUE(part.isWritten || isEmpty(result));
    BroadloomTensor out;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    auto *memory = static_cast<const int32_t *>(out.data) + out.offset;
    int64_t pitch = c.channels + c.gap, rows = count(result) / c.channels;
    for (int64_t at = 0; at < rows * pitch; ++at)
      if (at % pitch == 0 || at % pitch > c.channels)
        ASSERT_EQ(memory[at], kInGaps) << at;
    BroadloomTensor inner = out;
    inner.offset += 1;
    inner.dims[result.size() - 1] = c.channels;
    compare(c, data, result, inner);
    out.release(&out);
  }

  /// The same into memory of the caller's where the axes lie in the other
  /// order, so that the result is computed elsewhere first.
  template <typename Run>
  void checkGivenMemory(const ContractCase &c, const ContractData &data,
                        const Extents &result, Run run, CallContext &call) {
    std::vector<int32_t> memory(size_t(count(result)), 77);
    std::vector<int64_t> strides;
    int64_t stride = 1;
    for (int64_t extent : result) {
      strides.push_back(stride);
      stride *= extent;
    }
    BroadloomTensor given, out;
    broadloomTensorBorrow(typeOfBytes(4), int32_t(result.size()), result.data(),
                          strides.data(), memory.data(), &given);
    ASSERT_EQ(call.setOutput(0, &given), BROADLOOM_OK);
    ASSERT_EQ(run(), BROADLOOM_OK) << call.failure().message;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    EXPECT_EQ(out.data, memory.data());
    compare(c, data, result, out);
    ASSERT_EQ(call.setOutput(0, nullptr), BROADLOOM_OK);
  }

  void compare(const ContractCase &c, const ContractData &data,
               const Extents &result, const BroadloomTensor &out) {
    ASSERT_EQ(Extents(out.dims, out.dims + out.rank), result);
    if (isEmpty(result))
      return;
    Extents index(result.size(), 0);
    do
      ASSERT_EQ(int32_t(element(out, index)),
                sumAt(c, data, index) + broadcast(data.bias, c.bias, index) +
                    broadcast(data.other, c.other, index))
          << "at " << formatExtents(index.data(), int64_t(index.size()))
          << " of " << formatExtents(result.data(), int64_t(result.size()));
    while (next(index, result));
  }

  /// Whether panels stay that the runtime lays out once.
  bool keepsPanels = true;

private:
  std::vector<std::unique_ptr<Buffer>> buffers;
};

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_RUNTIME_CONTRACTFIXTURE_H
