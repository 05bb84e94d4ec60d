//===- CallEdgesTest.cpp - extents and memory that calls meet at the edge -===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "test/lib/driver/TestTensors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace broadloom;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// Of floats: 2^56 bytes (ext-5).
constexpr int64_t kLongest = int64_t(1) << 54;

/// One program, ready to be called.
class Program {
public:
  explicit Program(const std::string &text) {
    module = compiler.compile(Source::text(text, "edges.mlir"));
    EXPECT_TRUE(module) << compiler.diagnostics();
    if (module)
      call = std::make_unique<Invocation>(*module, *module->function());
  }
  Invocation &operator*() { return *call; }
  Invocation *operator->() { return call.get(); }

private:
  Compiler compiler;
  std::unique_ptr<CompiledModule> module;
  std::unique_ptr<Invocation> call;
};

/// An element-wise operation of two operands.
std::string binary(const std::string &operation, const std::string &type) {
  return "func.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
         " {\n  %r = tosa." + operation + " %a, %b : (" + type + ", " + type +
         ") -> " + type + "\n  return %r : " + type + "\n}\n";
}

/// Of each row, what exceeds its largest element: two passes over a row.
constexpr const char *kRows = R"(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %d = tosa.sub %b, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}
)";

BroadloomTensor borrow(BroadloomElementType type, std::vector<int64_t> extents,
                       std::vector<int64_t> strides, void *data) {
  BroadloomTensor tensor;
  EXPECT_EQ(broadloomTensorBorrow(type, int32_t(extents.size()), extents.data(),
                                  strides.empty() ? nullptr : strides.data(),
                                  data, &tensor),
            BROADLOOM_OK);
  return tensor;
}

std::vector<float> random(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> values(-8, 8);
  std::vector<float> result(count);
  for (float &value : result)
    value = values(generator);
  return result;
}

TEST(CallEdges, ext3_nothingOfHugeExtents) {
  Program add(binary("add", "tensor<?x?xf32>"));
  float one = 1;
  for (std::vector<int64_t> extents :
       {std::vector<int64_t>{kLongest, 0}, {0, kLongest}, {1LL << 32, 0}}) {
    auto a = borrow(BROADLOOM_F32, extents, {0, 0}, &one);
    auto b = borrow(BROADLOOM_F32, {1, extents[1]}, {0, 0}, &one);
    ASSERT_EQ(add->run({&a, &b}), BROADLOOM_OK) << add->message();
    BroadloomTensor result;
    ASSERT_EQ(add->takeResult(0, &result), BROADLOOM_OK);
    EXPECT_EQ(result.dims[0], extents[0]);
    EXPECT_EQ(result.dims[1], extents[1]);
    EXPECT_EQ(broadloomTensorCount(&result), 0);
    broadloomTensorRelease(&result);
  }
}

TEST(CallEdges, resultsThatNoMemoryHolds) {
  Program add(binary("add", "tensor<?x?xf32>"));
  float one = 1;
  // What a call keeps for the next one is there after the first.
  auto single = borrow(BROADLOOM_F32, {1, 1}, {}, &one);
  ASSERT_EQ(add->run({&single, &single}), BROADLOOM_OK);
  (void)take(*add, 0);
  int64_t used = memoryUse().used;
  auto message = [&](int64_t extent) {
    auto column = borrow(BROADLOOM_F32, {extent, 1}, {0, 0}, &one);
    auto row = borrow(BROADLOOM_F32, {1, extent}, {0, 0}, &one);
    EXPECT_EQ(add->run({&column, &row}), BROADLOOM_OUT_OF_MEMORY);
    EXPECT_EQ(memoryUse().used, used);
    return add->message();
  };
  // Elements that 64 bits do not count, bytes that they do not, and bytes that
  // no machine has.
  EXPECT_EQ(message(int64_t(1) << 40),
            "edges.mlir:2:8: a tensor of shape 1099511627776x1099511627776 is "
            "larger than any memory");
  EXPECT_EQ(message((int64_t(1) << 31) - 1),
            "edges.mlir:2:8: a tensor of shape 2147483647x2147483647 is larger "
            "than any memory");
  EXPECT_EQ(message(int64_t(1) << 24),
            "edges.mlir:2:8: there is no memory for a tensor of shape "
            "16777216x16777216, 1125899906842624 bytes");
}

TEST(CallEdges, guardsOfTheLongestExtents) {
  Program add(binary("add", "tensor<?x?xf32>"));
  float one = 1;
  auto a = borrow(BROADLOOM_F32, {1, kLongest}, {0, 0}, &one);
  auto b = borrow(BROADLOOM_F32, {1, kLongest - 1}, {0, 0}, &one);
  EXPECT_EQ(add->run({&a, &b}), BROADLOOM_GUARD_FAILED);
  EXPECT_NE(
      add->message().find("extents 18014398509481984 and 18014398509481983"),
      std::string::npos)
      << add->message();
}

// A scalar is a tensor of rank 0, and that may begin anywhere in its memory.
TEST(CallEdges, scalarsAtAnOffset) {
  Program same("func.func @main(%a: i32) -> i32 {\n  return %a : i32\n}\n");
  int32_t numbers[] = {7, 8, 9};
  auto scalar = borrow(BROADLOOM_I32, {}, {}, numbers);
  for (int64_t offset : {0, 1, 2}) {
    scalar.offset = offset;
    ASSERT_EQ(same->run({&scalar}), BROADLOOM_OK) << same->message();
    BroadloomTensor result;
    ASSERT_EQ(same->takeResult(0, &result), BROADLOOM_OK);
    EXPECT_EQ(static_cast<int32_t *>(result.data)[result.offset],
              numbers[offset]);
    broadloomTensorRelease(&result);
  }
}

TEST(CallEdges, ext5_longerThanAnyMemory) {
  Program add(binary("add", "tensor<?x?xf32>"));
  float one = 1;
  auto single = borrow(BROADLOOM_F32, {1, 1}, {}, &one);
  for (int64_t extent : {kLongest + 1, kMax}) {
    auto a = borrow(BROADLOOM_F32, {1, extent}, {0, 0}, &one);
    EXPECT_EQ(add->run({&single, &a}), BROADLOOM_INVALID_ARGUMENT);
    EXPECT_EQ(add->message(), "argument 'b' has shape 1x" +
                                  std::to_string(extent) +
                                  ", which no memory can hold");
    // Extents of 0 leave the others as long as they are.
    auto b = borrow(BROADLOOM_F32, {0, extent}, {0, 0}, &one);
    EXPECT_EQ(add->run({&single, &b}), BROADLOOM_INVALID_ARGUMENT);
  }
}

/// Addresses that share a few pages of memory: so many that nothing need be
/// large to be long.
class RepeatedMemory {
public:
  explicit RepeatedMemory(size_t bytes) : bytes(bytes) {
    int file = memfd_create("repeated", 0);
    void *reserved =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (file < 0 || ftruncate(file, kPiece) != 0 || reserved == MAP_FAILED)
      return;
    start = static_cast<int8_t *>(reserved);
    for (size_t at = 0; at < bytes; at += kPiece)
      EXPECT_NE(mmap(start + at, std::min(kPiece, bytes - at),
                     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0),
                MAP_FAILED);
    close(file);
  }
  ~RepeatedMemory() {
    if (start)
      munmap(start, bytes);
  }

  static constexpr size_t kPiece = size_t(8) << 20;
  const size_t bytes;
  int8_t *start = nullptr;
};

TEST(CallEdges, rt3_moreElementsThan32BitsCount) {
  constexpr int64_t kCount = (int64_t(1) << 32) + 5;
  RepeatedMemory memory(kCount);
  ASSERT_TRUE(memory.start);
  Program add(binary("add", "tensor<?x?xi8>"));
  int8_t one = 1, two = 2;
  // An operand of one byte, as long as the result.
  auto a = borrow(BROADLOOM_I8, {1, kCount}, {0, 0}, &one);
  auto b = borrow(BROADLOOM_I8, {1, 1}, {}, &two);
  auto result = borrow(BROADLOOM_I8, {1, kCount}, {}, memory.start);
  ASSERT_EQ(add->setOutput(0, &result), BROADLOOM_OK);
  ASSERT_EQ(add->run({&a, &b}), BROADLOOM_OK) << add->message();
  EXPECT_EQ(std::count(memory.start, memory.start + memory.kPiece, 3),
            int64_t(memory.kPiece));
}

TEST(CallEdges, red1_rowsLongerThan32BitsCount) {
  constexpr int64_t kCount = (int64_t(1) << 32) + 5;
  Program sum(R"(
func.func @main(%a: tensor<?x?xi32>) -> tensor<?x1xi32> {
  %s = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x?xi32>) -> tensor<?x1xi32>
  return %s : tensor<?x1xi32>
}
)");
  int32_t ones = 1;
  auto a = borrow(BROADLOOM_I32, {1, kCount}, {0, 0}, &ones);
  ASSERT_EQ(sum->run({&a}), BROADLOOM_OK) << sum->message();
  BroadloomTensor result;
  ASSERT_EQ(sum->takeResult(0, &result), BROADLOOM_OK);
  EXPECT_EQ(*static_cast<int32_t *>(result.data), 5);
  broadloomTensorRelease(&result);
}

/// Calls with an output that lies `shift` floats behind an operand's start, and
/// compares with a call that has memory of its own.
void overlap(Program &program, std::vector<int64_t> extentsA,
             std::vector<int64_t> extentsB, int64_t shift, int threads) {
  auto count = [](const std::vector<int64_t> &e) { return e[0] * e[1]; };
  constexpr int64_t kRoom = 64;
  std::vector<float> memory = random(size_t(count(extentsA) + 2 * kRoom), 1);
  std::vector<float> other = random(size_t(count(extentsB)), 2);
  float *start = memory.data() + kRoom;
  auto a = borrow(BROADLOOM_F32, extentsA, {}, start);
  auto b = borrow(BROADLOOM_F32, extentsB, {}, other.data());
  program->setThreads(threads);
  program->setOutput(0, nullptr);
  ASSERT_EQ(program->run({&a, &b}), BROADLOOM_OK) << program->message();
  std::vector<float> expected = take(*program, 0);
  ASSERT_EQ(expected.size(), size_t(count(extentsA)));
  std::vector<float> before = memory;
  auto output = borrow(BROADLOOM_F32, extentsA, {}, start + shift);
  ASSERT_EQ(program->setOutput(0, &output), BROADLOOM_OK);
  ASSERT_EQ(program->run({&a, &b}), BROADLOOM_OK) << program->message();
  for (size_t i = 0; i < memory.size(); ++i) {
    int64_t at = int64_t(i) - kRoom - shift;
    bool isResult = at >= 0 && at < int64_t(expected.size());
    ASSERT_EQ(memory[i], isResult ? expected[size_t(at)] : before[i])
        << "element " << i << " with shift " << shift;
  }
}

TEST(CallEdges, outputsThatOverlapOperandsInPart) {
  Program add(binary("add", "tensor<?x?xf32>")), rows(kRows);
  for (int64_t shift : {0, 1, -1, 3, -16, 17, 64, -64})
    for (int threads : {1, 2}) {
      overlap(add, {37, 41}, {37, 41}, shift, threads);
      overlap(add, {37, 41}, {1, 41}, shift, threads);
      overlap(add, {300, 1000}, {300, 1}, shift, threads);
      overlap(rows, {37, 41}, {37, 41}, shift, threads);
      overlap(rows, {300, 1000}, {1, 1000}, shift, threads);
    }
}

TEST(CallEdges, buffersAtAnyAddress) {
  Program add(binary("add", "tensor<?x?xf32>")), rows(kRows);
  for (Program *program : {&add, &rows})
    for (int64_t width : {1, 3, 16, 100, 1031})
      for (int byte = 1; byte < 4; ++byte) {
        size_t count = size_t(7 * width);
        std::vector<float> a = random(count, 3), b = random(count, 4);
        auto plainA = borrow(BROADLOOM_F32, {7, width}, {}, a.data());
        auto plainB = borrow(BROADLOOM_F32, {7, width}, {}, b.data());
        (*program)->setOutput(0, nullptr);
        ASSERT_EQ((*program)->run({&plainA, &plainB}), BROADLOOM_OK);
        std::vector<float> expected = take(**program, 0);
        // Everything lies at an address that no float has.
        std::vector<char> bytes(3 * (4 * count + 16), char(0x5a));
        char *atA = bytes.data() + byte, *atB = atA + 4 * count + 16,
             *atR = atB + 4 * count + 16;
        memcpy(atA, a.data(), 4 * count);
        memcpy(atB, b.data(), 4 * count);
        auto oddA = borrow(BROADLOOM_F32, {7, width}, {}, atA);
        auto oddB = borrow(BROADLOOM_F32, {7, width}, {}, atB);
        auto oddR = borrow(BROADLOOM_F32, {7, width}, {}, atR);
        ASSERT_EQ((*program)->setOutput(0, &oddR), BROADLOOM_OK);
        ASSERT_EQ((*program)->run({&oddA, &oddB}), BROADLOOM_OK)
            << (*program)->message();
        EXPECT_EQ(memcmp(atR, expected.data(), 4 * count), 0) << width;
        EXPECT_EQ(atR[-1], 0x5a);
        EXPECT_EQ(atR[4 * count], 0x5a);
      }
}

TEST(CallEdges, el11_subnormalsAreNumbers) {
  Program add(binary("add", "tensor<?x?xf32>")), rows(kRows);
  const float tiny = std::numeric_limits<float>::denorm_min();
  for (int64_t width : {1, 5, 64, 1000}) {
    std::vector<float> a, b;
    for (int64_t i = 0; i < width; ++i) {
      a.push_back(tiny * float(i + 1));
      b.push_back(tiny * float(3 * i));
    }
    Floats first({1, width}, a), second({1, width}, b);
    ASSERT_EQ(add->run({&first.tensor, &second.tensor}), BROADLOOM_OK);
    std::vector<float> sums = take(*add, 0);
    ASSERT_EQ(rows->run({&first.tensor, &second.tensor}), BROADLOOM_OK);
    std::vector<float> beyond = take(*rows, 0);
    for (int64_t i = 0; i < width; ++i) {
      EXPECT_EQ(sums[size_t(i)], tiny * float(4 * i + 1));
      EXPECT_EQ(beyond[size_t(i)], tiny * float(3 * i - width));
    }
  }
}

/// Rows whose results are an operand, its largest elements and a constant.
constexpr const char *kPassedOn = R"(
func.func @main(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x1xf32>) {
  %0:3 = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x1xf32>) {
  ^bb0(%x: f32):
    %m = loom.reduce %x from 0xFF800000 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %g = arith.maximumf %l, %r : f32
      loom.yield %g : f32
    }
    %c = arith.constant 7.0 : f32
    loom.yield %x, %m, %c : f32, f32, f32
  }
  return %0#0, %0#1, %0#2 : tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x1xf32>
}
)";

TEST(CallEdges, rt6_operandsAndConstantsAreResultsOfRows) {
  Program rows(kPassedOn);
  for (auto [height, width] : {std::pair<int64_t, int64_t>(3, 5),
                               {1, 1},
                               {4, 1},
                               {2, 300},
                               {300, 2}}) {
    std::vector<float> values = random(size_t(height * width), 9), wanted,
                       largest;
    // Down the columns, so that the operand is not row-major.
    for (int64_t i = 0; i < height; ++i) {
      float most = -std::numeric_limits<float>::infinity();
      for (int64_t j = 0; j < width; ++j) {
        wanted.push_back(values[size_t(j * height + i)]);
        most = std::max(most, wanted.back());
      }
      largest.push_back(most);
    }
    auto a = borrow(BROADLOOM_F32, {height, width}, {1, height}, values.data());
    ASSERT_EQ(rows->run({&a}), BROADLOOM_OK) << rows->message();
    EXPECT_EQ(take(*rows, 0), wanted);
    EXPECT_EQ(take(*rows, 1), largest);
    EXPECT_EQ(take(*rows, 2), std::vector<float>{7});
  }
}

} // namespace
