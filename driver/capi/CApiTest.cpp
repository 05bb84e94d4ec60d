//===- CApiTest.cpp - what the C interface says of programs ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/driver/CApiFixture.h"
#include "test/lib/driver/TestTensors.h"

#include <fstream>

using namespace broadloom;
using namespace broadloom::test;

namespace {

constexpr const char *kMismatch = R"(
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %r = tosa.add %a, %b : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
)";

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
  EXPECT_STREQ(first.name, "a");
  EXPECT_STREQ(first.called, "argument 'a'");
  EXPECT_STREQ(main->results[0].name, "");
  EXPECT_STREQ(main->results[0].called, "");
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

TEST_F(CInterface, plannedMemory) {
  ASSERT_TRUE(compile(R"(
func.func @main(%a: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %0 = tosa.exp %a : (tensor<2x64xf32>) -> tensor<2x64xf32>
  %1 = tosa.reverse %0 {axis = 1 : i32} : (tensor<2x64xf32>) -> tensor<2x64xf32>
  %2 = tosa.exp %1 : (tensor<2x64xf32>) -> tensor<2x64xf32>
  return %2 : tensor<2x64xf32>
}
func.func @open(%a: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = tosa.exp %a : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = tosa.reverse %0 {axis = 1 : i32} : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %2 = tosa.exp %1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}
)")) << diagnostics();
  EXPECT_EQ(broadloomModuleFunction(module, 0)->plannedBytes, 2 * 512);
  EXPECT_EQ(broadloomModuleFunction(module, 1)->plannedBytes, 0);
}

TEST_F(CInterface, options) {
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "function", "scale"),
            BROADLOOM_OK);
  ASSERT_TRUE(compile(kAdd));
  EXPECT_EQ(broadloomModuleNumFunctions(module), 1);
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "function", "scales"),
            BROADLOOM_OK);
  EXPECT_FALSE(compile(kAdd));
  EXPECT_EQ(diagnostics(), "error: the program has no function 'scales'; it "
                           "has: main, scale\n");
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
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "compile-threads", "-1"),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(diagnostics(), "error: option compile-threads has no value '-1'; "
                           "there are numbers from 0 on\n");
  for (const char *symbol : {"2x", "broadloomEnter", "loom_functions", "sinf"})
    EXPECT_EQ(broadloomCompilerSetOption(compiler, "symbol", symbol),
              BROADLOOM_INVALID_ARGUMENT)
        << symbol;
  for (auto [name, value] : {std::pair("strategy", "rfc"),
                             {"dynamic-to-static", "forbid"},
                             {"error-limit", "0"},
                             {"compile-threads", "1"},
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
  EXPECT_STREQ(broadloomShapesMayFail(compiler), "");
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

// What a caller leaves out is empty, and no crash.
TEST_F(CInterface, null_strings_are_empty) {
  EXPECT_EQ(broadloomCompilerSetOption(compiler, nullptr, "on"),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(diagnostics(), "there is no option ''; there are: "));
  EXPECT_EQ(broadloomCompilerSetOption(compiler, "strategy", nullptr),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(diagnostics(), "option strategy has no value ''"));
  EXPECT_EQ(broadloomCompileFile(compiler, nullptr), nullptr);
  EXPECT_TRUE(contains(diagnostics(), "cannot be read")) << diagnostics();
  size_t size = 0;
  EXPECT_EQ(
      broadloomEmitText(compiler, kAdd, strlen(kAdd), "p", nullptr, &size),
      nullptr);
  EXPECT_TRUE(contains(diagnostics(), "there is no form ''"));
  EXPECT_EQ(broadloomCheckFile(compiler, nullptr, nullptr), nullptr);
  EXPECT_TRUE(contains(diagnostics(), "cannot be read")) << diagnostics();
  const char *arguments[] = {"2x3", nullptr};
  EXPECT_NE(broadloomShapesOfText(compiler, kAdd, strlen(kAdd), nullptr,
                                  nullptr, arguments, 2),
            BROADLOOM_OK);
  // No arguments are told: the types alone say.
  EXPECT_EQ(broadloomShapesOfText(compiler, kAdd, strlen(kAdd), nullptr, "main",
                                  nullptr, 2),
            BROADLOOM_OK);
  EXPECT_EQ(broadloomShapesNumResults(compiler), 1);
  // A program without text has no functions.
  BroadloomModule *empty = broadloomCompileText(compiler, nullptr, 5, nullptr);
  EXPECT_TRUE(!empty || broadloomModuleNumFunctions(empty) == 0);
  broadloomModuleDestroy(empty);
  broadloomCompilerAddShapeLibrary(compiler, nullptr);
  EXPECT_EQ(compile(kAdd), nullptr);
}

} // namespace
