//===- SelectFunctionsTest.cpp - part of the built-in library -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/SelectFunctions.h"
#include "infer/functions/ShapeLibraries.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom::infer;

namespace {

/// The function and all that it calls, by name.
void collect(const ShapeLibrary &library, shape::FuncOp function,
             llvm::StringMap<shape::FuncOp> &into) {
  if (!into.insert({function.getSymName(), function}).second)
    return;
  function.walk([&](Operation *op) {
    if (shape::FuncOp callee = library.getCallee(op))
      collect(library, callee, into);
  });
}

/// Each operation's part has the same functions as the whole text, on the same
/// lines, and nothing that the operation does not need.
TEST(SelectFunctionsTest, each_operation) {
  MLIRContext context;
  ShapeLibrary whole(&context);
  ASSERT_TRUE(succeeded(whole.loadTosa()));
  for (const std::string &operation : whole.getOperations()) {
    ShapeLibrary part(&context);
    llvm::StringSet<> operations = {operation};
    ASSERT_TRUE(succeeded(part.loadTosa(&operations))) << operation;
    EXPECT_EQ(part.getOperations(), std::vector<std::string>{operation});
    llvm::StringMap<shape::FuncOp> expected, found;
    collect(whole, whole.lookup(operation)->op, expected);
    collect(part, part.lookup(operation)->op, found);
    ASSERT_EQ(found.size(), expected.size()) << operation;
    for (auto &[name, function] : expected)
      EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
          function, found.lookup(name), OperationEquivalence::None))
          << operation << " " << name.str();
    size_t functions = 0;
    part.getModules().front().walk([&](shape::FuncOp) { ++functions; });
    EXPECT_EQ(functions, expected.size()) << operation;
  }
}

TEST(SelectFunctionsTest, all_and_no_operations) {
  MLIRContext context;
  ShapeLibrary whole(&context), all(&context), none(&context);
  ASSERT_TRUE(succeeded(whole.loadTosa()));
  llvm::StringSet<> operations;
  for (const std::string &operation : whole.getOperations())
    operations.insert(operation);
  ASSERT_TRUE(succeeded(all.loadTosa(&operations)));
  EXPECT_EQ(all.getOperations(), whole.getOperations());
  operations.clear();
  ASSERT_TRUE(succeeded(none.loadTosa(&operations)));
  EXPECT_TRUE(none.getOperations().empty());
}

// A pass that adds an operation later finds its function, too.
TEST(SelectFunctionsTest, a_program_that_grows) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, tosa::TosaDialect>();
  ShapeLibraries libraries;
  auto parse = [&](StringRef name) {
    std::string text = "func.func @f(%a: tensor<?xf32>) {\n %0 = \"" +
                       name.str() +
                       "\"(%a) {axis = 0 : i32} : (tensor<?xf32>) -> "
                       "tensor<*xf32>\n return\n}";
    return parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
  };
  auto first = parse("tosa.reverse"), second = parse("tosa.reduce_sum");
  ASSERT_TRUE(first && second);
  SharedLibrary library = *libraries.get(*first);
  EXPECT_TRUE(library->lookup("tosa.reverse"));
  EXPECT_FALSE(library->lookup("tosa.reduce_sum"));
  EXPECT_EQ(*libraries.get(*first), library);
  library = *libraries.get(*second);
  EXPECT_TRUE(library->lookup("tosa.reverse"));
  EXPECT_TRUE(library->lookup("tosa.reduce_sum"));
  EXPECT_EQ(*libraries.get(*first), library);
  EXPECT_TRUE((*libraries.load(&context))->lookup("tosa.conv2d"));
  EXPECT_TRUE((*libraries.get(*first))->lookup("tosa.conv2d"));
}

} // namespace
