//===- LooseTypes.cpp - types that say less for a while -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/LooseTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

LooseTypes::~LooseTypes() {
  for (auto [value, type] : llvm::reverse(changed))
    value.setType(type);
  for (auto [use, value] : llvm::reverse(replaced)) {
    Operation *standIn = use->get().getDefiningOp();
    use->set(value);
    standIn->destroy();
  }
}

/// The same type with other extents. A buffer keeps its strides.
static Type withExtents(ShapedType type, ArrayRef<int64_t> extents) {
  auto buffer = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!buffer || failed(buffer.getStridesAndOffset(strides, offset)))
    return type.clone(extents);
  return MemRefType::get(
      extents, buffer.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides),
      buffer.getMemorySpace());
}

void LooseTypes::loosen(Value value,
                        llvm::function_ref<bool(int64_t)> isLoose) {
  auto type = value ? dyn_cast<ShapedType>(value.getType()) : nullptr;
  if (!type || !type.hasRank() || llvm::none_of(type.getShape(), isLoose))
    return;
  SmallVector<int64_t> extents(type.getShape());
  for (int64_t &extent : extents)
    if (isLoose(extent))
      extent = ShapedType::kDynamic;
  changed.emplace_back(value, type);
  value.setType(withExtents(type, extents));
}

void LooseTypes::loosen(OpOperand &use,
                        llvm::function_ref<bool(int64_t)> isLoose) {
  OpBuilder b(use.getOwner()->getContext());
  auto standIn = UnrealizedConversionCastOp::create(
      b, use.getOwner()->getLoc(), use.get().getType(), ValueRange());
  replaced.emplace_back(&use, use.get());
  use.set(standIn.getResult(0));
  loosen(standIn.getResult(0), isLoose);
}

void read::loosenZeros(Operation *op, LooseTypes &types) {
  auto loosen = [&](ValueRange values) {
    for (Value value : values)
      types.loosen(value, [](int64_t extent) { return extent == 0; });
  };
  loosen(op->getOperands());
  loosen(op->getResults());
  // Arguments and yields of regions have the types of operands and results.
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      loosen(block.getArguments());
      if (!block.empty())
        loosen(block.back().getOperands());
    }
}
