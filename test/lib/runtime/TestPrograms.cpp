//===- TestPrograms.cpp - programs and buffers for tests ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/TestPrograms.h"
#include "runtime/memory/Stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace broadloom;
using namespace broadloom::test;

std::atomic<int64_t> broadloom::test::kernelMisuse;
std::atomic<int64_t> broadloom::test::kernelCalls;
std::atomic<int64_t> broadloom::test::streamedCalls;
std::atomic<int64_t> broadloom::test::kernelElements;

int32_t broadloom::test::inputsOf(Op op) {
  switch (op) {
  case Op::Answer:
    return 0;
  case Op::Scale:
    return 1;
  case Op::Three:
    return 3;
  default:
    return 2;
  }
}

int32_t broadloom::test::outputsOf(Op op) { return op == Op::Both ? 2 : 1; }

namespace {

/// What is streamed in tests does not depend on the machine's caches.
class FixedCaches : public testing::Environment {
  void SetUp() override {
    setCacheSizes({int64_t(1) << 20, int64_t(32) << 20});
  }
};

testing::Environment *const fixedCaches =
    testing::AddGlobalTestEnvironment(new FixedCaches);

void compute(Op op, const uint64_t *in, uint64_t *out) {
  switch (op) {
  case Op::Mix:
    out[0] = 3 * in[0] + in[1] + 1;
    return;
  case Op::Scale:
    out[0] = 5 * in[0] + 7;
    return;
  case Op::Both:
    out[0] = in[0] + in[1];
    out[1] = in[0] - in[1];
    return;
  case Op::Three:
    out[0] = in[0] + 2 * in[1] + 4 * in[2];
    return;
  case Op::Answer:
    out[0] = 42;
    return;
  }
}

template <typename T, Op op>
void kernel(const void *const *inputs, void *const *outputs,
            const int64_t *steps, int64_t n, int32_t streamed) {
  constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
  if (n <= 0 || n % kStrip)
    ++kernelMisuse;
  for (int32_t k = 0; streamed && k < outputsOf(op); ++k)
    if (reinterpret_cast<uintptr_t>(outputs[k]) % BROADLOOM_STREAM_ALIGNMENT)
      ++kernelMisuse;
  ++kernelCalls;
  streamedCalls += streamed != 0;
  kernelElements += n;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t in[3] = {}, out[2];
    for (int32_t k = 0; k < inputsOf(op); ++k)
      in[k] =
          static_cast<const T *>(inputs[k])[i / kStrip * steps[k] + i % kStrip];
    compute(op, in, out);
    for (int32_t k = 0; k < outputsOf(op); ++k)
      static_cast<T *>(outputs[k])[i] = static_cast<T>(out[k]);
  }
}

template <typename T> BroadloomStripKernel kernelFor(Op op) {
  switch (op) {
  case Op::Mix:
    return kernel<T, Op::Mix>;
  case Op::Scale:
    return kernel<T, Op::Scale>;
  case Op::Both:
    return kernel<T, Op::Both>;
  case Op::Three:
    return kernel<T, Op::Three>;
  default:
    return kernel<T, Op::Answer>;
  }
}

BroadloomStripKernel kernelFor(Op op, int32_t bytes) {
  switch (bytes) {
  case 1:
    return kernelFor<uint8_t>(op);
  case 2:
    return kernelFor<uint16_t>(op);
  case 4:
    return kernelFor<uint32_t>(op);
  default:
    return kernelFor<uint64_t>(op);
  }
}

uint64_t truncated(uint64_t value, int32_t bytes) {
  return bytes == 8 ? value : value & ((uint64_t(1) << (8 * bytes)) - 1);
}

/// What `entry` runs on this thread, and the bytes of an element.
struct Entered {
  const BroadloomProgram *program;
  int32_t bytes;
};
thread_local Entered entered;

int32_t entry(BroadloomCall *call, const BroadloomView *args) {
  const BroadloomProgram &program = *entered.program;
  std::vector<BroadloomView> results(size_t(program.numResults),
                                     BroadloomView{0, nullptr});
  std::vector<int32_t> slots;
  for (int32_t i = 0; i < program.numResults; ++i)
    slots.push_back(i);
  if (int32_t status =
          broadloomLaunch(call, &program, args, results.data(), slots.data()))
    return status;
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status =
            broadloomReturn(call, i, entered.bytes, &results[size_t(i)]))
      return status;
  return BROADLOOM_OK;
}

} // namespace

TestProgram::TestProgram(int32_t numOperands, int32_t bytes)
    : numOperands(numOperands), bytes(bytes) {}

int32_t TestProgram::stage(Op op, std::vector<int32_t> inputs) {
  int32_t first = numOperands;
  for (const Step &step : steps)
    first += outputsOf(step.op);
  steps.push_back(Step{op, std::move(inputs)});
  return first;
}

const BroadloomProgram &TestProgram::get() {
  stages.clear();
  int32_t numValues = numOperands;
  for (const Step &step : steps) {
    stages.push_back(BroadloomStage{kernelFor(step.op, bytes),
                                    inputsOf(step.op), outputsOf(step.op),
                                    step.inputs.data(), 1, 1});
    numValues += outputsOf(step.op);
  }
  valueBytes.assign(size_t(numValues), bytes);
  program = BroadloomProgram{numOperands,
                             int32_t(stages.size()),
                             int32_t(results.size()),
                             numValues,
                             valueBytes.data(),
                             stages.data(),
                             results.data(),
                             nullptr,
                             nullptr};
  return program;
}

void TestProgram::evaluate(std::vector<uint64_t> &values) const {
  for (const Step &step : steps) {
    uint64_t in[3] = {}, out[2];
    for (size_t k = 0; k < step.inputs.size(); ++k)
      in[k] = values[size_t(step.inputs[k])];
    compute(step.op, in, out);
    for (int32_t k = 0; k < outputsOf(step.op); ++k)
      values.push_back(truncated(out[k], bytes));
  }
}

std::string TestProgram::describe() const {
  std::string text = std::to_string(bytes) + " bytes; ";
  for (const Step &step : steps) {
    text += "op" + std::to_string(int(step.op)) + "(";
    for (int32_t input : step.inputs)
      text += std::to_string(input) + " ";
    text += ") ";
  }
  text += "-> ";
  for (int32_t value : results)
    text += std::to_string(value) + " ";
  return text;
}

BroadloomElementType broadloom::test::typeOfBytes(int32_t bytes) {
  return bytes == 1   ? BROADLOOM_U8
         : bytes == 2 ? BROADLOOM_U16
         : bytes == 4 ? BROADLOOM_U32
                      : BROADLOOM_U64;
}

Buffer::Buffer(Extents extents, int32_t bytes, Layout layout, bool guardBefore)
    : extents(std::move(extents)), bytes(bytes) {
  size_t rank = this->extents.size();
  std::vector<int64_t> strides(rank);
  std::vector<size_t> order(rank); // from the innermost outwards
  for (size_t i = 0; i < rank; ++i)
    order[i] = layout == Layout::Transposed ? i : rank - 1 - i;
  int64_t stride = layout == Layout::Spread ? 3 : 1;
  for (size_t axis : order) {
    strides[axis] = layout == Layout::Zero ? 0 : stride;
    stride *= std::max<int64_t>(this->extents[axis], 1);
    if (layout == Layout::Spread)
      stride += 2;
  }
  int64_t low = 0, high = 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (layout == Layout::Reversed)
      strides[axis] = -strides[axis];
    int64_t reach = (this->extents[axis] - 1) * strides[axis];
    if (!isEmpty(this->extents))
      (reach < 0 ? low : high) += reach;
  }
  int64_t offset = layout == Layout::Offset ? 5 : 0;
  int64_t needed = isEmpty(this->extents) ? 0 : (high - low + 1) * bytes;

  size_t page = size_t(sysconf(_SC_PAGESIZE));
  size_t pages = (size_t(needed) + page - 1) / page * page;
  mapped = pages + 2 * page;
  mapping = static_cast<char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(mapping, page, PROT_NONE);
  mprotect(mapping + page + pages, page, PROT_NONE);
  char *lowest = guardBefore ? mapping + page : mapping + page + pages - needed;
  broadloomTensorBorrow(typeOfBytes(bytes), int32_t(rank), this->extents.data(),
                        strides.data(), lowest - (low + offset) * bytes, &view);
  view.offset = offset;
}

Buffer::~Buffer() { munmap(mapping, mapped); }

namespace {
char *addressOf(const BroadloomTensor &tensor, const Extents &index) {
  int64_t offset = tensor.offset;
  for (size_t axis = 0; axis < index.size(); ++axis)
    offset += index[axis] * tensor.dims[size_t(tensor.rank) + axis];
  return static_cast<char *>(tensor.data) +
         offset * broadloomElementBytes(tensor.elementType);
}
} // namespace

template <typename T> static uint64_t readAs(const char *at) {
  T value;
  memcpy(&value, at, sizeof(T));
  return value;
}

static uint64_t readElement(const char *at, int64_t bytes) {
  return bytes == 1   ? readAs<uint8_t>(at)
         : bytes == 2 ? readAs<uint16_t>(at)
         : bytes == 4 ? readAs<uint32_t>(at)
                      : readAs<uint64_t>(at);
}

uint64_t broadloom::test::element(const BroadloomTensor &tensor,
                                  const Extents &index) {
  return readElement(addressOf(tensor, index),
                     broadloomElementBytes(tensor.elementType));
}

uint64_t Buffer::get(const Extents &index) const {
  size_t rank = extents.size(), first = index.size() - rank;
  int64_t offset = view.offset;
  for (size_t axis = 0; axis < rank; ++axis)
    if (extents[axis] != 1)
      offset += index[first + axis] * view.dims[rank + axis];
  return readElement(static_cast<char *>(view.data) + offset * bytes, bytes);
}

void Buffer::set(const Extents &index, uint64_t value) {
  memcpy(addressOf(view, index), &value, size_t(bytes));
}

void Buffer::fill(uint64_t seed) {
  if (isEmpty(extents))
    return;
  Extents index(extents.size());
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  do {
    state = state * 6364136223846793005u + 1442695040888963407u;
    set(index, truncated(state >> 13, bytes));
  } while (next(index, extents));
}

bool broadloom::test::next(Extents &index, const Extents &extents) {
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (++index[axis] < extents[axis])
      return true;
    index[axis] = 0;
  }
  return false;
}

bool broadloom::test::isEmpty(const Extents &extents) {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

void broadloom::test::declareResults(CallContext &call,
                                     const TestProgram &program) {
  std::vector<BroadloomElementType> types(program.resultValues().size(),
                                          typeOfBytes(program.bytes));
  call.setResultTypes(types.data(), int32_t(types.size()));
}

int32_t broadloom::test::runProgram(
    CallContext &call, const BroadloomProgram &program, int32_t bytes,
    const std::vector<const BroadloomTensor *> &operands) {
  entered = {&program, bytes};
  return call.run(entry, operands.data(), int32_t(operands.size()));
}

int32_t broadloom::test::runProgram(
    CallContext &call, TestProgram &program,
    const std::vector<const BroadloomTensor *> &operands) {
  return runProgram(call, program.get(), program.bytes, operands);
}

std::string
broadloom::test::compare(const BroadloomTensor &result,
                         const TestProgram &program, int32_t index,
                         const std::vector<const BroadloomTensor *> &operands,
                         const Extents &expectedExtents) {
  Extents extents(result.dims, result.dims + result.rank);
  if (extents != expectedExtents)
    return "shape " + formatExtents(extents.data(), result.rank);
  if (isEmpty(extents))
    return "";
  Extents at(extents.size()), own;
  std::vector<uint64_t> values;
  size_t wanted = size_t(program.resultValues()[size_t(index)]);
  do {
    values.clear();
    for (const BroadloomTensor *operand : operands) {
      own.assign(at.end() - operand->rank, at.end());
      for (size_t axis = 0; axis < own.size(); ++axis)
        if (operand->dims[axis] == 1)
          own[axis] = 0;
      values.push_back(element(*operand, own));
    }
    program.evaluate(values);
    uint64_t expected = values[wanted];
    uint64_t actual = element(result, at);
    if (actual != expected)
      return "result " + std::to_string(index) + " at " +
             formatExtents(at.data(), result.rank) + " of " +
             formatExtents(extents.data(), result.rank) + ": " +
             std::to_string(actual) + ", expected " + std::to_string(expected);
  } while (next(at, extents));
  return "";
}

bool broadloom::test::broadcastReference(const std::vector<Extents> &shapes,
                                         Extents &out) {
  size_t rank = 0;
  for (const Extents &shape : shapes)
    rank = std::max(rank, shape.size());
  out.assign(rank, 1);
  for (size_t axis = 0; axis < rank; ++axis)
    for (const Extents &shape : shapes) {
      if (axis + shape.size() < rank)
        continue;
      int64_t extent = shape[axis + shape.size() - rank];
      if (extent == 1 || extent == out[axis])
        continue;
      if (out[axis] != 1)
        return false;
      out[axis] = extent;
    }
  return true;
}
