//===- RegisterTest.cpp - dialects beside those of other tools ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"

#include "driver/passes/KnownPasses.h"

#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

using namespace mlir;

/// The names of all registered passes, from the list that MLIR prints of them.
static std::set<std::string> listPasses() {
  testing::internal::CaptureStdout();
  printRegisteredPasses();
  llvm::outs().flush();
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::set<std::string> names;
  for (std::string line; std::getline(text, line);) {
    auto [name, rest] = llvm::StringRef(line).trim().split(' ');
    if (name.consume_front("--") && PassInfo::lookup(name))
      names.insert(name.str());
  }
  return names;
}

/// Of a pass that is not known, an error of the program would become a bug of
/// this project.
TEST(Register, KnowsAllPasses) {
  broadloom::registerAllPasses();
  std::set<std::string> known;
  for (const broadloom::KnownPass &pass : broadloom::getKnownPasses())
    EXPECT_TRUE(known.insert(pass.name.str()).second) << pass.name.str();
  EXPECT_EQ(listPasses(), known);
}

/// Two dialects of one name in a registry end the process.
TEST(Register, LeavesTheToolItsOwnDialectOfTensorFlowLite) {
  DialectRegistry registry;
  registry.insertDynamic("tfl", [](MLIRContext *, DynamicDialect *) {});
  broadloom::registerAllDialects(registry);
  MLIRContext context(registry);
  EXPECT_TRUE(isa<DynamicDialect>(context.getOrLoadDialect("tfl")));
}
