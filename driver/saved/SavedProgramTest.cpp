//===- SavedProgramTest.cpp - saved programs and the cache ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/SavedProgram.h"
#include "driver/saved/ProgramCache.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

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
