//===- ShapeCompanionTest.cpp - result shapes without running -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/Compiler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

using namespace broadloom;

static std::atomic<size_t> allocations;

void *operator new(size_t size) {
  ++allocations;
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    std::abort();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

/// A tensor without memory: a shape.
BroadloomTensor shapeOnly(std::vector<int64_t> extents) {
  BroadloomTensor tensor{};
  tensor.elementType = BROADLOOM_F32;
  tensor.rank = int32_t(extents.size());
  std::copy(extents.begin(), extents.end(), tensor.dims);
  return tensor;
}

std::string toText(const BroadloomShape &shape) {
  std::string text;
  for (int32_t axis = 0; axis < shape.rank; ++axis)
    text += (axis ? "x" : "") +
            std::string(shape.inexact >> axis & 1 ? "<=" : "") +
            std::to_string(shape.extents[axis]);
  return text;
}

/// A compiled function, asked for shapes only.
struct Asked {
  explicit Asked(const std::string &text) {
    module = compiler.compileText(text, "test.mlir");
    EXPECT_TRUE(module) << compiler.diagnostics() << text;
    if (module)
      call = std::make_unique<Invocation>(*module, *module->function());
  }
  /// The shapes, or the message.
  std::string ask(std::vector<BroadloomTensor> inputs) {
    std::vector<const BroadloomTensor *> pointers;
    for (const BroadloomTensor &input : inputs)
      pointers.push_back(&input);
    std::vector<BroadloomShape> shapes;
    status = call->resultShapes(pointers, shapes);
    if (status != BROADLOOM_OK)
      return call->message();
    std::string text;
    for (const BroadloomShape &shape : shapes)
      text += (text.empty() ? "" : " ") + toText(shape);
    return text;
  }
  Compiler compiler;
  std::unique_ptr<CompiledModule> module;
  std::unique_ptr<Invocation> call;
  int32_t status = 0;
};

constexpr const char *kAdd = R"(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
)";

TEST(ShapeCompanion, abi2_shapes_before_anything_runs) {
  Asked add(kAdd);
  EXPECT_EQ(add.ask({shapeOnly({2, 3}), shapeOnly({1, 3})}), "2x3");
  EXPECT_EQ(add.ask({shapeOnly({1, 1}), shapeOnly({0, 3})}), "0x3");
}

TEST(ShapeCompanion, abi2_the_error_that_running_would_give) {
  Asked add(kAdd);
  EXPECT_EQ(
      add.ask({shapeOnly({2, 3}), shapeOnly({4, 3})}),
      "test.mlir:3:8: 'tosa.add': operands are not broadcast-compatible along "
      "axis 0: extents 2 and 4 (operand shapes 2x3 and 4x3; extent 2 is axis 0 "
      "of argument 0, extent 4 is axis 0 of argument 1)");
  EXPECT_EQ(add.status, BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(add.ask({shapeOnly({2, 3}), shapeOnly({4, 5})}),
            "argument 1 has shape 4x5 but the function takes ?x3");
  EXPECT_EQ(add.status, BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(add.ask({shapeOnly({2, 3})}),
            "'main' takes 2 arguments but 1 are given");
}

TEST(ShapeCompanion, abi1_promises_are_checked_as_running_checks_them) {
  Asked named(R"(
func.func @main(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n, n] where n = 2 to 8>}) -> tensor<?x?xf32> {
  %r = tosa.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
)");
  EXPECT_EQ(named.module->function()->arguments[0].names,
            (std::vector<std::string>{"n", "n"}));
  EXPECT_EQ(named.ask({shapeOnly({3, 3})}), "3x3");
  EXPECT_EQ(named.ask({shapeOnly({9, 9})}),
            "test.mlir:2:17: 'func.func': argument 0, axis 0 has extent 9, but "
            "'n' is at most 8");
  EXPECT_EQ(named.status, BROADLOOM_GUARD_FAILED);
  std::string told = named.ask({shapeOnly({3, 4})});
  EXPECT_EQ(told,
            "test.mlir:2:17: 'func.func': argument 0, axis 1 has extent 4, but "
            "'n' is 3, the extent of axis 0 of argument 0");
  std::vector<float> memory(12);
  int64_t extents[] = {3, 4};
  BroadloomTensor input;
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 2, extents, nullptr,
                                  memory.data(), &input),
            BROADLOOM_OK);
  EXPECT_EQ(named.call->run({&input}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(named.call->message(), told);
}

TEST(ShapeCompanion, abi2_allocates_nothing) {
  // S-10
  Asked add(kAdd);
  BroadloomTensor a = shapeOnly({2, 3}), b = shapeOnly({1, 3});
  std::vector<const BroadloomTensor *> inputs = {&a, &b};
  std::vector<BroadloomShape> shapes;
  ASSERT_EQ(add.call->resultShapes(inputs, shapes), BROADLOOM_OK);
  size_t before = allocations;
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(add.call->resultShapes(inputs, shapes), BROADLOOM_OK);
  EXPECT_EQ(allocations, before);
}

TEST(ShapeCompanion, abi2_unranked) {
  Asked add(R"(
func.func @main(%a: tensor<*xf32>, %b: tensor<?xf32>) -> tensor<*xf32> {
  %r = tosa.add %a, %b : (tensor<*xf32>, tensor<?xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
)");
  EXPECT_EQ(add.ask({shapeOnly({2, 1, 1}), shapeOnly({5})}), "2x1x5");
  EXPECT_EQ(add.ask({shapeOnly({}), shapeOnly({5})}), "5");
  EXPECT_EQ(add.ask({shapeOnly({2}), shapeOnly({5})}),
            "test.mlir:3:8: 'tosa.add': operands are not broadcast-compatible "
            "along axis 0: extents 2 and 5 (operand shapes 2 and 5)");
}

TEST(ShapeCompanion, abi2_calls) {
  Asked add(R"(
func.func private @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @add(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = call @add(%0, %c) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
)");
  EXPECT_EQ(add.ask({shapeOnly({1}), shapeOnly({4}), shapeOnly({1})}), "4");
  EXPECT_NE(add.ask({shapeOnly({1}), shapeOnly({4}), shapeOnly({3})})
                .find("extents 4 and 3"),
            std::string::npos);
}

TEST(ShapeCompanion, sf7_what_data_decides_is_a_bound) {
  Asked choose(R"(
func.func @main(%c: i1, %a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = scf.if %c -> tensor<?x2xf32> {
    %s = tosa.exp %a : (tensor<?x2xf32>) -> tensor<?x2xf32>
    scf.yield %s : tensor<?x2xf32>
  } else {
    scf.yield %b : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}
)");
  BroadloomTensor condition{};
  condition.elementType = BROADLOOM_I1;
  EXPECT_EQ(choose.ask({condition, shapeOnly({3, 2}), shapeOnly({7, 2})}),
            "<=7x2");
}

TEST(ShapeCompanion, abi2_why_there_is_none) {
  Asked branches(R"(
func.func @main(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^one, ^other
^one:
  return %a : tensor<?xf32>
^other:
  %r = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
)");
  BroadloomTensor condition{};
  condition.elementType = BROADLOOM_I1;
  EXPECT_EQ(branches.module->function()->whyNoShapes,
            "it branches between blocks");
  EXPECT_EQ(branches.ask({condition, shapeOnly({3})}),
            "the result shapes of 'main' are known only when it has run: it "
            "branches between blocks");
}

TEST(ShapeCompanion, abi2_from_c) {
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module =
      broadloomCompileText(compiler, kAdd, strlen(kAdd), "test.mlir");
  ASSERT_TRUE(module);
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  BroadloomTensor a = shapeOnly({2, 3}), b = shapeOnly({1, 3});
  const BroadloomTensor *inputs[] = {&a, &b};
  BroadloomShape shape;
  ASSERT_EQ(broadloomInvocationShapes(call, inputs, 2, &shape), BROADLOOM_OK);
  EXPECT_EQ(toText(shape), "2x3");
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

/// Writes a program of a few operations on tensors whose extents are not
/// known.
class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random(seed) {
    for (int i = 0, count = pick(1, 3); i < count; ++i) {
      values.push_back({"%a" + std::to_string(i), pick(1, 3)});
      ranks.push_back(values.back().rank);
      arguments += (i ? ", " : "") + values[i].name + ": " + type(ranks[i]);
    }
    for (int i = 0, count = pick(1, 6); i < count; ++i)
      addOperation();
  }

  std::string text() const {
    std::string result = type(values.back().rank);
    return "func.func @main(" + arguments + ") -> " + result + " {\n" + body +
           "  return " + values.back().name + " : " + result + "\n}\n";
  }
  std::vector<int> ranks;
  int pick(int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(random);
  }

private:
  struct Value {
    std::string name;
    int rank;
  };

  static std::string type(int rank) {
    std::string text = "tensor<";
    for (int i = 0; i < rank; ++i)
      text += "?x";
    return text + "f32>";
  }
  std::string numbers(int count, int lo, int hi) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += (i ? ", " : "") + std::to_string(pick(lo, hi));
    return text;
  }
  /// A constant list, by name.
  std::string list(const std::string &values, int count) {
    std::string name = "%l" + std::to_string(next++);
    body += "  " + name + " = tosa.const_shape {values = dense<[" + values +
            "]> : tensor<" + std::to_string(count) +
            "xindex>} : () -> !tosa.shape<" + std::to_string(count) + ">\n";
    return name;
  }
  void emit(const std::string &what, const std::string &types, int rank) {
    Value value{"%v" + std::to_string(next++), rank};
    body += "  " + value.name + " = " + what + " : (" + types + ") -> " +
            type(rank) + "\n";
    values.push_back(value);
  }

  void addOperation() {
    Value a = values[size_t(pick(0, int(values.size()) - 1))];
    Value b = values[size_t(pick(0, int(values.size()) - 1))];
    int rank = a.rank;
    std::string axis = std::to_string(pick(0, rank - 1));
    std::string shape = "!tosa.shape<" + std::to_string(rank) + ">";
    switch (pick(0, 7)) {
    case 0:
      return emit("tosa.reduce_sum " + a.name + " {axis = " + axis + " : i32}",
                  type(rank), rank);
    case 1: {
      std::string to = list("-1", 1);
      return emit("tosa.reshape " + a.name + ", " + to,
                  type(rank) + ", !tosa.shape<1>", 1);
    }
    case 2:
      if (b.rank == rank)
        return emit("tosa.concat " + a.name + ", " + b.name +
                        " {axis = " + axis + " : i32}",
                    type(rank) + ", " + type(rank), rank);
      break;
    case 3: {
      std::string to = list(numbers(rank, 1, 3), rank);
      return emit("tosa.tile " + a.name + ", " + to, type(rank) + ", " + shape,
                  rank);
    }
    case 4: {
      std::string start = list(numbers(rank, 0, 1), rank),
                  size = list(numbers(rank, 1, 2), rank);
      return emit("tosa.slice " + a.name + ", " + start + ", " + size,
                  type(rank) + ", " + shape + ", " + shape, rank);
    }
    case 5:
      if (rank == 2)
        return emit("tosa.transpose " + a.name + " {perms = array<i32: 1, 0>}",
                    type(rank), rank);
      break;
    default:
      break;
    }
    emit("tosa.add " + a.name + ", " + b.name, type(rank) + ", " + type(b.rank),
         std::max(rank, b.rank));
  }

  std::mt19937 random;
  std::vector<Value> values;
  std::string arguments, body;
  int next = 0;
};

TEST(ShapeCompanion, abi2_agrees_with_the_run) {
  // S-6
  int good = 0, bad = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomProgram program(seed);
    std::string text = program.text();
    Compiler compiler;
    auto module = compiler.compileText(text, "test.mlir");
    // Some can be refuted before they run, at the operation that fails.
    if (!module) {
      EXPECT_NE(compiler.diagnostics().find(": error: 'tosa."),
                std::string::npos)
          << compiler.diagnostics() << text;
      continue;
    }
    Invocation call(*module, *module->function());
    for (int round = 0; round < 12; ++round) {
      std::vector<BroadloomTensor> inputs(program.ranks.size());
      std::vector<const BroadloomTensor *> pointers;
      // A few extents for all arguments, so that many of them fit.
      int pool[] = {program.pick(0, 4), program.pick(1, 4), 1};
      for (size_t i = 0; i < inputs.size(); ++i) {
        std::vector<int64_t> extents;
        for (int axis = 0; axis < program.ranks[i]; ++axis)
          extents.push_back(pool[program.pick(0, 2)]);
        broadloomTensorCreate(BROADLOOM_F32, program.ranks[i], extents.data(),
                              &inputs[i]);
        int64_t count = broadloomTensorCount(&inputs[i]);
        std::fill_n(static_cast<float *>(inputs[i].data), count, 1.0f);
        pointers.push_back(&inputs[i]);
      }
      std::vector<BroadloomShape> shapes;
      int32_t status = call.resultShapes(pointers, shapes);
      std::string message = call.message();
      // What is evaluated is what is compiled.
      ShapeQuestion question;
      for (const BroadloomTensor &input : inputs) {
        std::string extents;
        for (int32_t axis = 0; axis < input.rank; ++axis)
          extents += (axis ? "x" : "") + std::to_string(input.dims[axis]);
        question.arguments.push_back(extents);
      }
      if (round < 3) {
        auto answer = compiler.askText(text, "test.mlir", question);
        ASSERT_TRUE(answer) << text;
        ASSERT_EQ(answer->status, status) << text;
        if (status == BROADLOOM_OK)
          EXPECT_EQ(answer->results[0].text(), toText(shapes[0])) << text;
        else
          EXPECT_EQ(answer->message, message) << text;
      }
      ASSERT_EQ(call.run(pointers), status)
          << text << call.message() << message;
      if (status == BROADLOOM_OK) {
        ++good;
        BroadloomTensor result;
        ASSERT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
        BroadloomShape actual{result.rank, 0, {}};
        std::copy_n(result.dims, result.rank, actual.extents);
        EXPECT_EQ(toText(shapes[0]), toText(actual)) << text;
        broadloomTensorRelease(&result);
      } else {
        ++bad;
        EXPECT_EQ(message, call.message()) << text;
      }
      for (BroadloomTensor &input : inputs)
        broadloomTensorRelease(&input);
    }
  }
  // Both kinds are there.
  EXPECT_GT(good, 100);
  EXPECT_GT(bad, 50);
}

} // namespace
