//===- ProfiledCallTest.cpp - programs that tell where their time goes ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/ProfileReport.h"
#include "runtime/profile/Profile.h"
#include "test/lib/driver/TestTensors.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace broadloom;
using namespace broadloom::report;

namespace {

constexpr const char *kProgram = R"(
func.func private @scale(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.tanh %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
  %0 = tosa.add %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %3 = func.call @scale(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = tosa.reverse %3 {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1, %2, %4 : tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x?xf32>
}
)";

/// What the program is compiled to, for a profile or not.
std::unique_ptr<CompiledModule> compile(CompileOptions options, bool profile) {
  options.profile = profile;
  Compiler compiler(options);
  auto module = compiler.compile(Source::text(kProgram, "p.mlir"));
  EXPECT_TRUE(module) << compiler.diagnostics();
  return module;
}

std::vector<std::vector<float>> run(const CompiledModule &module, int threads,
                                    Profile *profile) {
  int64_t rows = 37, columns = 131;
  std::vector<float> values;
  for (int64_t i = 0; i < rows * columns; ++i)
    values.push_back(float(i % 97) / 31 - 1.5f);
  Floats x({rows, columns}, values),
      y({columns},
        std::vector<float>(values.begin(), values.begin() + columns));
  Invocation call(module, "main");
  call.setThreads(threads);
  call.setProfile(profile);
  EXPECT_EQ(call.run({&x.tensor, &y.tensor}), BROADLOOM_OK) << call.message();
  return {take(call, 0), take(call, 1), take(call, 2)};
}

bool isSameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(ProfiledCall, results_are_the_same_bits) {
  for (Strategy strategy : {Strategy::Default, Strategy::Rfc}) {
    CompileOptions options;
    options.strategy = strategy;
    auto plain = compile(options, false), profiled = compile(options, true);
    ASSERT_TRUE(plain && profiled);
    EXPECT_EQ(plain->profiled(), nullptr);
    ASSERT_NE(profiled->profiled(), nullptr);
    Profile profile(int32_t(profiled->profiled()->sites.size()), 100);
    for (int threads : {1, 3}) {
      auto expected = run(*plain, threads, nullptr);
      for (auto [a, b] : llvm::zip(expected, run(*profiled, threads, &profile)))
        EXPECT_TRUE(isSameBits(a, b));
      // Code that names sites does without a profile, and a profile without
      // sites has all time outside.
      for (auto [a, b] : llvm::zip(expected, run(*profiled, threads, nullptr)))
        EXPECT_TRUE(isSameBits(a, b));
      for (auto [a, b] : llvm::zip(expected, run(*plain, threads, &profile)))
        EXPECT_TRUE(isSameBits(a, b));
      EXPECT_NEAR(profile.site(Profile::kOutside).nanoseconds,
                  profile.nanoseconds(), 1e-3);
    }
  }
}

TEST(ProfiledCall, sites_name_the_operations_of_the_program) {
  auto module = compile({}, true);
  ASSERT_TRUE(module);
  const ProfiledProgram &program = *module->profiled();
  EXPECT_EQ(program.text, kProgram);
  EXPECT_TRUE(program.isSource);
  std::vector<std::string> found;
  for (const ProfiledProgram::Site &site : program.sites) {
    std::string text = site.function + " " + getKindName(site.kind);
    for (const ProfiledProgram::Operation &operation : site.operations) {
      EXPECT_EQ(operation.location,
                "p.mlir:" + std::to_string(operation.line) + ":8");
      text += " " + operation.name + ":" + std::to_string(operation.line);
    }
    found.push_back(text);
  }
  llvm::sort(found);
  // An argument is copied where it is not row-major.
  EXPECT_EQ(found,
            (std::vector<std::string>{"main copy", "main loop tosa.reverse:11",
                                      "main reduction tosa.add:7 tosa.exp:8 "
                                      "tosa.reduce_sum:9",
                                      "scale map tosa.tanh:3"}));
}

TEST(ProfiledCall, maps_have_the_names_that_users_gave_them) {
  CompileOptions options;
  options.profile = true;
  Compiler compiler(options);
  auto module = compiler.compile(Source::text(R"(
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = loom.map(%a = %x : tensor<?xf32>) attributes {loom.origin = "square"} -> tensor<?xf32> {
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %s, %s : f32
    loom.yield %t : f32
  }
  %1 = tosa.exp %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
)",
                                              "p.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto &sites = module->profiled()->sites;
  ASSERT_EQ(sites.size(), 1u);
  ASSERT_EQ(sites[0].operations.size(), 2u);
  EXPECT_EQ(sites[0].operations[0].name, "square");
  EXPECT_EQ(sites[0].operations[0].line, 3u);
  EXPECT_EQ(sites[0].operations[1].name, "tosa.exp");
}

TEST(ProfiledCall, code_for_a_profile_is_not_that_of_the_cache) {
  CompileOptions options;
  options.keepCode = true;
  Compiler compiler(options);
  auto module = compiler.compile(Source::text(kProgram, "p.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  std::string saved = module->save();
  ASSERT_FALSE(saved.empty());
  options.profile = true;
  Compiler again(options);
  auto profiled = again.compile(Source::text(saved, "saved"));
  ASSERT_TRUE(profiled) << again.diagnostics();
  ASSERT_NE(profiled->profiled(), nullptr);
  EXPECT_EQ(profiled->profiled()->sites.size(), 4u);
  EXPECT_EQ(profiled->save(), "");
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Profile::Site spend(int64_t visits, double time, Work work = {}) {
  Profile::Site site;
  site.visits = visits;
  site.nanoseconds = time;
  site.shortest = site.longest = visits ? time / double(visits) : 0;
  site.work = work;
  return site;
}

/// Two kernels, a copy that had nothing to do, and a loop that did not run.
struct Example {
  Example() {
    program.sites = {{"main", SiteKind::Map, {}},
                     {"main", SiteKind::Contraction, {}},
                     {"main", SiteKind::Copy, {}},
                     {"main", SiteKind::Loop, {}}};
    report.program = &program;
    report.limits.copies = {{1000, 100}, {100000, 10}};
    report.limits.multiplyAdds = 50;
    report.limits.additions = 20;
    report.call.nanoseconds = 1000;
    report.call.sites = {spend(2, 220, {2000, 400, 0, 0}),
                         spend(1, 600, {1000, 10, 15000, 0}), spend(1, 30),
                         spend(0, 0)};
    report.call.outside = spend(4, 150);
    report.finish();
  }
  ProfiledProgram program;
  ProfileReport report;
};

TEST(ProfileReport, rows_add_up_and_the_longest_is_first) {
  Example example;
  const std::vector<ProfileRow> &rows = example.report.rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_STREQ(rows[0].kind(), "contraction");
  EXPECT_EQ(rows[0].number, 1);
  EXPECT_DOUBLE_EQ(rows[0].share, 0.6);
  EXPECT_STREQ(rows[1].kind(), "map");
  EXPECT_DOUBLE_EQ(rows[1].mean(), 110);
  // The copy had nothing to do.
  EXPECT_STREQ(rows[2].kind(), "outside");
  EXPECT_DOUBLE_EQ(rows[2].share, 0.18);
}

TEST(ProfileReport, the_limit_is_what_takes_longest) {
  Example example;
  const ProfileRow &product = example.report.rows[0],
                   &map = example.report.rows[1],
                   &outside = example.report.rows[2];
  EXPECT_EQ(product.bound, Bound::MultiplyAdds);
  EXPECT_DOUBLE_EQ(product.ofLimit, 15000 / 50.0 / 600);
  // 2000 bytes, 1000 of them each time, take as long as 400 additions.
  EXPECT_EQ(map.bound, Bound::Memory);
  EXPECT_DOUBLE_EQ(map.ofLimit, 2000 / 100.0 / 220);
  EXPECT_EQ(outside.bound, Bound::Unknown);
}

TEST(ProfileReport, rates_of_copies_between_those_that_were_measured) {
  Example example;
  const MachineLimits &limits = example.report.limits;
  EXPECT_DOUBLE_EQ(limits.copyRate(10), 100);
  EXPECT_DOUBLE_EQ(limits.copyRate(1000), 100);
  EXPECT_NEAR(limits.copyRate(10000), 55, 1e-9);
  EXPECT_DOUBLE_EQ(limits.copyRate(1e9), 10);
  EXPECT_DOUBLE_EQ(MachineLimits().copyRate(5), 0);
}

TEST(ProfileReport, numbers_have_three_digits) {
  EXPECT_EQ(formatTime(0), "0 ns");
  EXPECT_EQ(formatTime(7), "7 ns");
  EXPECT_EQ(formatTime(7.25), "7.25 ns");
  EXPECT_EQ(formatTime(12345), "12.3 us");
  EXPECT_EQ(formatTime(999.9e3), "1.00 ms");
  EXPECT_EQ(formatTime(2.5e12), "2500 s");
  EXPECT_EQ(formatBytes(4000000), "4.00 MB");
  EXPECT_EQ(formatCount(123456), "123 k");
}

TEST(ProfileReport, a_few_operations_are_named) {
  ProfiledProgram::Site site{"main",
                             SiteKind::Map,
                             {{"tosa.add", "p.mlir:2:8", "", 2},
                              {"tosa.exp", "q.mlir:3:8", "\"layer\"", 3},
                              {"tosa.abs", "", "", 0}}};
  ProfileRow row;
  row.site = &site;
  EXPECT_EQ(describeOperations(row, "p.mlir", 3),
            "tosa.add (2:8), tosa.exp (q.mlir:3:8 \"layer\"), tosa.abs");
  EXPECT_EQ(describeOperations(row, "p.mlir", 1), "tosa.add (2:8) and 2 more");
  // One more takes as much room as saying so.
  EXPECT_EQ(describeOperations(row, "p.mlir", 2),
            describeOperations(row, "p.mlir", 3));
}

} // namespace
