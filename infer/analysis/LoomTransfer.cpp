//===- LoomTransfer.cpp - shapes through loom's operations ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ContractFormula.h"
#include "dialect/LoomFusedReduction.h"
#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

ShapeInfo ShapeAnalysis::getMapShape(Operation *op) {
  Value result = op->getResult(0);
  SmallVector<ShapeInfo> shapes;
  for (Value operand : op->getOperands())
    if (hasShape(operand.getType()))
      shapes.push_back(getInfo(operand));
  if (shapes.empty())
    return makeLeaf(result);
  auto declared = getDeclaredExtents(result.getType());
  ShapeInfo info = makeBroadcast(shapes, declared ? declared->size() : -1);
  // Behind a guard that fails, the types of the program hold, so that those of
  // later operations fit them.
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (type && info.shape.isRanked() && contradicts(type, info.shape))
    return makeLeaf(result);
  return info;
}

void ShapeAnalysis::setLoomShape(Value result, const Shape &shape) {
  if (contradicts(cast<RankedTensorType>(result.getType()), shape))
    setUnknown(result);
  else
    setShape(result, shape);
}

/// Along each axis, a result is the broadcast of the inputs that it depends on
/// there; where it depends on none, it has one element. bcast-2
void ShapeAnalysis::visitFusedReduction(loom::FusedReductionOp op) {
  llvm::DenseMap<Value, loom::RowDependence> dependences =
      loom::getRowDependences(op.getBodyBlock());
  std::map<SmallVector<unsigned>, Shape> known;
  auto getExtent = [&](ValueRange inputs, int64_t rank, int64_t axis) {
    SmallVector<unsigned> key;
    SmallVector<ShapeInfo> shapes;
    for (Value input : inputs) {
      shapes.push_back(getInfo(input));
      key.push_back(shapes.back().node);
    }
    auto [at, isNew] = known.try_emplace(key);
    if (isNew)
      at->second = makeBroadcast(shapes, rank).shape;
    return ShapeView(at->second).alignedTo(rank, axis);
  };
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), op.getBodyBlock().getTerminator()->getOperands())) {
    int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
    Shape shape;
    for (int64_t axis : llvm::seq(rank)) {
      SmallVector<Value> inputs =
          loom::getInputsAlong(op, dependences.lookup(value), axis);
      shape.push_back(inputs.empty() ? Extent::fixed(1)
                                     : getExtent(inputs, rank, axis));
    }
    setLoomShape(result, shape);
  }
}

namespace {
/// `Arithmetic` of ContractFormula.
struct NumberArithmetic {
  /// Nothing where constants overflow.
  using Number = std::optional<infer::Number>;

  Number get(int64_t number) { return infer::Number(number); }
  Number getExtent(Value tensor, int64_t axis) {
    return numberOf(numbers, analysis.getInfo(tensor).shape[axis]);
  }
  Number add(Number a, Number b) { return infer::add(numbers, a, b); }
  Number subtract(Number a, Number b) { return infer::subtract(numbers, a, b); }
  Number multiply(Number a, Number b) { return infer::multiply(numbers, a, b); }
  /// A guard makes the dividend at least 0.
  Number divide(Number a, Number b) {
    return a && b ? Number(infer::divide(numbers, *a, *b)) : std::nullopt;
  }

  ShapeAnalysis &analysis;
  Numbers &numbers;
};
} // namespace

void ShapeAnalysis::visitContract(loom::ContractOp op) {
  NumberArithmetic arithmetic{*this, numbers};
  loom::ContractFormula formula(op, arithmetic);
  Shape shape;
  for (int64_t axis :
       llvm::seq(cast<RankedTensorType>(op.getImage().getType()).getRank())) {
    std::optional<Number> extent = formula.getResult(axis);
    shape.push_back(extent ? extentOf(numbers, *extent) : Extent::dynamic());
  }
  for (Value result : op.getResults())
    setLoomShape(result, shape);
}

bool ShapeAnalysis::visitLoom(Operation *op) {
  if (isa<loom::MapOp, loom::BroadcastOp>(op))
    setInfo(op->getResults(), getMapShape(op));
  else if (auto fused = dyn_cast<loom::FusedReductionOp>(op))
    visitFusedReduction(fused);
  else if (auto contract = dyn_cast<loom::ContractOp>(op))
    visitContract(contract);
  else
    return false;
  return true;
}
