//===- SetValues.cpp - values whose shape is a set ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/SetValues.h"

#include "legalize/sets/CheckSetTensors.h"
#include "legalize/sets/CountCheck.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static Type packType(Type type) {
  return isSetTensor(type) ? loom::getSetElements(cast<RankedTensorType>(type))
                           : type;
}

void SetValues::change(Value value) {
  if (!isSetTensor(value.getType()))
    return;
  sets[value] = {cast<RankedTensorType>(value.getType()), {}, value};
  value.setType(packType(value.getType()));
}

void SetValues::changeTypes(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      change(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          change(argument);
    if (auto func = dyn_cast<func::FuncOp>(op))
      changeSignature(func);
  });
}

void SetValues::changeSignature(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  auto pack = [](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, packType);
  };
  func.setFunctionType(FunctionType::get(
      func.getContext(), pack(type.getInputs()), pack(type.getResults())));
  if (func.isExternal() || !func.isPublic())
    return;
  for (BlockArgument argument : func.getArguments())
    if (contains(argument) && !getOpen(argument).type.hasStaticShape())
      requireCount(func, argument);
}

void SetValues::requireCount(func::FuncOp func, BlockArgument argument) {
  SetTensor tensor = get(argument);
  b.setInsertionPointAfterValue(tensor.symbols.front());
  Value given = tensor::DimOp::create(b, argument.getLoc(), argument, 0);
  CountCheck check =
      checkCount(b, argument, tensor.getSet(), given, tensor.symbols.front());
  loom::ConstrainOp::create(b, func.getLoc(), func::FuncOp::getOperationName(),
                            check.isExact, check.message, check.numbers);
}

SetTensor SetValues::get(Value value) {
  SetTensor &tensor = sets[value];
  loom::SetShapeAttr set = tensor.getSet();
  if (!tensor.symbols.empty() || set.getNumSymbols() == 0)
    return tensor;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(value);
  SetFormulas formulas(b, value.getLoc());
  if (tensor.type.hasStaticShape()) {
    for (int64_t extent : set.getSymbols(tensor.type.getShape()))
      tensor.symbols.push_back(formulas.get(extent));
    return tensor;
  }
  Value count = tensor::DimOp::create(b, value.getLoc(), value, 0);
  tensor.symbols.push_back(formulas.findSymbol(set.getPacked(), count));
  return tensor;
}

void SetValues::add(Value value, SetTensor tensor) {
  tensor.elements = value;
  sets[value] = std::move(tensor);
}
