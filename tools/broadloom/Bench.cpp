//===- Bench.cpp - broadloom bench ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "tools/broadloom/Options.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace broadloom;
using namespace broadloom::tool;

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

struct Times {
  double min = 0, median = 0;
  size_t calls = 0;
};

/// Times of `once`, warm, for about `seconds`. Short calls are timed in groups
/// so that reading the clock does not count.
template <typename Once> Times measure(double seconds, Once once) {
  once();
  auto start = Clock::now();
  once();
  double first = std::max(nanoseconds(Clock::now() - start), 1.0);
  size_t group = std::max<size_t>(1, static_cast<size_t>(20000 / first));
  std::vector<double> times;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    auto begin = Clock::now();
    for (size_t i = 0; i < group; ++i)
      once();
    times.push_back(nanoseconds(Clock::now() - begin) / group);
  } while (Clock::now() < end || times.size() < 3);
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2], times.size() * group};
}

int64_t byteSize(const BroadloomTensor &tensor) {
  return broadloomTensorCount(&tensor) *
         broadloomElementBytes(tensor.elementType);
}

/// Bytes per nanosecond that one thread copies between buffers larger than the
/// caches, reading and writing counted.
double measureCopy() {
  size_t bytes = size_t(64) << 20;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  Times times = measure(0.2, [&] {
    std::memcpy(to.data(), from.data(), bytes);
    // The copy must be made although nobody reads it.
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  return 2.0 * bytes / times.min;
}

/// `count` additions, in vectors as wide as the machine's.
__attribute__((target_clones("avx512f", "avx2", "default"))) void
addInto(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] += 1.0f;
}

/// Additions per nanosecond of one thread, on data in the first cache.
double measureAdditions() {
  std::vector<float> values(2048, 1.0f);
  Times times = measure(0.1, [&] {
    addInto(values.data(), values.size());
    asm volatile("" : : "r"(values.data()) : "memory");
  });
  return values.size() / times.min;
}

} // namespace

int broadloom::tool::benchProgram(const Options &options) {
  int status = kDone;
  std::optional<LoadedCall> loaded = load(options, status);
  if (!loaded)
    return status;
  Invocation call(*loaded->module, *loaded->function);
  call.setThreads(options.threads);
  auto inputs = loaded->inputPointers();
  if (int failed = reportCall(call.run(inputs), call))
    return failed;

  // The first call's results are the outputs of the others, as a caller who
  // cares for speed would have it.
  std::vector<io::OwnedTensor> outputs(loaded->function->results.size());
  int64_t bytes = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (int failed = reportCall(call.takeResult(i, &*outputs[i]), call))
      return failed;
    bytes += byteSize(*outputs[i]);
  }
  for (const BroadloomTensor *input : inputs)
    bytes += byteSize(*input);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (int failed = reportCall(call.setOutput(i, &*outputs[i]), call))
      return failed;

  // The arguments, the results, and what the call itself needs.
  restartPeak();
  if (int failed = reportCall(call.run(inputs), call))
    return failed;
  int64_t peak = memoryUse().peak;

  int32_t worst = BROADLOOM_OK;
  Times times = measure(options.seconds, [&] {
    if (int32_t now = call.run(inputs); now != BROADLOOM_OK)
      worst = now;
  });
  if (int failed = reportCall(worst, call))
    return failed;
  // Shapes alone (abi-2); 0 where they are known only after a run.
  double shapesTime = 0;
  if (loaded->function->whyNoShapes.empty()) {
    std::vector<BroadloomShape> shapes;
    shapesTime =
        measure(0.05, [&] { (void)call.resultShapes(inputs, shapes); }).min;
  }
  double copy = measureCopy(), additions = measureAdditions();
  double rate = bytes / times.min;
  int64_t operations = call.operations();
  double operationRate = operations / times.min;
  if (options.json)
    llvm::outs() << llvm::formatv(
        "{{\"function\": \"{0}\", \"calls\": {1}, \"min_ns\": {2:F1}, "
        "\"median_ns\": {3:F1}, \"bytes\": {4}, \"bytes_per_ns\": {5:F3}, "
        "\"copy_bytes_per_ns\": {6:F3}, \"operations\": {7}, "
        "\"operations_per_ns\": {8:F3}, \"additions_per_ns\": {9:F3}, "
        "\"shapes_ns\": {10:F1}, \"peak_bytes\": {11}}\n",
        loaded->function->name, times.calls, times.min, times.median, bytes,
        rate, copy, operations, operationRate, additions, shapesTime, peak);
  else
    llvm::outs() << llvm::formatv(
        "{0}: {1} calls\n"
        "  minimum   {2,12:F3} us\n"
        "  median    {3,12:F3} us\n"
        "  arguments and results: {4} bytes, {5:F2} GB/s "
        "(one thread copies {6:F2} GB/s here)\n"
        "  element-wise operations: {7}, {8:F2} G/s "
        "(one thread adds {9:F2} G/s here)\n"
        "  result shapes alone {10,8:F3} us\n"
        "  most memory at once: {11} bytes\n",
        loaded->function->name, times.calls, times.min / 1000,
        times.median / 1000, bytes, rate, copy, operations, operationRate,
        additions, shapesTime / 1000, peak);
  return kDone;
}
