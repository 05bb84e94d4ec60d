//===- TosaShapesTest.h - TOSA's operations on static types -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture for tests of shapes/tosa.mlir: an operation on static types, what
// its function gives, and what upstream's inference does.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_FUNCTIONS_TOSASHAPESTEST_H
#define BROADLOOM_TEST_LIB_FUNCTIONS_TOSASHAPESTEST_H

#include "test/lib/functions/EvaluateTest.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace broadloom::infer {

struct Case {
  std::string arguments;
  std::string body;
  std::string result;
  /// Whether upstream's inference gives the same.
  bool upstream = true;
};

#define ZP(name)                                                               \
  "%" name " = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () "   \
  "-> tensor<1xf32>\n"
#define SHAPE(name, values, count)                                             \
  "%" name " = tosa.const_shape {values = dense<" values "> : tensor<" count   \
  "xindex>} : () -> !tosa.shape<" count ">\n"

class TosaShapesTest : public EvaluateTest {
protected:
  void check(const Case &test) {
    SCOPED_TRACE(test.body);
    Outcome outcome = evaluateText(test.arguments, test.body);
    EXPECT_EQ(tell(outcome), test.result);
    EXPECT_EQ(outcome.truth, Truth::Proved);
    for (const Constraint &constraint : outcome.constraints)
      ADD_FAILURE() << "open: " << describe(outcome, constraint);
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    if (test.upstream)
      EXPECT_EQ(inferUpstream(
                    function.getBody().front().getTerminator()->getPrevNode()),
                test.result);
  }

private:
  static std::string inferUpstream(mlir::Operation *op) {
    auto typed = llvm::dyn_cast<mlir::InferShapedTypeOpInterface>(op);
    if (!typed)
      return "no interface";
    llvm::SmallVector<mlir::ShapedTypeComponents> components;
    if (failed(typed.inferReturnTypeComponents(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), components)))
      return "failed";
    std::string text;
    for (mlir::ShapedTypeComponents &component : components) {
      text += text.empty() ? "" : ", ";
      text += component.hasRank()
                  ? toString(Shape::fromIntegers(component.getDims().data(),
                                                 component.getDims().size()))
                  : "*";
    }
    return text;
  }
};

} // namespace broadloom::infer

#endif // BROADLOOM_TEST_LIB_FUNCTIONS_TOSASHAPESTEST_H
