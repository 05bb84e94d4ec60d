//===- VerifyLoosely.cpp - upstream's verifiers, less strict --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/VerifyLoosely.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Types that say less, for as long as this lives.
class LooseTypes {
public:
  LooseTypes() = default;
  LooseTypes(const LooseTypes &) = delete;
  ~LooseTypes() {
    for (auto [value, type] : llvm::reverse(changed))
      value.setType(type);
  }

  void loosen(Value value, llvm::function_ref<bool(int64_t)> isLoose) {
    auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
    if (!type || llvm::none_of(type.getShape(), isLoose))
      return;
    SmallVector<int64_t> extents(type.getShape());
    for (int64_t &extent : extents)
      if (isLoose(extent))
        extent = ShapedType::kDynamic;
    changed.emplace_back(value, type);
    value.setType(type.clone(extents));
  }

private:
  SmallVector<std::pair<Value, Type>> changed;
};

} // namespace

/// The operand that a slice is a part of, if `op` is one; its result has the
/// same type where it is a tensor.
static Value getWhole(Operation *op) {
  unsigned index = isa<tensor::ExtractSliceOp>(op) ? 0 : 1;
  if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
           tensor::ParallelInsertSliceOp>(op) ||
      op->getNumOperands() <= index)
    return nullptr;
  return op->getOperand(index);
}

static void loosenZeros(Operation *op, LooseTypes &types) {
  auto loosen = [&](ValueRange values) {
    for (Value value : values)
      types.loosen(value, [](int64_t extent) { return extent == 0; });
  };
  loosen(op->getOperands());
  loosen(op->getResults());
  // What regions take and give has the types of operands and results.
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      loosen(block.getArguments());
      if (!block.empty())
        loosen(block.back().getOperands());
    }
}

LogicalResult lower::verifyLoosely(Operation *op) {
  LooseTypes types;
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect())) {
    loosenZeros(op, types);
  } else if (Value whole = getWhole(op)) {
    auto any = [](int64_t extent) { return !ShapedType::isDynamic(extent); };
    types.loosen(whole, any);
    if (isa<tensor::InsertSliceOp>(op) && op->getNumResults() != 0)
      types.loosen(op->getResult(0), any);
  }
  return op->getName().verifyInvariants(op);
}
