//===- FunctionTransfer.cpp - shapes through shape functions --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/NumbersAtHand.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether the operation's requirements can be written as constraints, which
/// are then checked.
bool ShapeAnalysis::canConstrain(Operation *op, const Outcome &outcome) {
  NumbersAtHand numbers(*this, op);
  return llvm::all_of(outcome.constraints, [&](const Constraint &constraint) {
    return constraint.truth == Truth::Proved ||
           numbers.canConstrain(constraint);
  });
}

bool ShapeAnalysis::hasFunction(Operation *op) const {
  if (!library)
    return false;
  StringRef name = getOperationKey(op);
  return library->lookup(name) ||
         (mayDerive(op) && library->lookupOrDerive(name));
}

bool ShapeAnalysis::hasAddition(Operation *op) const {
  // Scalars have no shape, nor have elements in the body of an operation over
  // tensors.
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (llvm::all_of(op->getOperandTypes(), isScalar) &&
      llvm::all_of(op->getResultTypes(), isScalar))
    return false;
  return library && library->lookupAddition(getOperationKey(op));
}

std::optional<Outcome> ShapeAnalysis::evaluate(Operation *op,
                                               EvaluationOptions options) {
  if (options.isAddition ? !hasAddition(op) : !hasFunction(op))
    return std::nullopt;
  Request request = makeRequest(op);
  for (auto [operand, value] : llvm::zip(request.operands, op->getOperands())) {
    if (hasShape(value.getType()))
      operand.shape = getInfo(value).shape;
    if (operand.constant)
      continue;
    if (value.getType().isIndex() || value.getType().isSignlessInteger(64)) {
      operand.value = {scalars.getNumber(value)};
      continue;
    }
    if (std::optional<std::vector<Number>> list = scalars.getList(value)) {
      operand.value.emplace();
      for (const Number &number : *list)
        operand.value->push_back(number);
    }
  }
  options.numbers = &numbers;
  auto key = OutcomeCache::makeKey(op, request, options);
  if (key)
    if (const Outcome *known = outcomes.find(*key))
      return *known;
  size_t before = outcomes.measure();
  std::optional<Outcome> outcome = infer::evaluate(*library, request, options);
  if (!outcome)
    return outcome;
  for (const ElementNumber &element : outcome->elements)
    scalars.setElement(element.atom,
                       {op->getOperand(element.operand), element.element});
  if (key)
    outcomes.add(std::move(*key), *outcome, before);
  return outcome;
}

void ShapeAnalysis::setLists(Operation *op, const Outcome &outcome) {
  for (auto [result, components] :
       llvm::zip(op->getResults(), outcome.results)) {
    if (!components.value)
      continue;
    std::vector<Number> list;
    for (const Integer &integer : *components.value)
      list.push_back(shorten(numbers, integer.in(numbers)));
    scalars.setList(result, std::move(list));
  }
}

void ShapeAnalysis::setResults(Operation *op, const Outcome &outcome) {
  setLists(op, outcome);
  for (const DataExtent &data : outcome.dataExtents) {
    Number number = numberOf(numbers, Extent::symbol(data.symbol));
    assume(numbers, atMost(numbers, data.atLeast, number));
    if (data.atMost)
      assume(numbers, atMost(numbers, number, *data.atMost));
  }
  for (auto [result, components] : llvm::zip(op->getResults(), outcome.results))
    if (components.hasShape && hasShape(result.getType()))
      setShape(result, components.shape);
}

void ShapeAnalysis::visitFunction(Operation *op) {
  std::optional<Outcome> outcome = evaluate(op);
  if (!outcome || outcome->skipped || outcome->truth == Truth::Refuted)
    return;
  if (outcome->truth == Truth::Unknown) {
    if (!believes || !canConstrain(op, *outcome))
      return;
    for (const Constraint &constraint : outcome->constraints)
      learn(constraint.condition, {});
  }
  setResults(op, *outcome);
}
