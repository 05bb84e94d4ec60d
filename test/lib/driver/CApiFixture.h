//===- CApiFixture.h - a compiler of the C interface for tests --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_DRIVER_CAPIFIXTURE_H
#define BROADLOOM_TEST_LIB_DRIVER_CAPIFIXTURE_H

#include "driver/CApi.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace broadloom::test {

/// Two functions, of which one names extents and one takes any rank.
inline constexpr const char *kAdd = R"(
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

/// A compiler, and short forms of its calls.
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

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_DRIVER_CAPIFIXTURE_H
