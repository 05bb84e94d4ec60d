//===- ConstantFilesTest.cpp - files that constants are mapped from -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/CheckedProgram.h"
#include "driver/Compiler.h"
#include "driver/FunctionSignature.h"
#include "driver/sources/SourceFile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace broadloom;
namespace fs = std::filesystem;

namespace {

constexpr char kProgram[] =
    "func.func @main(%i: tensor<1xindex>) -> f32 {\n"
    "  %w = arith.constant dense_resource<given_0> : tensor<16384xf32>\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %n = tensor.extract %i[%c0] : tensor<1xindex>\n"
    "  %r = tensor.extract %w[%n] : tensor<16384xf32>\n"
    "  return %r : f32\n}\n";

/// A file of weights, and a cache of the test's own.
class ConstantFiles : public ::testing::Test {
protected:
  ConstantFiles()
      : folder(fs::temp_directory_path() /
               ("broadloom-files-" + std::to_string(::getpid()))),
        path((folder / "weights").string()), cache(folder / "cache"),
        weights(16384, 1.5f) {
    fs::create_directories(folder);
    ::setenv("BROADLOOM_CACHE", cache.c_str(), 1);
    ::unsetenv("BROADLOOM_VERIFY_PASSES");
    std::ofstream(path) << "weights";
    options.useCache = options.keepCode = true;
    options.constants.emplace_back(
        std::string_view(reinterpret_cast<const char *>(weights.data()),
                         weights.size() * sizeof(float)),
        nullptr);
    options.constantFiles = {getStamped()};
  }
  ~ConstantFiles() override {
    fs::remove_all(folder);
    ::setenv("BROADLOOM_CACHE", "0", 1);
  }

  StampedFile getStamped() const {
    auto file = SourceFile::open(path);
    EXPECT_TRUE(bool(file));
    return file->getStamped();
  }
  /// Changes the file, whatever the resolution of times is.
  void change() const {
    fs::last_write_time(path,
                        fs::last_write_time(path) - std::chrono::seconds(3));
  }
  size_t countKept() const {
    size_t count = 0;
    if (fs::exists(cache))
      for (const auto &entry : fs::directory_iterator(cache))
        count += entry.is_regular_file();
    return count;
  }
  std::string getError() const {
    return path + ": error: the file has changed while weights were read from "
                  "it; try again once it is written\n";
  }
  static Source source() { return Source::text(kProgram, "p.mlir"); }

  fs::path folder;
  std::string path;
  fs::path cache;
  std::vector<float> weights;
  CompileOptions options;
};

TEST_F(ConstantFiles, code_of_unchanged_ones_is_kept) {
  for (int i = 0; i < 2; ++i) {
    Compiler compiler(options);
    auto module = compiler.compile(source());
    ASSERT_TRUE(module) << compiler.diagnostics();
    EXPECT_EQ(countKept(), 1u);
    EXPECT_FALSE(module->save().empty());
    change();
    EXPECT_TRUE(module->save().empty());
    options.constantFiles = {getStamped()};
  }
}

TEST_F(ConstantFiles, nothing_is_kept_where_one_changes_while_it_is_compiled) {
  options.accept = [&](const std::vector<FunctionSignature> &) {
    change();
    return true;
  };
  Compiler compiler(options);
  EXPECT_FALSE(compiler.compile(source()));
  EXPECT_EQ(compiler.diagnostics(), getError());
  EXPECT_EQ(compiler.status(), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(countKept(), 0u);
}

TEST_F(ConstantFiles, code_that_was_kept_is_not_used_where_one_changes) {
  ASSERT_TRUE(Compiler(options).compile(source()));
  ASSERT_EQ(countKept(), 1u);
  change();
  Compiler compiler(options);
  EXPECT_FALSE(compiler.compile(source()));
  EXPECT_EQ(compiler.diagnostics(), getError());
}

TEST_F(ConstantFiles, every_step_looks) {
  Compiler good(options);
  CheckedProgram checked;
  std::string text;
  EXPECT_TRUE(good.check(source(), checked));
  EXPECT_TRUE(good.emit(source(), Emit::Loom, text));
  for (bool isRemoved : {false, true}) {
    isRemoved ? (void)fs::remove(path) : change();
    Compiler compiler(options);
    EXPECT_FALSE(compiler.check(source(), checked));
    EXPECT_EQ(compiler.diagnostics(), getError());
    EXPECT_FALSE(compiler.emit(source(), Emit::Loom, text));
    EXPECT_EQ(compiler.diagnostics(), getError());
  }
}

TEST_F(ConstantFiles, the_c_interface_names_them) {
  StampedFile file = getStamped();
  auto spell = [&] {
    std::string text;
    for (uint64_t number : {file.stamp.device, file.stamp.inode,
                            file.stamp.size, file.stamp.time})
      text += std::to_string(number) + " ";
    return text + path;
  };
  constexpr char kPlain[] = "func.func @main(%a: f32) -> f32 {\n"
                            "  return %a : f32\n}\n";
  for (int i = 0; i < 2; ++i) {
    BroadloomCompiler *compiler = broadloomCompilerCreate();
    ASSERT_EQ(
        broadloomCompilerSetOption(compiler, "constant-file", spell().c_str()),
        BROADLOOM_OK);
    BroadloomModule *module =
        broadloomCompileText(compiler, kPlain, sizeof(kPlain) - 1, "p");
    EXPECT_EQ(module != nullptr, i == 0) << broadloomDiagnostics(compiler);
    broadloomModuleDestroy(module);
    for (const char *wrong :
         {"", "1 2 3 4", "1 2 3 4 ", "1 2 3 x p", "-1 2 3 4 p"})
      EXPECT_EQ(broadloomCompilerSetOption(compiler, "constant-file", wrong),
                BROADLOOM_INVALID_ARGUMENT)
          << wrong;
    EXPECT_EQ(std::string(broadloomDiagnostics(compiler)),
              "error: option constant-file has no value '-1 2 3 4 p'; there "
              "are a device, an inode, a size, a time in nanoseconds and a "
              "path, with spaces between them\n");
    broadloomCompilerDestroy(compiler);
    file.stamp.inode += 1;
  }
}

} // namespace
