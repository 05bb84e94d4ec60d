//===- ExtentRoots.cpp - which extents are equal --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/ExtentRoots.h"

#include "dialect/MemoryViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// What is in a region comes before its operation, and operands before what
/// uses them. The walk skips no block, and an unreachable one does no harm.
ExtentRoots::ExtentRoots(func::FuncOp func) {
  func.walk([&](Operation *op) { read(op); });
}

NestSymbol ExtentRoots::find(Value memory, int64_t axis) const {
  auto it = extents.find({memory, axis});
  return it == extents.end() ? NestSymbol{memory, axis} : it->second;
}

NestSymbol ExtentRoots::find(Value number) const {
  auto it = numbers.find(number);
  return it == numbers.end() ? NestSymbol{number} : it->second;
}

bool ExtentRoots::isExtent(Value number, Operation *op) const {
  auto it = makers.find(number);
  return it != makers.end() && llvm::any_of(it->second, [&](Operation *maker) {
           Operation *ancestor = maker->getBlock()->findAncestorOpInBlock(*op);
           return ancestor && maker->isBeforeInBlock(ancestor);
         });
}

void ExtentRoots::set(Value memory, int64_t axis, NestSymbol root) {
  extents[{memory, axis}] = root;
  constexpr size_t kMostMakers = 16;
  if (root.isExtent())
    return;
  if (auto &list = makers[root.value]; list.size() < kMostMakers)
    list.push_back(memory.getDefiningOp());
}

void ExtentRoots::set(Value memory, ArrayRef<OpFoldResult> sizes) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || type.getRank() != static_cast<int64_t>(sizes.size()))
    return;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (auto value = dyn_cast<Value>(size);
        value && type.isDynamicDim(axis) && value.getType().isIndex())
      set(memory, axis, find(value));
}

/// An axis that is collapsed with others of extent 1 keeps its extent.
static std::optional<int64_t> getOpenAxis(MemRefType type,
                                          ArrayRef<int64_t> group) {
  std::optional<int64_t> open;
  for (int64_t axis : group) {
    if (type.getDimSize(axis) == 1)
      continue;
    if (open)
      return std::nullopt;
    open = axis;
  }
  return open;
}

/// Views with the axes of their source.
void ExtentRoots::readReshape(Operation *op) {
  auto source = dyn_cast<MemRefType>(op->getOperand(0).getType()),
       type = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (!source || !type)
    return;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    std::optional<int64_t> from = axis;
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
      from = getOpenAxis(source, collapse.getReassociationIndices()[axis]);
    else if (auto transpose = dyn_cast<memref::TransposeOp>(op))
      from = transpose.getPermutation().getDimPosition(axis);
    if (from && source.isDynamicDim(*from))
      set(op->getResult(0), axis, find(op->getOperand(0), *from));
  }
}

/// Both branches give memory with that extent.
void ExtentRoots::readBranch(scf::IfOp branch) {
  if (branch.getNumResults() == 0)
    return;
  for (auto [result, yes, no] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands()))
    if (auto type = dyn_cast<MemRefType>(result.getType()))
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        if (type.isDynamicDim(axis))
          if (NestSymbol root = find(yes, axis); root == find(no, axis))
            set(result, axis, root);
}

void ExtentRoots::readNumber(Operation *op) {
  Value number = op->getResult(0);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (axis && type && *axis >= 0 && *axis < type.getRank() &&
        type.isDynamicDim(*axis))
      numbers[number] = find(dim.getSource(), *axis);
    return;
  }
  if (NestSymbol root = find(op->getOperand(0));
      root == find(op->getOperand(1)))
    numbers[number] = root;
}

void ExtentRoots::read(Operation *op) {
  auto setSizes = [&](auto maker) {
    MemRefType type = maker.getType();
    ValueRange sizes;
    if constexpr (std::is_same_v<decltype(maker), memref::ViewOp>)
      sizes = maker.getSizes();
    else
      sizes = maker.getDynamicSizes();
    set(maker.getResult(),
        getMixedValues(type.getShape(), sizes, op->getContext()));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<memref::AllocOp, memref::AllocaOp, memref::ViewOp>(setSizes)
      .Case([&](memref::SubViewOp view) {
        llvm::SmallBitVector dropped = loom::getDroppedAxes(view);
        SmallVector<OpFoldResult> sizes;
        for (auto [axis, size] : llvm::enumerate(view.getMixedSizes()))
          if (!dropped.test(axis))
            sizes.push_back(size);
        set(view.getResult(), sizes);
      })
      .Case([&](memref::ReinterpretCastOp view) {
        set(view.getResult(), view.getMixedSizes());
      })
      .Case([&](memref::ExpandShapeOp view) {
        set(view.getResult(), view.getMixedOutputShape());
      })
      .Case<memref::CastOp, memref::MemorySpaceCastOp,
            memref::AssumeAlignmentOp, memref::CollapseShapeOp,
            memref::TransposeOp>([&](auto) { readReshape(op); })
      .Case([&](scf::IfOp branch) { readBranch(branch); })
      .Case<memref::DimOp, arith::MaxUIOp, arith::MaxSIOp, arith::MinUIOp,
            arith::MinSIOp, index::MaxUOp, index::MaxSOp, index::MinUOp,
            index::MinSOp>([&](auto) { readNumber(op); });
}
