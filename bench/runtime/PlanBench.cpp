//===- PlanBench.cpp - what launching a strip program costs ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time from the call to the result: for tiny operands it is all planning, for
// large ones it should be what the memory takes. Run with --benchmark_filter.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/maps/Level.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

using namespace broadloom;

namespace {

using Extents = std::vector<int64_t>;

__attribute__((target_clones("default", "avx2", "arch=x86-64-v4"))) void
addLoop(const float *__restrict a, const float *__restrict b,
        float *__restrict out, int64_t stepA, int64_t stepB, int64_t n) {
  for (; n; n -= BROADLOOM_STRIP_MULTIPLE) {
    for (int64_t i = 0; i < BROADLOOM_STRIP_MULTIPLE; ++i)
      out[i] = a[i] + b[i];
    a += stepA;
    b += stepB;
    out += BROADLOOM_STRIP_MULTIPLE;
  }
}

void addKernel(const void *const *inputs, void *const *outputs,
               const int64_t *steps, int64_t n, int32_t) {
  addLoop(static_cast<const float *>(inputs[0]),
          static_cast<const float *>(inputs[1]),
          static_cast<float *>(outputs[0]), steps[0], steps[1], n);
}

const int32_t kBytes[] = {4, 4, 4, 4, 4};
const int32_t kAddInputs[] = {0, 1};
const BroadloomStage kAdd = {addKernel, 2, 1, kAddInputs, 0, 0};
const int32_t kAddResults[] = {2};
const BroadloomProgram kAddProgram = {
    2, 1, 1, 3, kBytes, &kAdd, kAddResults, nullptr, nullptr};

// (x + y) + z
const int32_t kFirst[] = {0, 1}, kSecond[] = {3, 2};
const BroadloomStage kAddThree[] = {{addKernel, 2, 1, kFirst, 0, 0},
                                    {addKernel, 2, 1, kSecond, 0, 0}};
const int32_t kThreeResults[] = {4};
const BroadloomProgram kThreeProgram = {
    3, 2, 1, 5, kBytes, kAddThree, kThreeResults, nullptr, nullptr};

template <const BroadloomProgram &program>
int32_t entry(BroadloomCall *call, const BroadloomView *args) {
  BroadloomView result = {0, nullptr};
  int32_t slot = 0;
  if (int32_t status = broadloomLaunch(call, &program, args, &result, &slot))
    return status;
  return broadloomReturn(call, 0, 4, &result);
}

struct Operand {
  explicit Operand(const Extents &extents, const Extents &strides = {}) {
    broadloomTensorCreate(BROADLOOM_F32, int32_t(extents.size()),
                          extents.data(), &tensor);
    memset(tensor.data, 0, size_t(4 * broadloomTensorCount(&tensor)));
    for (size_t i = 0; i < strides.size(); ++i)
      tensor.dims[extents.size() + i] = strides[i];
  }
  ~Operand() { broadloomTensorRelease(&tensor); }
  Operand(const Operand &) = delete;
  BroadloomTensor tensor;
};

void measure(benchmark::State &state, BroadloomEntry run,
             const std::vector<const Operand *> &operands, int32_t threads,
             bool fresh) {
  CallContext call;
  call.setThreads(threads);
  BroadloomElementType type = BROADLOOM_F32;
  call.setResultTypes(&type, 1);
  std::vector<const BroadloomTensor *> arguments;
  for (const Operand *operand : operands)
    arguments.push_back(&operand->tensor);
  BroadloomTensor result;
  auto once = [&] {
    return call.run(run, arguments.data(), int32_t(arguments.size())) ||
           call.takeResult(0, &result);
  };
  if (once()) {
    state.SkipWithError(call.failure().message.c_str());
    return;
  }
  BroadloomTensor kept = result;
  if (!fresh)
    call.setOutput(0, &kept);
  for (auto _ : state) {
    if (once()) {
      state.SkipWithError(call.failure().message.c_str());
      break;
    }
    if (fresh)
      broadloomTensorRelease(&result);
  }
  int64_t bytes = 4 * broadloomTensorCount(&kept);
  for (const BroadloomTensor *argument : arguments)
    bytes += 4 * broadloomTensorCount(argument);
  state.SetBytesProcessed(state.iterations() * bytes);
  broadloomTensorRelease(&kept);
}

void add(benchmark::State &state, Extents a, Extents b, int32_t threads = 1,
         bool fresh = false, Extents strides = {}) {
  Operand left(a), right(b, strides);
  measure(state, entry<kAddProgram>, {&left, &right}, threads, fresh);
}

void addThree(benchmark::State &state, Extents a, Extents b, Extents c,
              int32_t threads = 1) {
  Operand x(a), y(b), z(c);
  measure(state, entry<kThreeProgram>, {&x, &y, &z}, threads, false);
}

/// What a launch costs without the call around it.
int32_t launchOften(BroadloomCall *call, const BroadloomView *args) {
  Arena::Mark mark = call->arena().mark();
  for (int i = 0; i < 1000; ++i) {
    BroadloomView result = {0, nullptr};
    int32_t slot = -1;
    if (int32_t status =
            broadloomLaunch(call, &kThreeProgram, args, &result, &slot))
      return status;
    call->arena().rewind(mark);
  }
  return BROADLOOM_OK;
}

void launchOnly(benchmark::State &state, Extents a, Extents b, Extents c) {
  Operand x(a), y(b), z(c);
  const BroadloomTensor *arguments[] = {&x.tensor, &y.tensor, &z.tensor};
  CallContext call;
  for (auto _ : state)
    call.run(launchOften, arguments, 3);
  state.SetItemsProcessed(state.iterations() * 1000);
}

/// What the plan for a + b + c costs by itself: how chunks go through four axes
/// that none of the three operands lets merge.
void planOnly(benchmark::State &state) {
  static const float memory = 0;
  const int64_t extents[] = {4, 5, 6, 64};
  const int64_t strides[3][4] = {
      {1920, 384, 64, 1}, {6, 0, 1, 0}, {0, 0, 64, 1}};
  LevelInput inputs[3];
  LevelOutput output;
  char result[64];
  const int32_t stages[] = {0, 1};
  for (auto _ : state) {
    Level level;
    level.program = &kThreeProgram;
    level.numStages = 2;
    level.numInputs = 3;
    level.numOutputs = 1;
    level.stages = const_cast<int32_t *>(stages);
    level.inputs = inputs;
    level.outputs = &output;
    output = LevelOutput{4, 4, result, 0, false, false};
    level.rank = 4;
    level.extents = extents;
    level.count = 4 * 5 * 6 * 64;
    for (int i = 0; i < 3; ++i) {
      inputs[i] = LevelInput{i, Access::Pattern, Walk(), 0};
      inputs[i].walk.base = reinterpret_cast<const char *>(&memory);
      inputs[i].walk.bytes = 4;
      inputs[i].walk.strides = strides[i];
    }
    planLevel(level, 1);
    benchmark::DoNotOptimize(level.numChunks);
  }
}

/// The kernel alone, on what lies in memory.
void kernelOnly(benchmark::State &state, int64_t count) {
  Operand a({count}), b({count}), out({count});
  const void *inputs[] = {a.tensor.data, b.tensor.data};
  void *outputs[] = {out.tensor.data};
  int64_t steps[] = {BROADLOOM_STRIP_MULTIPLE, BROADLOOM_STRIP_MULTIPLE};
  for (auto _ : state) {
    addKernel(inputs, outputs, steps, count, 0);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 12 * count);
}

void copy(benchmark::State &state, int64_t count) {
  Operand from({count}), to({count});
  for (auto _ : state) {
    memcpy(to.tensor.data, from.tensor.data, size_t(4 * count));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 8 * count);
}

const int64_t k = 4096;

// ((a + b) + c) + d
const int32_t kThird[] = {4, 2}, kFourth[] = {5, 3}, kFirstOfFour[] = {0, 1};
const BroadloomStage kAddFour[] = {{addKernel, 2, 1, kFirstOfFour, 0, 0},
                                   {addKernel, 2, 1, kThird, 0, 0},
                                   {addKernel, 2, 1, kFourth, 0, 0}};
const int32_t kFourBytes[] = {4, 4, 4, 4, 4, 4, 4}, kFourResults[] = {6};
const BroadloomProgram kFourProgram = {
    4, 3, 1, 7, kFourBytes, kAddFour, kFourResults, nullptr, nullptr};

void addFour(benchmark::State &state, Extents extents) {
  Operand a(extents), b(extents), c(extents), d(extents);
  measure(state, entry<kFourProgram>, {&a, &b, &c, &d}, 1, false);
}

/// Two operands with strides of their own.
void addStrided(benchmark::State &state, Extents a, Extents aStrides, Extents b,
                Extents bStrides) {
  Operand left(a, aStrides), right(b, bStrides);
  measure(state, entry<kAddProgram>, {&left, &right}, 1, false);
}

BENCHMARK_CAPTURE(add, tiny_2x2, Extents{2, 2}, Extents{2, 2});
BENCHMARK_CAPTURE(add, tiny_2x2_fresh, Extents{2, 2}, Extents{2, 2}, 1, true);
BENCHMARK_CAPTURE(add, scalars, Extents{}, Extents{});
BENCHMARK_CAPTURE(add, plan_rank4, Extents{2, 2, 2, 8}, Extents{2, 1, 2, 1});
BENCHMARK_CAPTURE(addThree, plan_rank4_three, Extents{2, 2, 2, 8},
                  Extents{2, 1, 2, 1}, Extents{2, 1, 8});
BENCHMARK_CAPTURE(launchOnly, same, Extents{4, 4}, Extents{4, 4},
                  Extents{4, 4});
BENCHMARK_CAPTURE(launchOnly, rank4_tiny, Extents{2, 2, 2, 4},
                  Extents{2, 1, 2, 1}, Extents{2, 1, 4});
BENCHMARK_CAPTURE(launchOnly, rank4_one_level, Extents{4, 5, 6, 64},
                  Extents{4, 1, 6, 1}, Extents{6, 64});
// The walk over axes and operands, and the description of the result, of which
// there is nothing to compute.
BENCHMARK_CAPTURE(launchOnly, rank4_empty, Extents{2, 0, 2, 4},
                  Extents{2, 1, 2, 1}, Extents{0, 1, 4});
BENCHMARK(planOnly);
BENCHMARK_CAPTURE(add, small_256x1024, Extents{256, 1024}, Extents{256, 1024});
BENCHMARK_CAPTURE(add, small_row, Extents{256, 1024}, Extents{1024});
BENCHMARK_CAPTURE(add, small_column, Extents{256, 1024}, Extents{256, 1});
BENCHMARK_CAPTURE(kernelOnly, small_256x1024, 256 * 1024);

BENCHMARK_CAPTURE(copy, large, k *k)->UseRealTime();
BENCHMARK_CAPTURE(kernelOnly, large, k *k)->UseRealTime();
#define LARGE(name, ...)                                                       \
  BENCHMARK_CAPTURE(add, name, __VA_ARGS__, 1)->UseRealTime();                 \
  BENCHMARK_CAPTURE(add, name##_threads, __VA_ARGS__, 0)->UseRealTime()
LARGE(full, Extents{k, k}, Extents{k, k});
LARGE(row, Extents{k, k}, Extents{k});
LARGE(column, Extents{k, k}, Extents{k, 1});
LARGE(scalar, Extents{k, k}, Extents{});
LARGE(outer, Extents{k, 1}, Extents{k});
LARGE(rgb, Extents{1000000, 3}, Extents{3});
LARGE(rgb_column, Extents{1000000, 3}, Extents{1000000, 1});
LARGE(heads, Extents{20000, 12, 64}, Extents{12, 1});
LARGE(rows_100, Extents{100000, 100}, Extents{100000, 1});
LARGE(rows_300, Extents{40000, 300}, Extents{40000, 1});
BENCHMARK_CAPTURE(add, full_fresh, Extents{k, k}, Extents{k, k}, 1, true)
    ->UseRealTime();
BENCHMARK_CAPTURE(addThree, chain, Extents{k, k}, Extents{k}, Extents{k, 1});
BENCHMARK_CAPTURE(addFour, chain_full, Extents{k, k});

// Every pattern beside the contiguous case with as many bytes in all, "same":
// what a pattern costs is the ratio of the two.
BENCHMARK_CAPTURE(add, same_4096, Extents{k, k}, Extents{k, k});
BENCHMARK_CAPTURE(add, transposed, Extents{k, k}, Extents{k, k}, 1, false,
                  Extents{1, k});
BENCHMARK_CAPTURE(addStrided, both_transposed, Extents{k, k}, Extents{1, k},
                  Extents{k, k}, Extents{1, k});
BENCHMARK_CAPTURE(addStrided, reversed, Extents{k, k}, Extents{k, 1},
                  Extents{k, k}, Extents{k, 1});
BENCHMARK_CAPTURE(addStrided, transposed_odd, Extents{4095, 4097}, Extents{},
                  Extents{4095, 4097}, Extents{1, 4095});
const int64_t p = 112 * 112;
BENCHMARK_CAPTURE(add, same_image, Extents{8 * 64 * p}, Extents{});
BENCHMARK_CAPTURE(add, nchw_channel, Extents{8, 64, 112, 112},
                  Extents{1, 64, 1, 1});
BENCHMARK_CAPTURE(add, nhwc_channel, Extents{8, 112, 112, 64}, Extents{64});
BENCHMARK_CAPTURE(add, nhwc_pixel, Extents{8, 112, 112, 64},
                  Extents{8, 112, 112, 1});
BENCHMARK_CAPTURE(add, same_image_two, Extents{8 * 64 * p},
                  Extents{8 * 64 * p});
// One image's axes in another's order.
BENCHMARK_CAPTURE(add, nchw_plus_nhwc, Extents{8, 64, 112, 112},
                  Extents{8, 64, 112, 112}, 1, false,
                  Extents{64 * p, 1, 112 * 64, 64});
BENCHMARK_CAPTURE(add, nhwc_plus_nchw, Extents{8, 112, 112, 64},
                  Extents{8, 112, 112, 64}, 1, false,
                  Extents{64 * p, 112, 1, p});
BENCHMARK_CAPTURE(add, axes_reversed, Extents{256, 256, 256},
                  Extents{256, 256, 256}, 1, false, Extents{1, 256, 65536});
BENCHMARK_CAPTURE(add, axes_reversed_128, Extents{128, 128, 128},
                  Extents{128, 128, 128}, 1, false, Extents{1, 128, 16384});
BENCHMARK_CAPTURE(add, same_128, Extents{128, 128, 128},
                  Extents{128, 128, 128});
// A broadcast in the middle: attention scores and a mask, with long, middling
// and short rows.
BENCHMARK_CAPTURE(add, same_middle, Extents{12, 512000}, Extents{512000});
BENCHMARK_CAPTURE(add, middle_512, Extents{1000, 12, 512},
                  Extents{1000, 1, 512});
BENCHMARK_CAPTURE(add, middle_64, Extents{8000, 12, 64}, Extents{8000, 1, 64});
BENCHMARK_CAPTURE(add, middle_16, Extents{32000, 12, 16},
                  Extents{32000, 1, 16});
BENCHMARK_CAPTURE(add, middle_4, Extents{128000, 12, 4}, Extents{128000, 1, 4});
#define INNER(n)                                                               \
  BENCHMARK_CAPTURE(add, inner_##n##_row, Extents{3145728 / n, n},             \
                    Extents{n});                                               \
  BENCHMARK_CAPTURE(add, inner_##n##_column, Extents{3145728 / n, n},          \
                    Extents{3145728 / n, 1});                                  \
  BENCHMARK_CAPTURE(add, inner_##n##_transposed, Extents{3145728 / n, n},      \
                    Extents{3145728 / n, n}, 1, false,                         \
                    Extents{1, 3145728 / n})
BENCHMARK_CAPTURE(add, same_inner, Extents{3145728}, Extents{});
BENCHMARK_CAPTURE(add, same_inner_two, Extents{3145728}, Extents{3145728});
INNER(1);
INNER(2);
INNER(3);
INNER(4);
INNER(5);
INNER(7);
INNER(8);
INNER(13);
INNER(16);
INNER(32);
INNER(100);

} // namespace

BENCHMARK_MAIN();
