//===- ValueReport.cpp - shapes of values in a report ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ValueReport.h"

#include "dialect/ArgumentName.h"
#include "dialect/VariableName.h"
#include "infer/constraints/ExtentOrigins.h"
#include "infer/report/OperationNumber.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void ValueReport::addArguments() {
  for (BlockArgument argument : func.getArguments())
    add(argument, kNoOperationNumber, argument.getArgNumber());
}

void ValueReport::addResults(Operation *op) {
  int64_t number = getOperationNumber(op->getLoc());
  if (number == kNoOperationNumber ||
      (!isa<loom::MapOp>(op) &&
       !isa_and_nonnull<tosa::TosaDialect>(op->getDialect())))
    return;
  for (OpResult result : op->getResults())
    add(result, number, result.getResultNumber());
}

void ValueReport::add(Value value, int64_t number, unsigned index) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return;
  Shape shape = analysis.getInfo(value).shape;
  std::string text = isa<TensorType>(type) ? "tensor<" : "vector<";
  llvm::raw_string_ostream stream(text);
  if (shape.isRanked())
    for (Extent extent : shape) {
      Extent known = analysis.getProver().resolve(extent);
      stream << toString(known, &analysis.getSymbols()) << 'x';
      if (known.isSymbol() && !shown.count(known.symbolId()))
        shown[known.symbolId()] = describeSymbol(analysis, known.symbolId());
    }
  else
    stream << "*x";
  stream << type.getElementType() << '>';
  auto argument = dyn_cast<BlockArgument>(value);
  report.values.push_back(
      {func.getName().str(), number, index, text,
       argument ? loom::getVariableName(argument).str() : std::string(),
       argument ? loom::getArgumentName(argument).str() : std::string()});
}

void ValueReport::addSymbols() {
  for (const auto &[symbol, meaning] : shown)
    report.symbols.push_back(
        {func.getName().str(), analysis.getSymbols().name(symbol), meaning});
}
