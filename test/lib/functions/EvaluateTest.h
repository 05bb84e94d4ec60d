//===- EvaluateTest.h - operations from text, evaluated ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture for tests of shape functions: one operation, written as in a
// program, and what its function says.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_FUNCTIONS_EVALUATETEST_H
#define BROADLOOM_TEST_LIB_FUNCTIONS_EVALUATETEST_H

#include "infer/functions/Evaluate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace broadloom::infer {

/// The messages of all constraints that are not proved.
inline std::vector<std::string> getOpen(const Outcome &outcome) {
  std::vector<std::string> open;
  for (const Constraint &constraint : outcome.constraints)
    if (constraint.truth != Truth::Proved)
      open.push_back(std::string(truthName(constraint.truth)) + ": " +
                     describe(outcome, constraint));
  return open;
}

using Strings = std::vector<std::string>;

class EvaluateTest : public ::testing::Test {
protected:
  EvaluateTest() : library(&context) {
    context.loadDialect<mlir::func::FuncDialect>();
  }

  void SetUp() override { ASSERT_TRUE(succeeded(library.loadTosa())); }

  /// The last operation before the return of a function with these arguments;
  /// nothing is verified.
  mlir::Operation *parse(std::string arguments, std::string body) {
    std::string text = "func.func @f(" + arguments + ") {\n" + body +
                       "\n\"func.return\"() : () -> ()\n}\n" + outside;
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    EXPECT_TRUE(module) << text;
    if (!module)
      return nullptr;
    auto func = *module->getOps<mlir::func::FuncOp>().begin();
    return func.getBody().front().getTerminator()->getPrevNode();
  }

  Outcome evaluateText(std::string arguments, std::string body) {
    mlir::Operation *op = parse(std::move(arguments), std::move(body));
    if (!op)
      return {};
    std::optional<Outcome> outcome =
        evaluate(library, makeRequest(op), options);
    EXPECT_TRUE(outcome) << op->getName().getStringRef().str();
    return outcome ? *outcome : Outcome();
  }

  /// Result shapes, or the error, on one line.
  std::string tell(const Outcome &outcome) {
    if (outcome.error)
      return "error: " + outcome.error->message;
    if (const Constraint *refuted = outcome.getRefuted())
      return "refuted: " + describe(outcome, *refuted);
    std::string text;
    for (const ResultComponents &result : outcome.results) {
      text += text.empty() ? "" : ", ";
      text +=
          toString(result.shape,
                   options.numbers ? &options.numbers->getSymbols() : nullptr);
      if (result.value)
        text += " =";
      if (result.value)
        for (const Integer &integer : *result.value)
          text +=
              " " + (integer.getNumber() ? std::to_string(*integer.getNumber())
                                         : "?");
    }
    return text;
  }
  std::string tell(std::string arguments, std::string body) {
    return tell(evaluateText(std::move(arguments), std::move(body)));
  }

  mlir::MLIRContext context;
  ShapeLibrary library;
  EvaluationOptions options;
  /// More text behind the function.
  std::string outside;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace broadloom::infer

#endif // BROADLOOM_TEST_LIB_FUNCTIONS_EVALUATETEST_H
