//===- Bench.cpp - broadloom bench ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "tools/broadloom/Options.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
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
    // The compiler must not drop the copy, which has no reader.
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

/// What is told of a function.
struct Measured {
  std::string function;
  Times times;
  /// 0 where there is none.
  double shapesTime = 0;
  int64_t bytes = 0, peak = 0, operations = 0;
  std::optional<WorkCount> work;
  /// What one thread does here, per nanosecond: bytes and additions.
  double copy = 0, additions = 0;
};

void printJson(const Measured &measured) {
  llvm::json::OStream json(llvm::outs());
  double time = measured.times.min;
  json.object([&] {
    json.attribute("function", llvm::json::fixUTF8(measured.function));
    json.attribute("calls", measured.times.calls);
    json.attribute("min_ns", time);
    json.attribute("median_ns", measured.times.median);
    json.attribute("bytes", measured.bytes);
    json.attribute("bytes_per_ns", measured.bytes / time);
    json.attribute("copy_bytes_per_ns", measured.copy);
    json.attribute("operations", measured.operations);
    json.attribute("operations_per_ns", measured.operations / time);
    json.attribute("additions_per_ns", measured.additions);
    if (measured.work) {
      auto [multiplyAdds, reduced] = *measured.work;
      json.attribute("multiply_adds", multiplyAdds);
      json.attribute("multiply_adds_per_ns", multiplyAdds / time);
      json.attribute("reduced_elements", reduced);
      json.attribute("reduced_elements_per_ns", reduced / time);
    }
    json.attribute("shapes_ns", measured.shapesTime);
    json.attribute("peak_bytes", measured.peak);
  });
  llvm::outs() << '\n';
}

void printText(const Measured &measured) {
  double time = measured.times.min;
  llvm::outs() << llvm::formatv(
      "{0}: {1} calls\n"
      "  minimum   {2,12:F3} us\n"
      "  median    {3,12:F3} us\n"
      "  arguments and results: {4} bytes, {5:F2} GB/s "
      "(one thread copies {6:F2} GB/s here)\n",
      measured.function, measured.times.calls, time / 1000,
      measured.times.median / 1000, measured.bytes, measured.bytes / time,
      measured.copy);
  // Rates are of the whole call, whatever else it does.
  auto print = [&](llvm::StringRef what, int64_t count) {
    if (count == 0)
      return false;
    llvm::outs() << llvm::formatv("  {0}: {1}, {2:F2} G/s", what, count,
                                  count / time);
    return true;
  };
  if (print("element-wise operations", measured.operations))
    llvm::outs() << llvm::formatv(" (one thread adds {0:F2} G/s here)\n",
                                  measured.additions);
  if (measured.work) {
    if (print("multiply-adds of products and convolutions",
              measured.work->multiplyAdds))
      llvm::outs() << '\n';
    if (print("elements of reductions", measured.work->reducedElements))
      llvm::outs() << '\n';
  }
  llvm::outs() << llvm::formatv("  result shapes alone {0,8:F3} us\n"
                                "  most memory at once: {1} bytes\n",
                                measured.shapesTime / 1000, measured.peak);
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
  Compiler counter(options.compile);
  Measured measured;
  measured.function = loaded->function->name;
  measured.times = times;
  measured.shapesTime = shapesTime;
  measured.bytes = bytes;
  measured.peak = peak;
  measured.operations = call.operations();
  // Standard input has been read already.
  if (options.file != "-")
    measured.work =
        counter.countWorkOfFile(options.file, measured.function, inputs);
  measured.copy = measureCopy();
  measured.additions = measureAdditions();
  options.json ? printJson(measured) : printText(measured);
  return kDone;
}
