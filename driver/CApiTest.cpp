//===- CApiTest.cpp - what the C interface says ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

using namespace broadloom;

namespace {

constexpr const char *kAdd = R"(
func.func @main(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[B, T]>},
                %b: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @scale(%a: tensor<*xi8>) -> tensor<*xi8> {
  %r = tosa.add %a, %a : (tensor<*xi8>, tensor<*xi8>) -> tensor<*xi8>
  return %r : tensor<*xi8>
}
)";

constexpr const char *kMismatch = R"(
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %r = tosa.add %a, %b : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
)";

/// A compiler, and the tests' short ways to ask it.
class CInterface : public testing::Test {
protected:
  ~CInterface() override {
    broadloomModuleDestroy(module);
    broadloomReportDestroy(report);
    broadloomCompilerDestroy(compiler);
  }
  BroadloomModule *compile(const char *text) {
    broadloomModuleDestroy(module);
    module = broadloomCompileText(compiler, text, strlen(text), "p.mlir");
    return module;
  }
  std::string emit(const char *form) {
    size_t size = 0;
    const char *text =
        broadloomEmitText(compiler, kAdd, strlen(kAdd), "p.mlir", form, &size);
    return text ? std::string(text, size) : "";
  }
  std::string diagnostics() const { return broadloomDiagnostics(compiler); }
  static bool contains(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  }

  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module = nullptr;
  BroadloomReport *report = nullptr;
};

TEST_F(CInterface, versions) {
  EXPECT_STREQ(broadloomVersion(), version());
  EXPECT_EQ(broadloomApiVersion(), BROADLOOM_API_VERSION);
}

TEST_F(CInterface, signatures) {
  ASSERT_TRUE(compile(kAdd)) << diagnostics();
  ASSERT_EQ(broadloomModuleNumFunctions(module), 2);
  EXPECT_EQ(broadloomModuleFunction(module, 2), nullptr);
  EXPECT_EQ(broadloomModuleFunction(module, -1), nullptr);
  EXPECT_EQ(broadloomModuleFindFunction(module, "nobody"), nullptr);
  const BroadloomFunctionInfo *main = broadloomModuleFunction(module, 0);
  EXPECT_EQ(broadloomModuleFindFunction(module, nullptr), main);
  EXPECT_STREQ(main->name, "main");
  EXPECT_STREQ(main->whyNoShapes, "");
  ASSERT_EQ(main->numArguments, 2);
  ASSERT_EQ(main->numResults, 1);
  const BroadloomValueInfo &first = main->arguments[0];
  EXPECT_EQ(first.elementType, BROADLOOM_F32);
  ASSERT_EQ(first.rank, 2);
  EXPECT_EQ(first.extents[0], -1);
  ASSERT_NE(first.names, nullptr);
  EXPECT_STREQ(first.names[1], "T");
  EXPECT_STREQ(first.text, "tensor<BxTxf32>");
  EXPECT_EQ(main->arguments[1].extents[1], 3);
  EXPECT_EQ(main->arguments[1].names, nullptr);
  const BroadloomFunctionInfo *scale =
      broadloomModuleFindFunction(module, "scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->arguments[0].elementType, BROADLOOM_I8);
  EXPECT_TRUE(scale->arguments[0].isSignless);
  EXPECT_EQ(scale->arguments[0].rank, -1);
  EXPECT_EQ(scale->arguments[0].extents, nullptr);
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
  broadloomTensorRelease(&other);
  EXPECT_EQ(broadloomStateReset(states[0]), BROADLOOM_OK);
  EXPECT_EQ(read(states[0]), 1);
  broadloomInvocationDestroy(call);
  for (BroadloomState *state : states)
    broadloomStateDestroy(state);
}

TEST_F(CInterface, options) {
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "function", "scale"),
            BROADLOOM_OK);
  ASSERT_TRUE(compile(kAdd));
  EXPECT_EQ(broadloomModuleNumFunctions(module), 1);
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "stratgy", "rfc"),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(diagnostics(),
                       "there is no option 'stratgy'; there are: strategy, "))
      << diagnostics();
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "strategy", "fast"),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(diagnostics(), "error: option strategy has no value 'fast'; there "
                           "are default and rfc\n");
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "error-limit", "x"),
            BROADLOOM_INVALID_ARGUMENT);
  for (const char *symbol : {"2x", "broadloomEnter", "loom_functions", "sinf"})
    EXPECT_EQ(broadloomCompilerSetOption(compiler, "symbol", symbol),
              BROADLOOM_INVALID_ARGUMENT)
        << symbol;
  for (auto [name, value] : {std::pair("strategy", "rfc"),
                             {"dynamic-to-static", "forbid"},
                             {"error-limit", "0"},
                             {"fill-elided", "7"},
                             {"optimise", "off"},
                             {"trust-bytecode", "on"},
                             {"verbose", "off"},
                             {"cache", "off"},
                             {"keep-code", "on"},
                             {"cpu", "x86-64-v3"},
                             {"target", ""},
                             {"symbol", "mine"}})
    EXPECT_EQ(broadloomCompilerSetOption(compiler, name, value), BROADLOOM_OK)
        << name;
  EXPECT_EQ(emit("linalg"), "");
  EXPECT_TRUE(contains(diagnostics(), "strategy rfc")) << diagnostics();
  broadloomCompilerSetOption(compiler, "strategy", "default");
  EXPECT_TRUE(contains(emit("asm"), "mine")) << diagnostics();
}

TEST_F(CInterface, a_shape_library_that_is_not_there) {
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "shape-library", "none.mlir"),
            BROADLOOM_OK);
  EXPECT_FALSE(compile(kAdd));
  EXPECT_TRUE(contains(diagnostics(), "none.mlir")) << diagnostics();
}

TEST_F(CInterface, forms) {
  EXPECT_TRUE(contains(emit("loom"), "loom.map")) << diagnostics();
  EXPECT_EQ(emit("obj").substr(0, 4), "\x7f"
                                      "ELF");
  size_t bytes = 0;
  const char *tosa = broadloomEmitText(compiler, kMismatch, strlen(kMismatch),
                                       "p.mlir", "tosa", &bytes);
  ASSERT_NE(tosa, nullptr) << diagnostics();
  EXPECT_EQ(std::string(tosa + 4, 4), "TOSA");
  EXPECT_EQ(emit("bin"), "");
  EXPECT_TRUE(contains(diagnostics(), "there is no form 'bin'"));
  size_t size;
  EXPECT_EQ(broadloomEmitFile(compiler, "none.mlir", "loom", &size), nullptr);
  EXPECT_TRUE(contains(diagnostics(), "none.mlir: error: cannot be read"));
}

TEST_F(CInterface, abi7_saved_programs) {
  size_t size = 0;
  ASSERT_TRUE(compile(kAdd));
  EXPECT_EQ(broadloomModuleSave(module, nullptr, &size), nullptr);
  broadloomCompilerSetOption(compiler, "keep-code", "on");
  ASSERT_TRUE(compile(kAdd));
  EXPECT_EQ(broadloomModuleSave(module, "nobody", &size), nullptr);
  const char *bytes = broadloomModuleSave(module, "scale", &size);
  ASSERT_NE(bytes, nullptr);
  BroadloomModule *loaded =
      broadloomCompileText(compiler, bytes, size, "p.blm");
  ASSERT_NE(loaded, nullptr) << diagnostics();
  EXPECT_EQ(broadloomModuleNumFunctions(loaded), 1);
  broadloomModuleDestroy(loaded);
}

TEST_F(CInterface, diagnostics_as_data) {
  EXPECT_FALSE(compile(kMismatch));
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_INVALID_ARGUMENT);
  ASSERT_EQ(broadloomNumDiagnostics(compiler), 1);
  EXPECT_EQ(broadloomDiagnostic(compiler, 1), nullptr);
  const BroadloomError *error = broadloomDiagnostic(compiler, 0);
  EXPECT_EQ(error->severity, BROADLOOM_ERROR);
  EXPECT_TRUE(error->isAboutShapes);
  EXPECT_STREQ(error->location, "p.mlir:3:8");
  EXPECT_STREQ(error->operation, "tosa.add");
  EXPECT_EQ(error->axis, 1);
  ASSERT_EQ(error->numExtents, 2);
  EXPECT_EQ(error->extents[0], 3);
  EXPECT_EQ(error->extents[1], 2);
  ASSERT_EQ(error->numOperands, 2);
  EXPECT_STREQ(error->operands[1], "4x2");
  EXPECT_TRUE(contains(error->text, "operands are not broadcast-compatible"));
  EXPECT_FALSE(compile("func.func @main("));
  ASSERT_GE(broadloomNumDiagnostics(compiler), 1);
  EXPECT_FALSE(broadloomDiagnostic(compiler, 0)->isAboutShapes);
  EXPECT_FALSE(broadloomCompileFile(compiler, "none.mlir"));
  ASSERT_EQ(broadloomNumDiagnostics(compiler), 1);
  EXPECT_STREQ(broadloomDiagnostic(compiler, 0)->location, "none.mlir");
  EXPECT_TRUE(
      contains(broadloomDiagnostic(compiler, 0)->text, "cannot be read"));
}

TEST_F(CInterface, errors_of_shape_functions_are_about_shapes) {
  EXPECT_FALSE(compile(R"(
    func.func @main(%a: tensor<1x2x3xf32>, %b: tensor<1x4x5xf32>)
        -> tensor<1x2x5xf32> {
      %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>}
          : () -> tensor<1xf32>
      %r = tosa.matmul %a, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x4x5xf32>,
          tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x5xf32>
      return %r : tensor<1x2x5xf32>
    })"));
  ASSERT_GE(broadloomNumDiagnostics(compiler), 1) << diagnostics();
  EXPECT_TRUE(broadloomDiagnostic(compiler, 0)->isAboutShapes) << diagnostics();
}

TEST_F(CInterface, reports) {
  report = broadloomCheckText(compiler, kAdd, strlen(kAdd), "p.mlir", nullptr);
  ASSERT_NE(report, nullptr) << diagnostics();
  EXPECT_TRUE(broadloomReportIsAccepted(report));
  ASSERT_GT(broadloomReportNumRows(report), 0);
  const BroadloomReportRow *row = broadloomReportRow(report, 0);
  EXPECT_STREQ(row->function, "main");
  EXPECT_STREQ(row->operation, "tosa.add");
  EXPECT_TRUE(contains(row->location, "p.mlir:4:"));
  EXPECT_STREQ(row->status, "run-time");
  EXPECT_NE(row->constraint[0], 0);
  EXPECT_NE(row->reason[0], 0);
  EXPECT_EQ(broadloomReportRow(report, broadloomReportNumRows(report)),
            nullptr);
  size_t size = 0;
  EXPECT_TRUE(contains(broadloomReportWrite(report, "text", "", &size),
                       "function main"));
  EXPECT_TRUE(contains(broadloomReportWrite(report, "json", "", &size),
                       "\"run-time\""));
  std::string page = broadloomReportWrite(report, "html", "my <model>", &size);
  EXPECT_EQ(page.size(), size);
  EXPECT_TRUE(contains(page, "my &lt;model&gt;"));
  EXPECT_EQ(broadloomReportWrite(report, "pdf", "", &size), nullptr);
}

TEST_F(CInterface, reports_of_what_is_refused) {
  report = broadloomCheckText(compiler, kMismatch, strlen(kMismatch), "p.mlir",
                              nullptr);
  ASSERT_NE(report, nullptr);
  EXPECT_FALSE(broadloomReportIsAccepted(report));
  bool isRefuted = false;
  for (int32_t i = 0; i < broadloomReportNumRows(report); ++i)
    isRefuted |=
        std::string("refuted") == broadloomReportRow(report, i)->status;
  EXPECT_TRUE(isRefuted);
  EXPECT_EQ(broadloomCheckFile(compiler, "none.mlir", nullptr), nullptr);
}

TEST_F(CInterface, symbolic_shapes) {
  const char *arguments[] = {"Bx?", "1x3"};
  ASSERT_EQ(broadloomShapesOfText(compiler, kAdd, strlen(kAdd), "p.mlir",
                                  nullptr, arguments, 2),
            BROADLOOM_OK)
      << broadloomShapesError(compiler)->text;
  ASSERT_EQ(broadloomShapesNumResults(compiler), 1);
  const BroadloomShapeAnswer *answer = broadloomShapesResult(compiler, 0);
  EXPECT_EQ(answer->elementType, BROADLOOM_F32);
  ASSERT_EQ(answer->rank, 2);
  EXPECT_STREQ(answer->extents[0].text, "B");
  EXPECT_EQ(answer->extents[0].number, -1);
  EXPECT_EQ(answer->extents[1].number, 3);
  EXPECT_STREQ(broadloomShapesOnlyTypes(compiler), "");
  EXPECT_EQ(broadloomShapesResult(compiler, 1), nullptr);

  const char *wrong[] = {"4x2", "4x3"};
  EXPECT_EQ(broadloomShapesOfText(compiler, kAdd, strlen(kAdd), "p.mlir",
                                  "main", wrong, 2),
            BROADLOOM_GUARD_FAILED);
  const BroadloomError *error = broadloomShapesError(compiler);
  EXPECT_STREQ(error->operation, "tosa.add");
  EXPECT_EQ(error->axis, 1);
  EXPECT_EQ(broadloomShapesNumResults(compiler), 0);
  EXPECT_EQ(broadloomShapesOfText(compiler, kAdd, strlen(kAdd), "p.mlir",
                                  "nobody", wrong, 2),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(broadloomShapesOfFile(compiler, "none.mlir", nullptr, wrong, 2),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(broadloomShapesError(compiler)->text, "cannot be read"));
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

  ASSERT_TRUE(compile(kAdd));
  BroadloomInvocation *call = broadloomInvocationCreate(module, "main");
  EXPECT_EQ(broadloomInvocationRun(call, nullptr, 2),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "the array of 2 arguments is null");
  EXPECT_EQ(broadloomInvocationShapes(call, nullptr, 2, &shape),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 0 is null");
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

TEST_F(CInterface, abi6_cancels_a_call) {
  // Without end: only another thread can end it.
  ASSERT_TRUE(compile(R"(
    func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
        %true = arith.constant true
        scf.condition(%true) %x : tensor<?xf32>
      } do {
      ^bb0(%x: tensor<?xf32>):
        %y = tosa.tanh %x : (tensor<?xf32>) -> tensor<?xf32>
        scf.yield %y : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    })"))
      << diagnostics();
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  Floats a({4}, {1, 2, 3, 4});
  const BroadloomTensor *arguments[] = {&a.tensor};
  // A call that is not there cannot be cancelled.
  broadloomInvocationCancel(call);
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      broadloomInvocationCancel(call);
    }
  });
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 1), BROADLOOM_CANCELLED);
  ended = true;
  canceller.join();
  EXPECT_STREQ(broadloomInvocationMessage(call), "the call was cancelled");
  broadloomInvocationDestroy(call);
}

/// Many functions, which take seconds to compile.
std::string longProgram() {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    std::string name = std::to_string(i);
    text +=
        "func.func @f" + name + "(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {";
    std::string last = "%a";
    for (int k = 0; k < 20; ++k) {
      std::string next = "%r" + std::to_string(k);
      text += next + " = tosa." + (k % 2 ? "exp " : "sigmoid ") + last +
              " : (tensor<?x?xf32>) -> tensor<?x?xf32>\n";
      last = next;
    }
    text += "return " + last + " : tensor<?x?xf32> }\n";
  }
  return text;
}

TEST_F(CInterface, abi6_cancels_a_compilation) {
  std::string text = longProgram();
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      broadloomCompilerCancel(compiler);
    }
  });
  EXPECT_FALSE(compile(text.c_str()));
  ended = true;
  canceller.join();
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_CANCELLED);
  EXPECT_EQ(diagnostics(), "error: the compilation was cancelled\n");
  // A later one begins anew, whenever it was cancelled before.
  broadloomCompilerCancel(compiler);
  EXPECT_TRUE(compile(kAdd)) << diagnostics();
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_OK);
}

// The sanitizers tell where the canceller looks at a deleted object.
TEST_F(CInterface, CancelsWhileOptionsAreSet) {
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      broadloomCompilerCancel(compiler);
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(broadloomCompilerSetOption(compiler, "strategy", "default"),
              BROADLOOM_OK);
    broadloomCompilerTrustBytecode(compiler, i % 2);
  }
  ended = true;
  canceller.join();
  EXPECT_TRUE(compile(kAdd)) << diagnostics();
}

} // namespace
