//===- DeclaredResults.cpp - what declared types add to inferred ones -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/DeclaredResults.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/ShapeConversion.h"
#include "infer/functions/Origin.h"
#include "infer/functions/UserDialects.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void infer::requireDeclared(Operation *op, Outcome &outcome,
                            const ShapeFunction *function, Numbers &numbers) {
  // The location of the shape function, if a library has one.
  Location where =
      function && function->op ? function->op->getLoc() : op->getLoc();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    TensorType carried = getCarriedType(result.getType());
    Type type = carried ? Type(carried) : result.getType();
    std::optional<Shape> declared = shapeOf(type);
    ResultComponents &components = outcome.results[i];
    if (!declared)
      continue;
    auto require = [&](ConditionId condition, std::string message,
                       std::vector<Datum> data) {
      if (condition == Numbers::kTrue)
        return;
      outcome.constraints.push_back({truthOf(numbers, condition), condition,
                                     std::move(message), std::move(data),
                                     where});
    };
    auto number = [](size_t n) { return Number(static_cast<int64_t>(n)); };
    Type elementType = getElementTypeOrSelf(type);
    if (components.elementType && components.elementType != elementType)
      require(Numbers::kFalse,
              "result {0} is declared with elements of type {1} but has {2}",
              {number(i), elementType, components.elementType});
    Attribute encoding = encodingOf(type);
    // A type without a rank leaves the encoding open.
    if (encoding && components.encoding && components.encoding != encoding)
      require(Numbers::kFalse,
              "result {0} is declared with the encoding {1} but has {2}",
              {number(i), encoding, components.encoding});
    if (!declared->isRanked() || !components.shape.isRanked())
      continue;
    if (declared->rank() != components.shape.rank()) {
      require(Numbers::kFalse,
              "result {0} is declared with {1} axes but has {2}",
              {number(i), number(declared->rank()),
               number(components.shape.rank())});
      continue;
    }
    for (size_t axis = 0; axis < declared->rank(); ++axis) {
      if (!(*declared)[axis].isFixed())
        continue;
      Number is = numberOf(numbers, components.shape[axis]);
      Number should = numberOf(numbers, (*declared)[axis]);
      bool isOpen = components.isFromInference && !is.isConstant();
      if (!isOpen)
        require(equal(numbers, is, should),
                "axis {1} of result {0} is declared {2} but is {3}",
                {number(i), number(axis), should, is});
      components.shape[axis] = (*declared)[axis];
    }
  }
  for (const Constraint &constraint : outcome.constraints)
    if (constraint.truth != Truth::Proved && outcome.truth != Truth::Refuted)
      outcome.truth = constraint.truth;
}

LogicalResult infer::explainRefusal(Operation *op,
                                    const ShapeLibrary &library) {
  Symbols symbols;
  Numbers numbers(symbols);
  EvaluationOptions options;
  options.numbers = &numbers;
  std::optional<Outcome> outcome = evaluate(library, makeRequest(op), options);
  if (!outcome || outcome->error)
    return success();
  if (outcome->truth != Truth::Refuted &&
      outcome->results.size() == op->getNumResults())
    requireDeclared(op, *outcome, library.lookup(getOperationKey(op)), numbers);
  if (outcome->truth != Truth::Refuted)
    return success();
  return reportRefuted(op->getLoc(), getOrigin(op), *outcome);
}
