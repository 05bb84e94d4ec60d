//===- LargeProgramTest.cpp - long programs, little memory ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace broadloom;

namespace {

std::unique_ptr<CompiledModule> compile(const std::string &text,
                                        CompileOptions options = {}) {
  Compiler compiler(std::move(options));
  auto module = compiler.compile(Source::text(text, "large.mlir"));
  EXPECT_TRUE(module) << compiler.diagnostics();
  return module;
}

/// `count` independent operations on two arguments, all of them results: each
/// is a launch of its own.
std::string wideProgram(int count) {
  const char *operations[] = {"add", "sub", "maximum", "minimum"};
  std::string types, body, names;
  for (int i = 0; i < count; ++i) {
    std::string comma = i ? ", " : "", name = "%r" + std::to_string(i);
    types += comma + "tensor<?xf32>";
    names += comma + name;
    body += "  " + name + " = tosa." + operations[i % 4] +
            " %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n";
  }
  return "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (" + types +
         ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
}

TEST(LargeProgram, thousandsOfResults) {
  constexpr int kCount = 3000;
  auto module = compile(wideProgram(kCount));
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({2}, {5, -1}), b({2}, {3, 4});
  std::vector<float> expected[] = {{8, 3}, {2, -5}, {5, 4}, {3, -1}};
  ASSERT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_OK) << call.message();
  for (int i = 0; i < kCount; ++i)
    ASSERT_EQ(take(call, size_t(i)), expected[i % 4]) << i;

  // And the same in memory of the caller's.
  std::vector<float> memory(2 * kCount);
  for (int i = 0; i < kCount; ++i) {
    BroadloomTensor output;
    int64_t extent = 2;
    broadloomTensorBorrow(BROADLOOM_F32, 1, &extent, nullptr,
                          memory.data() + 2 * i, &output);
    ASSERT_EQ(call.setOutput(size_t(i), &output), BROADLOOM_OK);
  }
  ASSERT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_OK) << call.message();
  for (int i = 0; i < kCount; ++i)
    ASSERT_EQ(memory[size_t(2 * i + 1)], expected[i % 4][1]) << i;
}

TEST(LargeProgram, onlyWhatIsWantedIsCompiled) {
  CompileOptions options;
  options.only = "wanted";
  auto module = compile(R"(
func.func private @helper(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @wanted(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = call @helper(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @unwanted(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
)",
                        options);
  ASSERT_TRUE(module);
  ASSERT_EQ(module->functions().size(), 1u);
  EXPECT_EQ(module->functions().front().name, "wanted");
  Invocation call(*module, *module->function("wanted"));
  Floats a({2}, {1, 2});
  ASSERT_EQ(call.run({&a.tensor}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), (std::vector<float>{2, 4}));
}

// So many that each is a stage of its own (codegen/kernels/StagePartition).
TEST(LargeProgram, manyFunctions) {
  constexpr int kCount = 40;
  std::string t = "tensor<?xf32>", body, last = "%a";
  for (int i = 0; i < kCount; ++i) {
    std::string power = "%e" + std::to_string(i),
                next = "%" + std::to_string(i);
    body += "  " + power + " = tosa.tanh " + last + " : (" + t + ") -> " + t +
            "\n  " + next + " = tosa.add " + power + ", %b : (" + t + ", " + t +
            ") -> " + t + "\n";
    last = next;
  }
  auto module =
      compile("func.func @main(%a: " + t + ", %b: " + t + ") -> " + t + " {\n" +
              body + "  return " + last + " : " + t + "\n}\n");
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({3}, {5, -0.25f, 0}), b({1}, {0.125f});
  ASSERT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_OK) << call.message();
  std::vector<float> results = take(call, 0);
  for (int i = 0; i < 3; ++i) {
    double expected = std::vector<double>{5, -0.25, 0}[size_t(i)];
    for (int step = 0; step < kCount; ++step)
      expected = std::tanh(expected) + 0.125;
    EXPECT_NEAR(results[size_t(i)], expected, 1e-5);
  }
}

/// A chain that cannot be one launch: each step turns the tensor around.
std::string unfusedProgram(int steps) {
  std::string body, last = "%a";
  for (int i = 0; i < steps; ++i) {
    std::string turned = "%t" + std::to_string(i),
                next = "%" + std::to_string(i);
    body += "  " + turned + " = tosa.transpose " + last +
            " {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> "
            "tensor<?x?xf32>\n  " +
            next + " = tosa.add " + turned + ", " + turned +
            " : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>\n";
    last = next;
  }
  return "func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {\n" + body +
         "  return " + last + " : tensor<?x?xf32>\n}\n";
}

/// The most memory that a call takes beyond what is there before it.
int64_t peakOf(Invocation &call, const BroadloomTensor &argument) {
  int64_t before = memoryUse().used;
  restartPeak();
  EXPECT_EQ(call.run({&argument}), BROADLOOM_OK) << call.message();
  return memoryUse().peak - before;
}

TEST(LargeProgram, fewTemporariesAtOnce) {
  auto module = compile(unfusedProgram(20));
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  std::vector<float> values(256 * 256);
  std::iota(values.begin(), values.end(), 0.0f);
  Floats a({256, 256}, values);
  constexpr int64_t kTensor = 256 * 256 * 4;
  // The result, and two temporaries at a time: what is read and what is made.
  EXPECT_LT(peakOf(call, a.tensor), 4 * kTensor);
  std::vector<float> result = take(call, 0);
  for (size_t i = 0; i < result.size(); i += 1001)
    EXPECT_EQ(result[i], values[i] * 1048576);
}

TEST(LargeProgram, deadTemporariesAreWrittenOver) {
  const std::string type = "tensor<1x?x?xf32>", zero = "tensor<1xf32>",
                    signature = " : (" + type + ", " + type + ", " + zero +
                                ", " + zero + ") -> " + type + "\n";
  auto compileBody = [&](const std::string &body) {
    return compile(
        "func.func @main(%a: " + type + ") -> " + type +
        " {\n  %z = \"tosa.const\"() {values = dense<0.0> : " + zero +
        "} : () -> " + zero + "\n  %p = tosa.matmul %a, %a, %z, %z" +
        signature + body + " : " + type + "\n}\n");
  };
  auto one = compileBody("  return %p");
  auto three = compileBody(
      "  %q = tosa.matmul %p, %a, %z, %z" + signature +
      "  %s = tosa.add %p, %q : (" + type + ", " + type + ") -> " + type +
      "\n  %r = tosa.matmul %s, %a, %z, %z" + signature + "  return %r");
  ASSERT_TRUE(one && three);
  Invocation callOne(*one, *one->function()), call(*three, *three->function());
  constexpr int64_t kSize = 512, kTensor = kSize * kSize * 4;
  // Four times the identity.
  std::vector<float> values(kSize * kSize);
  for (size_t i = 0; i < kSize; ++i)
    values[i * (kSize + 1)] = 4;
  Floats a({1, kSize, kSize}, values);
  // The sum of two products lies where one of them did: there is one tensor
  // more than one product takes with what it lays out of its weight.
  EXPECT_LT(peakOf(call, a.tensor),
            peakOf(callOne, a.tensor) + 3 * kTensor / 2);
  std::vector<float> result = take(call, 0);
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], values[i] * (16 + 64)) << i;
}

TEST(LargeProgram, fusedChainsHaveNoTemporaries) {
  std::string body, last = "%a";
  for (int i = 0; i < 300; ++i) {
    std::string next = "%" + std::to_string(i);
    body += "  " + next + " = tosa.add " + last +
            ", %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>\n";
    last = next;
  }
  auto module =
      compile("func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {\n" +
              body + "  return " + last + " : tensor<?x?xf32>\n}\n");
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  call.setThreads(1);
  Floats a({1024, 256}, std::vector<float>(1024 * 256, 1));
  constexpr int64_t kTensor = 1024 * 256 * 4;
  // The result, and the strips of one thread.
  EXPECT_LT(peakOf(call, a.tensor), kTensor + kTensor / 4);
  EXPECT_EQ(take(call, 0).front(), 301);
}

// In time that grows with the program: what is written in place is decided one
// use at a time (codegen/buffers/Ownership.h).
TEST(LargeProgram, concatOfManyOperands) {
  constexpr int kCount = 500;
  std::string t = "tensor<?xf32>", arguments, names, types;
  for (int i = 0; i < kCount; ++i) {
    std::string comma = i ? ", " : "";
    arguments += comma + "%a" + std::to_string(i) + ": " + t;
    names += comma + "%a" + std::to_string(i);
    types += comma + t;
  }
  auto module =
      compile("func.func @main(" + arguments + ") -> " + t +
              " {\n  %r = tosa.concat " + names + " {axis = 0 : i32} : (" +
              types + ") -> " + t + "\n  return %r : " + t + "\n}\n");
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  std::vector<std::unique_ptr<Floats>> owned;
  std::vector<const BroadloomTensor *> inputs;
  std::vector<float> expected;
  for (int i = 0; i < kCount; ++i) {
    // Some are empty.
    std::vector<float> values(size_t(i % 3), float(i));
    expected.insert(expected.end(), values.begin(), values.end());
    owned.push_back(std::make_unique<Floats>(
        std::vector<int64_t>{int64_t(values.size())}, values));
    inputs.push_back(&owned.back()->tensor);
  }
  ASSERT_EQ(call.run(inputs), BROADLOOM_OK) << call.message();
  EXPECT_EQ(take(call, 0), expected);
}

TEST(LargeProgram, branchesInsideEachOther) {
  constexpr int kDepth = 300;
  std::string t = "tensor<?xf32>", last = "%a";
  std::string text = "func.func @main(%a: " + t + ", %p: i1) -> " + t + " {\n";
  for (int i = 0; i < kDepth; ++i) {
    std::string next = "%s" + std::to_string(i);
    text += "%r" + std::to_string(i) + " = scf.if %p -> (" + t + ") {\n" +
            next + " = tosa.add " + last + ", %a : (" + t + ", " + t + ") -> " +
            t + "\n";
    last = next;
  }
  text += "scf.yield " + last + " : " + t + "\n";
  for (int i = kDepth - 1; i >= 0; --i) {
    text += "} else {\nscf.yield %a : " + t + "\n}\n";
    text += (i > 0 ? "scf.yield %r" : "return %r") + std::to_string(i) + " : " +
            t + "\n";
  }
  auto module = compile(text + "}\n");
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({2}, {1, -2});
  for (bool taken : {false, true}) {
    BroadloomTensor p;
    broadloomTensorBorrow(BROADLOOM_I1, 0, nullptr, nullptr, &taken, &p);
    ASSERT_EQ(call.run({&a.tensor, &p}), BROADLOOM_OK) << call.message();
    float times = taken ? kDepth + 1 : 1;
    EXPECT_EQ(take(call, 0), (std::vector<float>{times, -2 * times}));
  }
}

// Each level twice the time would be years.
TEST(LargeProgram, loopsInsideEachOther) {
  constexpr int kDepth = 60;
  std::string t = "tensor<?xf32>", begin, end, last = "%a";
  for (int i = 0; i < kDepth; ++i) {
    std::string n = std::to_string(i);
    begin += "%r" + n + " = scf.for %i" + n +
             " = %c0 to %n step %c1 iter_args(%x" + n + " = " + last + ") -> " +
             t + " {\n%q" + n + " = scf.if %p -> " + t + " {\n";
    last = "%x" + n;
    end = "} else {\nscf.yield %x" + n + " : " + t + "\n}\nscf.yield %q" + n +
          " : " + t + "\n}\n" + (i ? "scf.yield" : "return") + " %r" + n +
          " : " + t + "\n" + end;
  }
  auto module =
      compile("func.func @main(%a: " + t + ", %n: index, %p: i1) -> " + t +
              " {\n%c0 = arith.constant 0 : index\n" +
              "%c1 = arith.constant 1 : index\n" + begin + "%s = tosa.add " +
              last + ", %a : (" + t + ", " + t + ") -> " + t +
              "\nscf.yield %s : " + t + "\n" + end + "}\n");
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({2}, {1, -2});
  for (int64_t iterations : {0, 1})
    for (bool taken : {false, true}) {
      BroadloomTensor n, p;
      broadloomTensorBorrow(BROADLOOM_I64, 0, nullptr, nullptr, &iterations,
                            &n);
      broadloomTensorBorrow(BROADLOOM_I1, 0, nullptr, nullptr, &taken, &p);
      ASSERT_EQ(call.run({&a.tensor, &n, &p}), BROADLOOM_OK) << call.message();
      float times = iterations && taken ? 2 : 1;
      EXPECT_EQ(take(call, 0), (std::vector<float>{times, -2 * times}));
    }
}

constexpr const char *kLoop = R"(
func.func @main(%a: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %x = %a) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %more = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = tosa.add %x, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %next, %sum : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}
)";

TEST(LargeProgram, loopsFreeTheirIterations) {
  auto module = compile(kLoop);
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({20000}, std::vector<float>(20000, 2));
  auto peakOfIterations = [&](int32_t iterations) {
    BroadloomTensor n;
    broadloomTensorBorrow(BROADLOOM_I32, 0, nullptr, nullptr, &iterations, &n);
    int64_t before = memoryUse().used;
    restartPeak();
    EXPECT_EQ(call.run({&a.tensor, &n}), BROADLOOM_OK) << call.message();
    EXPECT_EQ(take(call, 0).back(), 2.0f + 2 * iterations);
    return memoryUse().peak - before;
  };
  // What a call keeps for the next one is there after the first.
  int64_t first = peakOfIterations(3), few = peakOfIterations(3);
  EXPECT_LE(few, first);
  // No more for 300 iterations than for 3.
  EXPECT_EQ(peakOfIterations(300), few);
}

TEST(LargeProgram, memoryThatRunsOutInTheMiddle) {
  auto module = compile(unfusedProgram(4));
  ASSERT_TRUE(module);
  Invocation call(*module, *module->function());
  Floats a({512, 300}, std::vector<float>(512 * 300, 1));
  constexpr int64_t kTensor = 512 * 300 * 4;
  ASSERT_EQ(call.run({&a.tensor}), BROADLOOM_OK);
  (void)take(call, 0);
  int64_t used = memoryUse().used;
  int failures = 0;
  // Every allocation of the call is once the first that fails.
  for (int64_t limit = 0; limit < 8 * kTensor; limit += kTensor / 4) {
    int64_t before = setMemoryLimit(used + limit);
    int32_t status = call.run({&a.tensor});
    setMemoryLimit(before);
    if (status == BROADLOOM_OK) {
      EXPECT_EQ(take(call, 0).front(), 16);
    } else {
      EXPECT_EQ(status, BROADLOOM_OUT_OF_MEMORY);
      EXPECT_NE(call.message().find("there is no memory for"),
                std::string::npos)
          << call.message();
      ++failures;
    }
    EXPECT_EQ(memoryUse().used, used) << limit;
  }
  EXPECT_GT(failures, 4);
}

} // namespace
