//===- TestPrograms.h - programs and buffers for tests ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strip programs whose result is known independently: each stage has a kernel
// and the same function on one element, and the reference evaluates the
// program element by element with plain index arithmetic, as NumPy would.
//
// Invariant: kernels record in `kernelMisuse` every run length that is not a
// positive multiple of BROADLOOM_STRIP_MULTIPLE, and every streamed output that
// does not begin at a multiple of BROADLOOM_STREAM_ALIGNMENT.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_RUNTIME_TESTPROGRAMS_H
#define BROADLOOM_TEST_LIB_RUNTIME_TESTPROGRAMS_H

#include "runtime/calls/Call.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace broadloom::test {

using Extents = std::vector<int64_t>;

extern std::atomic<int64_t> kernelMisuse;
extern std::atomic<int64_t> kernelCalls;
/// Those that were allowed to store past the caches.
extern std::atomic<int64_t> streamedCalls;
/// Elements that kernels were called for.
extern std::atomic<int64_t> kernelElements;

/// What a stage computes, on unsigned integers that wrap.
enum class Op {
  Mix,    // 3 a + b + 1
  Scale,  // 5 a + 7
  Both,   // a + b and a - b
  Three,  // a + 2 b + 4 c
  Answer, // 42, of nothing
};
int32_t inputsOf(Op op);
int32_t outputsOf(Op op);

/// A program in the making; all values have `bytes` bytes.
class TestProgram {
public:
  explicit TestProgram(int32_t numOperands, int32_t bytes = 4);
  TestProgram(const TestProgram &) = delete;
  /// Returns the number of the stage's first output.
  int32_t stage(Op op, std::vector<int32_t> inputs);
  void result(int32_t value) { results.push_back(value); }
  const BroadloomProgram &get();

  const std::vector<int32_t> &resultValues() const { return results; }
  /// Appends the stages' values for one element to the operands' elements.
  void evaluate(std::vector<uint64_t> &values) const;
  std::string describe() const;

  int32_t numOperands;
  int32_t bytes;

private:
  struct Step {
    Op op;
    std::vector<int32_t> inputs;
  };
  std::deque<Step> steps;
  std::vector<int32_t> results;
  std::vector<BroadloomStage> stages;
  std::vector<int32_t> valueBytes;
  BroadloomProgram program;
};

/// Unsigned, 1, 2, 4 or 8 bytes.
BroadloomElementType typeOfBytes(int32_t bytes);

/// How a buffer's elements lie in memory.
enum class Layout { RowMajor, Transposed, Reversed, Spread, Zero, Offset };

/// A tensor in memory of its own whose last byte (or first, if `guardBefore`)
/// is next to a page that cannot be touched.
class Buffer {
public:
  Buffer(Extents extents, int32_t bytes, Layout layout = Layout::RowMajor,
         bool guardBefore = false);
  ~Buffer();
  Buffer(const Buffer &) = delete;

  const BroadloomTensor *tensor() const { return &view; }
  /// The element at an index of its shape, or of one that it is broadcast to.
  uint64_t get(const Extents &index) const;
  void set(const Extents &index, uint64_t value);
  /// Different values in all elements that are different memory.
  void fill(uint64_t seed);

  Extents extents;
  int32_t bytes;

private:
  char *at(const Extents &index) const;
  char *mapping;
  size_t mapped;
  BroadloomTensor view;
};

uint64_t element(const BroadloomTensor &tensor, const Extents &index);
/// The next index in row-major order; false behind the last.
bool next(Extents &index, const Extents &extents);
bool isEmpty(const Extents &extents);

/// Runs `program` on `operands` by `call`, with the results, of `bytes` each
/// element, returned in order.
int32_t runProgram(CallContext &call, const BroadloomProgram &program,
                   int32_t bytes,
                   const std::vector<const BroadloomTensor *> &operands);
int32_t runProgram(CallContext &call, TestProgram &program,
                   const std::vector<const BroadloomTensor *> &operands);
/// Declares the program's results.
void declareResults(CallContext &call, const TestProgram &program);

/// Compares result `index` of the program with the reference; "" if equal.
std::string compare(const BroadloomTensor &result, const TestProgram &program,
                    int32_t index,
                    const std::vector<const BroadloomTensor *> &operands,
                    const Extents &expectedExtents);

/// NumPy's rule, written down once more.
bool broadcastReference(const std::vector<Extents> &shapes, Extents &out);

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_RUNTIME_TESTPROGRAMS_H
