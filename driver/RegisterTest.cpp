//===- RegisterTest.cpp - dialects beside those of other tools ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"

#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;

/// Two dialects of one name in a registry end the process.
TEST(Register, LeavesTheToolItsOwnDialectOfTensorFlowLite) {
  DialectRegistry registry;
  registry.insertDynamic("tfl", [](MLIRContext *, DynamicDialect *) {});
  broadloom::registerAllDialects(registry);
  MLIRContext context(registry);
  EXPECT_TRUE(isa<DynamicDialect>(context.getOrLoadDialect("tfl")));
}
