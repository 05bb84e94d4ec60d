//===- ShapeQueryPropertyTest.cpp - shape queries against the run ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/Compiler.h"
#include "test/lib/driver/ShapeText.h"

#include <gtest/gtest.h>

#include <random>

using namespace broadloom;

namespace {

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

TEST(ShapeQuery, abi2_agrees_with_the_run) {
  // S-6
  int good = 0, bad = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomProgram program(seed);
    std::string text = program.text();
    Compiler compiler;
    auto module = compiler.compile(Source::text(text, "test.mlir"));
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
      ShapeQueryArguments question;
      for (const BroadloomTensor &input : inputs) {
        std::string extents;
        for (int32_t axis = 0; axis < input.rank; ++axis)
          extents += (axis ? "x" : "") + std::to_string(input.dims[axis]);
        question.arguments.push_back(extents);
      }
      if (round < 3) {
        auto answer =
            compiler.queryShapes(Source::text(text, "test.mlir"), question);
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
