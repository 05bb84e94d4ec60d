//===- Sequence.cpp - one call after the other ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/Sequence.h"
#include "tools/io/Npy.h"
#include "tools/io/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace broadloom;
using namespace broadloom::tool;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The part of `tensor` at `step` of its first axis; borrowed.
static BroadloomTensor at(const BroadloomTensor &tensor, int64_t step) {
  BroadloomTensor part = tensor;
  part.release = nullptr;
  part.rank = tensor.rank - 1;
  part.offset += step * tensor.dims[tensor.rank];
  for (int32_t axis = 0; axis < part.rank; ++axis) {
    part.dims[axis] = tensor.dims[axis + 1];
    part.dims[part.rank + axis] = tensor.dims[tensor.rank + axis + 1];
  }
  return part;
}

/// The number of steps of the inputs; -1, with an error, if they differ.
static int64_t countSteps(const std::vector<io::OwnedTensor> &inputs) {
  auto refuse = [](const std::string &text) {
    fail(kRejected, text);
    return int64_t(-1);
  };
  if (inputs.empty())
    return refuse("--sequence needs a function with arguments: the first axis "
                  "of the inputs says how many steps there are");
  int64_t steps = -1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string input = "input " + std::to_string(i);
    if (inputs[i]->rank == 0)
      return refuse(input + " is a scalar; with --sequence its first axis is "
                            "that of the steps");
    int64_t own = inputs[i]->dims[0];
    if (steps >= 0 && own != steps)
      return refuse(input + " has " + std::to_string(own) +
                    " steps along its first axis but input 0 has " +
                    std::to_string(steps));
    steps = own;
  }
  if (steps == 0)
    return refuse("the inputs have no steps: their first axis is empty, and "
                  "without a call no result has a shape");
  return steps;
}

/// Copies a step's result to its place in the stack, which the first step
/// allocates. An error if its shape differs from that of the first step.
static io::Error stack(const BroadloomTensor &result, int64_t step,
                       int64_t steps, io::OwnedTensor &all) {
  std::vector<int64_t> extents(result.dims, result.dims + result.rank);
  if (step == 0) {
    std::vector<int64_t> stacked = extents;
    stacked.insert(stacked.begin(), steps);
    auto made = io::createTensor(result.elementType, stacked);
    if (!made)
      return "of " + std::to_string(steps) + " steps: " + made.error();
    all = std::move(*made);
  }
  if (extents != std::vector<int64_t>(all->dims + 1, all->dims + all->rank))
    return "has the shape " + io::shapeText(result.elementType, extents) +
           " at step " + std::to_string(step) +
           ", which is not that of step 0; results are stacked only where "
           "their shapes are equal";
  size_t bytes = size_t(broadloomTensorCount(&result)) *
                 size_t(broadloomElementBytes(result.elementType));
  char *to = static_cast<char *>(all->data) + size_t(step) * bytes;
  io::RowMajorReader reader(result);
  while (size_t count = reader.read(to, 4096))
    to += count * size_t(broadloomElementBytes(result.elementType));
  return {};
}

int broadloom::tool::runSequence(Invocation &call, const LoadedCall &loaded,
                                 std::vector<io::OwnedTensor> &results) {
  int64_t steps = countSteps(loaded.inputs);
  if (steps < 0)
    return kRejected;
  std::vector<BroadloomTensor> parts(loaded.inputs.size());
  std::vector<const BroadloomTensor *> pointers;
  for (const BroadloomTensor &part : parts)
    pointers.push_back(&part);
  for (int64_t step = 0; step < steps; ++step) {
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = at(*loaded.inputs[i], step);
    int32_t status = call.run(pointers);
    if (status != BROADLOOM_OK) {
      llvm::errs() << "at step " << step << ": ";
      return reportCall(status, call);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      io::OwnedTensor result;
      if (int failed = reportCall(call.takeResult(i, &*result), call))
        return failed;
      if (io::Error error = stack(*result, step, steps, results[i]);
          !error.empty())
        return fail(kRejected, "result " + std::to_string(i) + " " + error);
    }
  }
  return kDone;
}

//===----------------------------------------------------------------------===//
// Variables in files
//===----------------------------------------------------------------------===//

static std::string getPath(const std::string &folder, llvm::StringRef name) {
  std::string file;
  for (char c : name)
    if (llvm::isAlnum(c) || llvm::StringRef("_.-").contains(c))
      file += c;
    else
      file += "%" + llvm::toHex(llvm::StringRef(&c, 1));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, file + ".npy");
  return path.str().str();
}

int broadloom::tool::readState(State &state, const std::string &folder) {
  for (const std::string &name : state.names()) {
    std::string path = getPath(folder, name);
    const BroadloomTensor *value = state.get(name);
    if (!value || !llvm::sys::fs::exists(path))
      continue;
    auto read = io::readNpy(path, value->elementType);
    if (!read)
      return fail(kRejected, read.error());
    if (state.set(name, **read) != BROADLOOM_OK)
      return fail(kRejected, path + ": " + state.message());
  }
  return kDone;
}

int broadloom::tool::writeState(State &state, const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail(kRejected, folder + ": cannot be made: " + error.message());
  // All files are written, or none.
  std::vector<io::OutputFile> files;
  for (const std::string &name : state.names()) {
    auto file = io::OutputFile::open(getPath(folder, name));
    if (!file)
      return fail(kRejected, file.error());
    if (const BroadloomTensor *value = state.get(name))
      if (io::Error error = io::writeNpy(*file, *value); !error.empty())
        return fail(kRejected, error);
    files.push_back(std::move(*file));
  }
  for (io::OutputFile &file : files)
    if (io::Error error = file.commit(); !error.empty())
      return fail(kRejected, error);
  return kDone;
}
