//===- LibraryTest.cpp - loading shape libraries --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Library.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom::infer;

namespace {

TEST(ShapeLibraryTest, sf1_everyTosaOperationHasAFunction) {
  MLIRContext context;
  ShapeLibrary library(&context);
  ASSERT_TRUE(succeeded(library.loadTosa()));
  unsigned count = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "tosa")
      continue;
    ++count;
    EXPECT_TRUE(library.lookup(name.getStringRef()))
        << name.getStringRef().str();
  }
  EXPECT_EQ(library.getOperations().size(), count);
}

} // namespace
