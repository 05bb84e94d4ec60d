//===- SavedProgramTest.cpp - saved programs and the cache ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/SavedProgram.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace broadloom;
namespace fs = std::filesystem;

namespace {

constexpr const char *kProgram = R"(
func.func @main(%a: tensor<?x3xf32> {loom.extents = #loom.extents<[B, ?]>},
                %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = tosa.add %a, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @scalars(%a: tensor<f32>, %b: tensor<*xi8>) -> (tensor<f32>, tensor<*xi8>) {
  return %a, %b : tensor<f32>, tensor<*xi8>
}
)";

/// What is saved of kProgram.
std::string save(std::string_view function = {}, CompileOptions options = {}) {
  options.keepCode = true;
  Compiler compiler(options);
  auto module = compiler.compile(Source::text(kProgram, "p.mlir"));
  EXPECT_TRUE(module) << compiler.diagnostics();
  return module ? module->save(function) : "";
}

llvm::Expected<SavedProgram> read(const std::string &bytes) {
  return readSavedProgram(llvm::MemoryBufferRef(bytes, "p.blm"));
}

void expectRuns(const std::string &bytes) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(bytes, "p.blm"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, "main");
  Floats a({2, 3}, {1, 2, 3, 4, 5, 6}), b({1, 3}, {1, 1, 1}),
      c({3, 3}, std::vector<float>(9));
  ASSERT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_OK) << call.message();
  EXPECT_EQ(take(call, 0), (std::vector<float>{2, 3, 4, 5, 6, 7}));
  std::vector<BroadloomShape> shapes;
  ASSERT_EQ(call.resultShapes({&a.tensor, &b.tensor}, shapes), BROADLOOM_OK)
      << call.message();
  EXPECT_EQ(shapes[0].extents[0], 2);
  EXPECT_EQ(call.run({&a.tensor, &c.tensor}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.message().rfind("p.mlir:4:", 0), 0u) << call.message();
}

TEST(SavedProgram, runs_where_it_was_saved) {
  std::string bytes = save();
  EXPECT_TRUE(isSavedProgram(bytes));
  expectRuns(bytes);
  Compiler compiler;
  auto module = compiler.compile(Source::text(bytes, "p.blm"));
  ASSERT_TRUE(module);
  ASSERT_EQ(module->functions().size(), 2u);
  EXPECT_EQ(
      argumentTexts(module->functions()[0]),
      (std::vector<std::string>{"a: tensor<Bx3xf32>", "b: tensor<?x3xf32>"}));
  EXPECT_EQ(argumentTexts(module->functions()[1]),
            (std::vector<std::string>{"a: tensor<f32>", "b: tensor<*xi8>"}));
}

/// A program with a constant of `alignment`, which is too large for its code.
std::string writeTable(const std::string &alignment) {
  return "memref.global \"private\" constant @w : memref<65536xf32> = "
         "dense_resource<given_0>" +
         alignment + R"(
func.func @main(%y: memref<65536xf32>) {
  %w = memref.get_global @w : memref<65536xf32>
  affine.for %i = 0 to 65536 {
    %a = affine.load %w[%i] : memref<65536xf32>
    %s = arith.mulf %a, %a : f32
    affine.store %s, %y[%i] : memref<65536xf32>
  }
  return
})";
}

void expectSquares(const Source &source, CompileOptions options) {
  Compiler compiler(std::move(options));
  auto module = compiler.compile(source);
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, "main");
  Floats y({65536}, std::vector<float>(65536));
  ASSERT_EQ(call.run({&y.tensor}), BROADLOOM_OK) << call.message();
  for (size_t i = 0; i < y.values.size(); ++i)
    ASSERT_EQ(y.values[i], float(i % 100) * float(i % 100));
}

// Code loads constants of 64 KiB or more as aligned vectors.
TEST(SavedProgram, constants_may_be_anywhere_in_memory) {
  std::vector<float> table(65536);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = float(i % 100);
  std::string_view whole(reinterpret_cast<const char *>(table.data()),
                         table.size() * sizeof(float));
  for (const char *alignment : {"", " {alignment = 4096 : i64}"}) {
    std::string text = writeTable(alignment), saved;
    for (size_t offset : {0, 1, 16}) {
      SCOPED_TRACE(std::to_string(offset) + alignment);
      std::string moved = std::string(offset, '\0') + std::string(whole);
      CompileOptions options;
      options.constants = {
          SharedBytes(std::string_view(moved).substr(offset), nullptr)};
      expectSquares(Source::text(text, "p.mlir"), options);
      options.keepCode = true;
      Compiler compiler(options);
      auto module = compiler.compile(Source::text(text, "p.mlir"));
      ASSERT_TRUE(module) << compiler.diagnostics();
      saved = module->save();
    }
    for (size_t offset : {0, 1, 4, 16, 32, 64}) {
      SCOPED_TRACE(std::to_string(offset) + alignment);
      std::vector<char> moved(saved.size() + 128);
      char *to = moved.data();
      to += llvm::offsetToAlignedAddr(to, llvm::Align(64)) + offset;
      llvm::copy(saved, to);
      for (bool borrows : {false, true}) {
        CompileOptions options;
        options.borrows = borrows;
        expectSquares(Source::text({to, saved.size()}, "p.blm"), options);
      }
    }
  }
}

// The attribute of a variable is in an array and a dictionary.
TEST(SavedProgram, constants_are_given_to_nested_attributes) {
  constexpr const char *kVariable = R"(
func.func @main(%a: tensor<2xf32>, %v: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    attributes {loom.state = [{initial = dense_resource<given_0> : tensor<2xf32>, name = "v", written}]} {
  %s = tosa.add %a, %v : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %s, %s : tensor<2xf32>, tensor<2xf32>
})";
  std::vector<float> first = {1.5f, 2.5f};
  std::string bytes(reinterpret_cast<const char *>(first.data()), 8);
  CompileOptions options;
  options.constants = {SharedBytes(bytes)};
  Compiler compiler(options);
  auto module = compiler.compile(Source::text(kVariable, "p.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  ASSERT_EQ(module->functions().size(), 1u);
  const std::vector<VariableSignature> &variables =
      module->functions()[0].variables;
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables[0].initial, bytes);
}

TEST(SavedProgram, one_function) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(save("scalars"), "p.blm"));
  ASSERT_TRUE(module);
  ASSERT_EQ(module->functions().size(), 1u);
  EXPECT_EQ(module->function()->name, "scalars");
  EXPECT_EQ(save("nobody"), "");
}

TEST(SavedProgram, nothing_is_kept_unless_it_is_requested) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kProgram, "p.mlir"));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->save(), "");
}

TEST(SavedProgram, abi7_is_compiled_again_where_its_code_is_anothers) {
  auto program = read(save());
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  EXPECT_EQ(program->identity, getCodeIdentity());
  program->identity = "another processor";
  // Not even looked at.
  program->code.objects = {"no code"};
  expectRuns(writeSavedProgram(*program));
  // What it was compiled from is what counts.
  program->source = "no program";
  Compiler compiler;
  EXPECT_FALSE(
      compiler.compile(Source::text(writeSavedProgram(*program), "p.blm")));
  EXPECT_EQ(compiler.status(), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_NE(compiler.diagnostics().find("p.mlir:1:1: error: "),
            std::string::npos)
      << compiler.diagnostics();
}

TEST(SavedProgram, abi6_its_compilation_can_be_cancelled) {
  auto program = read(save());
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  program->identity = "another processor";
  Compiler *running = nullptr;
  CompileOptions options;
  options.accept = [&](const std::vector<FunctionSignature> &) {
    running->cancel();
    return true;
  };
  Compiler compiler(options);
  running = &compiler;
  EXPECT_FALSE(
      compiler.compile(Source::text(writeSavedProgram(*program), "p.blm")));
  EXPECT_EQ(compiler.status(), BROADLOOM_CANCELLED);
  EXPECT_EQ(compiler.diagnostics(), "error: the compilation was cancelled\n");
}

TEST(SavedProgram, keeps_the_shape_libraries) {
  fs::path file = fs::temp_directory_path() /
                  ("library-" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(file) << R"(
    func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32>
        attributes {loom.implements = "mine.twice"} {
      %r = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    irdl.dialect @mine {
      irdl.operation @twice {
        %x = irdl.base "!builtin.tensor"
        %r = irdl.base "!builtin.tensor"
        irdl.operands(x: %x)
        irdl.results(r: %r)
      }
    })";
  CompileOptions options;
  options.shapeLibraries = {file.string()};
  options.keepCode = true;
  std::string bytes;
  {
    Compiler compiler(options);
    auto module = compiler.compile(Source::text(R"(
      func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %r = "mine.twice"(%x) : (tensor<?xf32>) -> tensor<?xf32>
        return %r : tensor<?xf32>
      })",
                                                "p.mlir"));
    ASSERT_TRUE(module) << compiler.diagnostics();
    bytes = module->save();
  }
  fs::remove(file);
  Compiler compiler;
  CheckedProgram checked;
  EXPECT_TRUE(compiler.check(Source::text(bytes, "p.blm"), checked));
  EXPECT_TRUE(checked.isAccepted) << compiler.diagnostics();
  auto program = read(bytes);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  program->identity = "another processor";
  auto module =
      compiler.compile(Source::text(writeSavedProgram(*program), "p.blm"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module);
  Floats x({2}, {1, 2});
  ASSERT_EQ(call.run({&x.tensor}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), (std::vector<float>{2, 4}));
}

TEST(SavedProgram, keeps_the_options) {
  CompileOptions options;
  options.optimiseCode = false;
  options.dynamicToStatic = DynamicToStatic::Forbid;
  options.fillElided = UINT64_MAX;
  auto program = read(save({}, options));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  EXPECT_FALSE(program->optimiseCode);
  EXPECT_EQ(program->dynamicToStatic, DynamicToStatic::Forbid);
  EXPECT_EQ(program->fillElided, UINT64_MAX);
  EXPECT_EQ(program->source.bytes, kProgram);
}

TEST(SavedProgram, abi7_damaged_files) {
  std::string bytes = save();
  for (size_t offset :
       {size_t(7), size_t(8), size_t(60), bytes.size() / 2, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[offset] ^= 1;
    Compiler compiler;
    EXPECT_FALSE(compiler.compile(Source::text(damaged, "p.blm"))) << offset;
    EXPECT_EQ(compiler.diagnostics(),
              offset == 7 ? "p.blm: error: the saved program has another "
                            "format; save it again with this version\n"
                          : "p.blm: error: the saved program is damaged; save "
                            "it again\n");
  }
  for (size_t size : {size_t(8), size_t(20), size_t(45), bytes.size() - 1}) {
    Compiler compiler;
    EXPECT_FALSE(compiler.compile(Source::text(bytes.substr(0, size), "p.blm")))
        << size;
  }
}

TEST(SavedProgram, other_questions_are_about_the_program) {
  std::string bytes = save();
  Compiler compiler;
  CheckedProgram checked;
  EXPECT_TRUE(compiler.check(Source::text(bytes, "p.blm"), checked));
  EXPECT_EQ(checked.functions.size(), 2u);
  EXPECT_TRUE(compiler.queryShapes(Source::text(bytes, "p.blm"), {"main", {}}));
}

} // namespace
