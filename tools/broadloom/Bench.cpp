//===- Bench.cpp - broadloom bench ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "tools/broadloom/Measure.h"
#include "tools/broadloom/Options.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;

namespace {

int64_t byteSize(const BroadloomTensor &tensor) {
  return broadloomTensorCount(&tensor) *
         broadloomElementBytes(tensor.elementType);
}

/// The measurements of a function.
struct Measured {
  std::string function;
  report::CallTimes times;
  /// 0 where there is none.
  double shapesTime = 0;
  int64_t bytes = 0, peak = 0, planned = 0, operations = 0;
  std::optional<WorkCount> work;
  /// The rates of one thread on this machine, per nanosecond: bytes and
  /// additions.
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
    json.attribute("planned_bytes", measured.planned);
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
  // Rates are relative to the time of the whole call.
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
                                "  most memory at once: {1} bytes",
                                measured.shapesTime / 1000, measured.peak);
  if (measured.planned != 0)
    llvm::outs() << llvm::formatv(", {0} of them planned when compiled",
                                  measured.planned);
  llvm::outs() << '\n';
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
  if (int failed = reportCall(runCall(call, *loaded), call))
    return failed;

  // The first call's results are the outputs of the others, as in a caller that
  // reuses memory.
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
  report::CallTimes times = measure(options.seconds, [&] {
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
  measured.planned = loaded->function->plannedBytes;
  measured.operations = call.operations();
  // Standard input can be read only once.
  if (options.file != "-")
    measured.work = counter.countWork(Source::file(options.file),
                                      measured.function, inputs);
  // Larger than the caches.
  measured.copy = measureCopy(1, size_t(64) << 20, 0.2);
  measured.additions = measureAdditions(1, 0.1);
  options.json ? printJson(measured) : printText(measured);
  return kDone;
}
