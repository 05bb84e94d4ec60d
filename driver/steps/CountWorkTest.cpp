//===- CountWorkTest.cpp - work by the program and by the runtime ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What countWork reads off a program is what the runtime counts while the
// program runs.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "runtime/profile/Profile.h"
#include "test/lib/driver/TestTensors.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

struct Case {
  const char *name;
  /// The body of `main`, whose argument `%x` is an image of `1x9x8x6` with open
  /// extents, and which returns `%r`; `%z` is a zero point.
  const char *body;
  const char *result;
  int64_t multiplyAdds, reduced;
};

const Case kCases[] = {
    {"convolution",
     R"(%w = "tosa.const"() {values = dense<1.0> : tensor<4x3x3x6xf32>} : () -> tensor<4x3x3x6xf32>
  %b = "tosa.const"() {values = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x6xf32>, tensor<4x3x3x6xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x4xf32>)",
     "tensor<?x?x?x4xf32>", 7 * 6 * 4 * 3 * 3 * 6, 0},
    {"depthwise convolution",
     R"(%w = "tosa.const"() {values = dense<1.0> : tensor<3x3x6x1xf32>} : () -> tensor<3x3x6x1xf32>
  %b = "tosa.const"() {values = dense<1.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %r = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x6xf32>, tensor<3x3x6x1xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x6xf32>)",
     "tensor<?x?x?x6xf32>", 7 * 6 * 6 * 3 * 3, 0},
    {"average of windows",
     R"(%r = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x6xf32>)",
     "tensor<?x?x?x6xf32>", 0, 8 * 6 * 6 * 2 * 3},
    {"sum of rows",
     R"(%r = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<?x?x?x6xf32>) -> tensor<?x?x1x6xf32>)",
     "tensor<?x?x1x6xf32>", 0, 9 * 8 * 6},
};

WorkCount runAndCount(const CompiledModule &module, BroadloomTensor *input) {
  Profile profile(int32_t(module.profiled()->sites.size()));
  Invocation call(module, "main");
  call.setProfile(&profile);
  EXPECT_EQ(call.run({input}), BROADLOOM_OK) << call.message();
  WorkCount count;
  for (size_t i = 0; i < module.profiled()->sites.size(); ++i) {
    const Work &work = profile.site(int32_t(i)).work;
    count.multiplyAdds += work.multiplyAdds;
    count.reducedElements += work.reducedElements;
  }
  return count;
}

TEST(CountWork, isWhatTheRuntimeCounts) {
  Floats x({1, 9, 8, 6}, std::vector<float>(9 * 8 * 6, 1));
  std::string path = testing::TempDir() + "/count-work.mlir";
  for (const Case &c : kCases) {
    std::string text =
        std::string("func.func @main(%x: tensor<?x?x?x6xf32>) -> ") + c.result +
        " {\n  %z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : "
        "() -> tensor<1xf32>\n  " +
        c.body + "\n  return %r : " + c.result + "\n}\n";
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
    CompileOptions options;
    options.profile = true;
    Compiler compiler(options);
    auto module = compiler.compile(Source::file(path));
    ASSERT_TRUE(module) << c.name << ": " << compiler.diagnostics();
    WorkCount ran = runAndCount(*module, &x.tensor);
    EXPECT_EQ(ran.multiplyAdds, c.multiplyAdds) << c.name;
    EXPECT_EQ(ran.reducedElements, c.reduced) << c.name;
    auto read = compiler.countWork(Source::file(path), "main", {&x.tensor});
    ASSERT_TRUE(read) << c.name;
    EXPECT_EQ(read->multiplyAdds, c.multiplyAdds) << c.name;
    EXPECT_EQ(read->reducedElements, c.reduced) << c.name;
  }
  llvm::sys::fs::remove(path);
}

} // namespace
