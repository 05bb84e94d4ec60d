//===- RegisterTest.cpp - dialects beside those of other tools ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"
#include "driver/RunPasses.h"

#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"

#include <gtest/gtest.h>

using namespace mlir;

/// A pass that has another name here would lose its traits: an error of the
/// program would become a bug of this project.
TEST(Register, KnowsPassesByTheirNames) {
  broadloom::registerAllPasses();
  for (const broadloom::PassTraits &pass : broadloom::getKnownPasses())
    EXPECT_TRUE(PassInfo::lookup(pass.name)) << pass.name.str();
}

/// Two dialects of one name in a registry end the process.
TEST(Register, LeavesTheToolItsOwnDialectOfTensorFlowLite) {
  DialectRegistry registry;
  registry.insertDynamic("tfl", [](MLIRContext *, DynamicDialect *) {});
  broadloom::registerAllDialects(registry);
  MLIRContext context(registry);
  EXPECT_TRUE(isa<DynamicDialect>(context.getOrLoadDialect("tfl")));
}
