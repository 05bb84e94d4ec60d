//===- ProgramCacheTest.cpp - code that is kept between processes ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/ProgramCache.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace broadloom;
namespace fs = std::filesystem;

namespace {

constexpr const char *kProgram = R"(
func.func @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = tosa.abs %a : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @same(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
)";

/// A cache of the test's own.
class Cache : public testing::Test {
protected:
  Cache() {
    folder = fs::temp_directory_path() /
             ("broadloom-cache-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    set(folder.c_str());
    ::unsetenv("BROADLOOM_VERIFY_PASSES");
  }
  ~Cache() override {
    fs::remove_all(folder);
    ::setenv("BROADLOOM_CACHE", "0", 1);
  }
  static void set(const char *value) { ::setenv("BROADLOOM_CACHE", value, 1); }
  /// Whether the program compiles.
  static bool compile(CompileOptions options = {},
                      const char *program = kProgram) {
    options.useCache = true;
    Compiler compiler(options);
    auto module = compiler.compile(Source::text(program, "p.mlir"));
    return module && module->function("main");
  }
  std::vector<fs::path> list() const {
    std::vector<fs::path> files;
    if (fs::exists(folder))
      for (const auto &entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    return files;
  }

  fs::path folder;
};

TEST_F(Cache, code_is_found_again) {
  ASSERT_TRUE(compile());
  ASSERT_EQ(list().size(), 1u);
  // Code that is there is used: another program's, put in its place.
  auto kept = llvm::MemoryBuffer::getFile(list()[0].string());
  auto program = readSavedProgram(**kept);
  ASSERT_TRUE(bool(program));
  program->functions[0].name = "renamed";
  std::ofstream(list()[0]) << writeSavedProgram(*program);
  EXPECT_FALSE(compile());
  // Damaged files are as none.
  std::ofstream(list()[0]) << "damaged";
  EXPECT_TRUE(compile());
  EXPECT_TRUE(compile());
  EXPECT_EQ(list().size(), 1u);
}

TEST_F(Cache, what_code_depends_on) {
  ASSERT_TRUE(compile());
  CompileOptions options;
  options.optimiseCode = false;
  ASSERT_TRUE(compile(options));
  EXPECT_EQ(list().size(), 2u);
  options.only = "main";
  ASSERT_TRUE(compile(options));
  EXPECT_EQ(list().size(), 3u);
  ASSERT_TRUE(compile(options, (std::string(kProgram) + " ").c_str()));
  EXPECT_EQ(list().size(), 4u);
  options.fillElided = 1;
  ASSERT_TRUE(compile(options));
  options.fillElided = 2;
  ASSERT_TRUE(compile(options));
  EXPECT_EQ(list().size(), 6u);
  ASSERT_TRUE(compile());
  EXPECT_EQ(list().size(), 6u);
}

TEST_F(Cache, inputs_are_looked_at_before_code_is_used) {
  ASSERT_TRUE(compile());
  CompileOptions options;
  size_t seen = 0;
  options.accept = [&](const std::vector<FunctionSignature> &functions) {
    seen = functions.size();
    return false;
  };
  EXPECT_FALSE(compile(options));
  EXPECT_EQ(seen, 2u);
}

TEST_F(Cache, can_be_turned_off) {
  set("0");
  ASSERT_TRUE(compile());
  set(folder.c_str());
  EXPECT_TRUE(list().empty());
  // Somebody else could have put code into such a folder.
  fs::create_directory(folder);
  ::chmod(folder.c_str(), 0777);
  ASSERT_TRUE(compile());
  EXPECT_TRUE(list().empty());
  ::chmod(folder.c_str(), 0700);
  ::setenv("BROADLOOM_VERIFY_PASSES", "1", 1);
  ASSERT_TRUE(compile());
  EXPECT_TRUE(list().empty());
}

// Constants are hashed once.
TEST_F(Cache, digests_of_given_constants_are_kept) {
  auto cache = ProgramCache::open();
  ASSERT_TRUE(cache);
  SavedProgram program;
  program.given = {SharedBytes(std::string(1000, 'x')), SharedBytes("y")};
  EXPECT_FALSE(cache->get(program));
  EXPECT_EQ(program.givenDigests, program.hashGiven());
  std::vector<std::string> digests = program.givenDigests;
  ASSERT_EQ(digests.size(), 2u);
  EXPECT_NE(digests[0], digests[1]);
  // They are what put() and a file have.
  program.givenDigests[1] = "another";
  EXPECT_NE(writeSavedProgram(program).find("another"), std::string::npos);
  cache->put(program);
  EXPECT_FALSE(cache->get(program));
  EXPECT_EQ(program.givenDigests, digests);
  cache->put(program);
  std::optional<SavedProgram> found = cache->get(program);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->givenDigests, digests);
  program.given[1] = SharedBytes("z");
  EXPECT_FALSE(cache->get(program));
}

// What somebody saved in the folder is no entry, whatever room there is.
TEST_F(Cache, leaves_other_files_alone) {
  auto cache = ProgramCache::open();
  ASSERT_TRUE(cache);
  fs::path own = fs::path(folder) / "own.blm";
  std::ofstream(own) << std::string(5000, 'x');
  SavedProgram program;
  program.code.objects = {std::string(1000, 'x')};
  for (const char *name : {"a", "b"}) {
    program.name = name;
    cache->put(program, 1500);
  }
  EXPECT_TRUE(fs::exists(own));
  EXPECT_EQ(list().size(), 2u);
  for (const fs::path &file : list())
    EXPECT_NE(file.filename().string().rfind("draft-", 0), 0u);
}

TEST_F(Cache, keeps_to_its_bound) {
  auto cache = ProgramCache::open();
  ASSERT_TRUE(cache);
  SavedProgram program;
  program.code.objects = {std::string(1000, 'x')};
  for (const char *name : {"a", "b", "c"}) {
    program.name = name;
    cache->put(program);
  }
  ASSERT_EQ(list().size(), 3u);
  for (const fs::path &file : list())
    fs::last_write_time(file, fs::file_time_type::clock::now() -
                                  std::chrono::hours(1));
  // The first one is used last.
  program.name = "a";
  ASSERT_TRUE(cache->get(program));
  program.name = "d";
  cache->put(program, 3000);
  EXPECT_EQ(list().size(), 2u);
  EXPECT_TRUE(cache->get(program));
  program.name = "a";
  EXPECT_TRUE(cache->get(program));
  // One that is too large for itself drops nothing.
  program.code.objects = {std::string(4000, 'x')};
  program.name = "e";
  cache->put(program, 3000);
  EXPECT_EQ(list().size(), 2u);
}

// The cache is measured by chance. That it is not for a hundred times its usual
// distance does not happen.
TEST_F(Cache, keeps_to_its_bound_without_measuring_each_time) {
  auto cache = ProgramCache::open();
  ASSERT_TRUE(cache);
  SavedProgram program;
  program.code.objects = {std::string(1000, 'x')};
  for (int i = 0; i < 1000; ++i) {
    program.name = std::to_string(i);
    cache->put(program, 128 * 1024);
  }
  EXPECT_LT(list().size(), 600u);
  EXPECT_GT(list().size(), 60u);
}

} // namespace
