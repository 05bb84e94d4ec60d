//===- CApiCallTest.cpp - calls through the C interface -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/driver/CApiFixture.h"
#include "test/lib/driver/TestTensors.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

// What a promise says of a weight holds until it is forgotten.
TEST_F(CInterface, abi9_constantsAreForgotten) {
  ASSERT_TRUE(compile(R"(
func.func @main(%a: tensor<1x3xf32>, %w: tensor<3x2xf32> {loom.constant}) -> tensor<1x2xf32> {
  %y = loom.contract(%a, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %y : tensor<1x2xf32>
}
)")) << diagnostics();
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  float row[] = {1, 2, 3}, weight[] = {1, 2, 3, 4, 5, 6};
  int64_t rowExtents[] = {1, 3}, weightExtents[] = {3, 2};
  BroadloomTensor tensors[2];
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 2, rowExtents, nullptr, row,
                                  &tensors[0]),
            BROADLOOM_OK);
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 2, weightExtents, nullptr,
                                  weight, &tensors[1]),
            BROADLOOM_OK);
  const BroadloomTensor *inputs[] = {&tensors[0], &tensors[1]};
  auto run = [&] {
    EXPECT_EQ(broadloomInvocationRun(call, inputs, 2), BROADLOOM_OK)
        << broadloomInvocationMessage(call);
    BroadloomTensor result;
    EXPECT_EQ(broadloomInvocationTakeResult(call, 0, &result), BROADLOOM_OK);
    float first = static_cast<const float *>(result.data)[result.offset];
    result.release(&result);
    return first;
  };
  EXPECT_EQ(run(), 22);
  weight[0] = 101;
  EXPECT_EQ(run(), 22);
  broadloomModuleForgetConstants(module);
  EXPECT_EQ(run(), 122);
  EXPECT_EQ(run(), 122);
  broadloomInvocationDestroy(call);
}

// Two states of one module, and what is wrong with what they are given.
TEST_F(CInterface, abi8_variables) {
  ASSERT_TRUE(compile(R"(
tosa.variable @sum = dense<1.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %s = tosa.variable_read @sum : tensor<2xf32>
  %t = tosa.add %s, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %t : tensor<2xf32>
  return %t : tensor<2xf32>
}
)")) << diagnostics();
  ASSERT_EQ(broadloomModuleFunction(module, 0)->numArguments, 1);
  ASSERT_EQ(broadloomModuleFunction(module, 0)->numResults, 1);
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  BroadloomState *states[] = {broadloomStateCreate(module),
                              broadloomStateCreate(module)};
  float numbers[] = {10, 20};
  int64_t extents[] = {2};
  BroadloomTensor input;
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 1, extents, nullptr, numbers,
                                  &input),
            BROADLOOM_OK);
  const BroadloomTensor *inputs[] = {&input};
  auto read = [](BroadloomState *state) {
    const BroadloomTensor *value = broadloomStateGet(state, "sum");
    return static_cast<const float *>(value->data)[value->offset + 1];
  };
  EXPECT_EQ(broadloomStateNumVariables(states[0]), 1);
  EXPECT_STREQ(broadloomStateName(states[0], 0), "sum");
  EXPECT_EQ(broadloomStateName(states[0], 1), nullptr);
  EXPECT_EQ(broadloomStateGet(states[0], "other"), nullptr);
  broadloomInvocationSetState(call, states[0]);
  for (float expected : {21.0f, 41.0f}) {
    ASSERT_EQ(broadloomInvocationRun(call, inputs, 1), BROADLOOM_OK)
        << broadloomInvocationMessage(call);
    EXPECT_EQ(read(states[0]), expected);
  }
  EXPECT_EQ(read(states[1]), 1);
  BroadloomTensor none;
  EXPECT_EQ(broadloomInvocationTakeResult(call, 1, &none),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "there is no result 1; 'main' has 1 result");

  EXPECT_EQ(broadloomStateSet(states[0], "sum", &input), BROADLOOM_OK);
  EXPECT_EQ(read(states[0]), 20);
  int64_t longer[] = {3};
  BroadloomTensor other;
  ASSERT_EQ(broadloomTensorCreate(BROADLOOM_F32, 1, longer, &other),
            BROADLOOM_OK);
  EXPECT_EQ(broadloomStateSet(states[0], "sum", &other),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomStateMessage(states[0]),
               "the variable 'sum' is tensor<2xf32>, but the value given is "
               "tensor<3xf32>");
  EXPECT_EQ(broadloomStateSet(states[0], "x", &other),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomStateMessage(states[0]),
               "the program has no variable 'x'");
  // Several change together, or not at all.
  numbers[1] = 30;
  const char *names[] = {"sum", "sum"};
  const BroadloomTensor *values[] = {&input, &other};
  EXPECT_EQ(broadloomStateSetAll(states[0], 2, names, values),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(read(states[0]), 20);
  EXPECT_EQ(broadloomStateSetAll(states[0], 1, names, values), BROADLOOM_OK);
  EXPECT_EQ(read(states[0]), 30);
  EXPECT_EQ(broadloomStateSetAll(states[0], 1, nullptr, values),
            BROADLOOM_INVALID_ARGUMENT);
  broadloomTensorRelease(&other);
  EXPECT_EQ(broadloomStateReset(states[0]), BROADLOOM_OK);
  EXPECT_EQ(read(states[0]), 1);
  broadloomInvocationDestroy(call);
  for (BroadloomState *state : states)
    broadloomStateDestroy(state);
}

// A state of a program without the variable, or with another of its name.
TEST_F(CInterface, abi8_state_of_another_program) {
  auto getText = [](const std::string &name, const std::string &type) {
    return "tosa.variable @" + name + " = dense<1.0> : " + type +
           "\nfunc.func @main(%a: " + type + ") -> " + type +
           " {\n  %s = tosa.variable_read @" + name + " : " + type +
           "\n  tosa.variable_write @" + name + ", %a : " + type +
           "\n  return %s : " + type + "\n}\n";
  };
  ASSERT_TRUE(compile(getText("sum", "tensor<2xf32>").c_str()))
      << diagnostics();
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  float numbers[] = {10, 20};
  int64_t extents[] = {2};
  BroadloomTensor input;
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 1, extents, nullptr, numbers,
                                  &input),
            BROADLOOM_OK);
  const BroadloomTensor *inputs[] = {&input};
  auto run = [&](const char *name, const char *type) -> std::string {
    std::string text = getText(name, type);
    BroadloomModule *other =
        broadloomCompileText(compiler, text.data(), text.size(), "other.mlir");
    EXPECT_TRUE(other) << diagnostics();
    BroadloomState *state = broadloomStateCreate(other);
    broadloomInvocationSetState(call, state);
    EXPECT_EQ(broadloomInvocationRun(call, inputs, 1),
              BROADLOOM_INVALID_ARGUMENT);
    std::string message = broadloomInvocationMessage(call);
    // The call has not changed the variables of the other program.
    const BroadloomTensor *value = broadloomStateGet(state, name);
    EXPECT_EQ(static_cast<const float *>(value->data)[value->offset], 1);
    broadloomInvocationSetState(call, nullptr);
    broadloomStateDestroy(state);
    broadloomModuleDestroy(other);
    return message;
  };
  EXPECT_EQ(broadloomInvocationRun(call, inputs, 1), BROADLOOM_OK)
      << broadloomInvocationMessage(call);
  EXPECT_EQ(run("total", "tensor<2xf32>"),
            "the state is of another program: it has no variable 'sum'");
  EXPECT_EQ(run("sum", "tensor<3xf32>"),
            "argument 1 has shape 3 but the function takes 2");
  EXPECT_EQ(broadloomInvocationRun(call, inputs, 1), BROADLOOM_OK)
      << broadloomInvocationMessage(call);
  broadloomInvocationDestroy(call);
}

TEST_F(CInterface, failures_of_calls_as_data) {
  ASSERT_TRUE(compile(kAdd));
  BroadloomInvocation *call = broadloomInvocationCreate(module, "main");
  Floats a({4, 2}, std::vector<float>(8)), b({4, 3}, std::vector<float>(12));
  const BroadloomTensor *arguments[] = {&a.tensor, &b.tensor};
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 2), BROADLOOM_GUARD_FAILED);
  const BroadloomError *error = broadloomInvocationError(call);
  EXPECT_EQ(error->status, BROADLOOM_GUARD_FAILED);
  EXPECT_TRUE(error->isAboutShapes);
  EXPECT_TRUE(contains(error->location, "p.mlir:4:"));
  EXPECT_STREQ(error->operation, "tosa.add");
  EXPECT_EQ(std::string(error->text).rfind("operands are not", 0), 0u)
      << error->text;
  EXPECT_EQ(error->axis, 1);
  ASSERT_EQ(error->numExtents, 2);
  EXPECT_EQ(error->extents[0], 2);
  EXPECT_STREQ(error->operands[0], "4x2");
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 1),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(broadloomInvocationError(call)->text, "1 argument is"));
  EXPECT_FALSE(broadloomInvocationError(call)->isAboutShapes);
  Floats flat({4}, std::vector<float>(4));
  const BroadloomTensor *wrong[] = {&flat.tensor, &b.tensor};
  EXPECT_EQ(broadloomInvocationRun(call, wrong, 2), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(broadloomInvocationError(call)->isAboutShapes);
  broadloomInvocationDestroy(call);
}

TEST_F(CInterface, null_is_an_error_in_calls) {
  EXPECT_EQ(broadloomInvocationCreate(nullptr, "main"), nullptr);
  BroadloomTensor result;
  BroadloomShape shape;
  Floats a({4, 3}, std::vector<float>(12));
  const BroadloomTensor *arguments[] = {&a.tensor, &a.tensor};
  for (int32_t status :
       {broadloomInvocationRun(nullptr, arguments, 2),
        broadloomInvocationShapes(nullptr, arguments, 2, &shape),
        broadloomInvocationSetOutput(nullptr, 0, &a.tensor),
        broadloomInvocationTakeResult(nullptr, 0, &result)})
    EXPECT_EQ(status, BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(broadloomInvocationMessage(nullptr), "it is null"));
  EXPECT_EQ(broadloomInvocationError(nullptr)->status,
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(broadloomInvocationNumArguments(nullptr), 0);
  EXPECT_EQ(broadloomInvocationNumResults(nullptr), 0);
  broadloomInvocationSetThreads(nullptr, 1);
  broadloomInvocationSetState(nullptr, nullptr);
  broadloomInvocationCancel(nullptr);
  broadloomInvocationOnPause(nullptr, nullptr, nullptr);
  broadloomInvocationPause(nullptr);
  EXPECT_EQ(broadloomInvocationLibraryCall(nullptr, nullptr, 0), 0);
  broadloomInvocationSetFindsLeaks(nullptr, 1);

  ASSERT_TRUE(compile(kAdd));
  BroadloomInvocation *call = broadloomInvocationCreate(module, "main");
  EXPECT_EQ(broadloomInvocationRun(call, nullptr, 2),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "the array of 2 arguments is null");
  EXPECT_EQ(broadloomInvocationShapes(call, nullptr, 2, &shape),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 'a' is null");
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 2), BROADLOOM_OK);
  EXPECT_EQ(broadloomInvocationTakeResult(call, 0, nullptr),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(broadloomInvocationMessage(call), "it is null"));
  broadloomInvocationDestroy(call);

  // Variables stand behind the arguments, which are copied for that.
  ASSERT_TRUE(compile(R"(
    module {
      tosa.variable @seen = dense<0.0> : tensor<3xf32>
      func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %0 = tosa.variable_read @seen : tensor<3xf32>
        %1 = tosa.add %0, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
        tosa.variable_write @seen, %1 : tensor<3xf32>
        return %1 : tensor<3xf32>
      }
    })"))
      << diagnostics();
  call = broadloomInvocationCreate(module, "main");
  EXPECT_EQ(broadloomInvocationRun(call, nullptr, 1),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "the array of 1 argument is null");
  broadloomInvocationDestroy(call);
}

} // namespace
