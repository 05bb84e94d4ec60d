//===- ResolveExtents.cpp - extents ahead of their tensors ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/ResolveExtents.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

class ExtentResolver {
public:
  explicit ExtentResolver(func::FuncOp func) : builder(func.getContext()) {}

  /// Resolves what `values` depend on where they are indices.
  void add(ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp();
          op && value.getType().isIndex() && seen.insert(op).second)
        work.push_back(op);
  }

  void run() {
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      auto dim = dyn_cast<tensor::DimOp>(op);
      if (dim && hasAxis(dim) && replace(dim))
        continue;
      add(op->getOperands());
    }
    eraseUnused();
  }

private:
  /// Whether the axis is known, and one of the tensor. Behind a guard that
  /// fails it may be another.
  static bool hasAxis(tensor::DimOp dim) {
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    std::optional<int64_t> axis = dim.getConstantIndex();
    return type && axis && *axis >= 0 && *axis < type.getRank();
  }

  bool replace(tensor::DimOp dim) {
    OpFoldResult extent = extentOf(dim.getSource(), *dim.getConstantIndex());
    if (!extent)
      return false;
    builder.setInsertionPointAfter(dim);
    Value value =
        getValueOrCreateConstantIndexOp(builder, dim.getLoc(), extent);
    dim.replaceAllUsesWith(value);
    ours.insert(dim);
    add(value);
    return true;
  }

  /// An extent of `tensor` that does not need `tensor`; null if it is not
  /// known.
  OpFoldResult extentOf(Value tensor, int64_t axis) {
    auto result = dyn_cast<OpResult>(tensor);
    if (!result)
      return {};
    Operation *op = result.getOwner();
    return llvm::TypeSwitch<Operation *, OpFoldResult>(op)
        .Case<tensor::EmptyOp>(
            [&](auto empty) { return empty.getMixedSizes()[axis]; })
        .Case<tensor::ExpandShapeOp>(
            [&](auto expand) { return expand.getMixedOutputShape()[axis]; })
        .Case<tensor::ExtractSliceOp>([&](auto slice) {
          return slice.getSourceType().getRank() == slice.getType().getRank()
                     ? slice.getMixedSizes()[axis]
                     : OpFoldResult();
        })
        .Case<DestinationStyleOpInterface>([&](auto destination) {
          return sizeOf(op, destination.getTiedOpOperand(result)->get(), axis);
        })
        .Case<tensor::CastOp>([&](auto cast) {
          return isa<RankedTensorType>(cast.getSource().getType())
                     ? sizeOf(op, cast.getSource(), axis)
                     : OpFoldResult();
        })
        .Case<loom::MapOp, loom::FusedReductionOp, loom::ContractOp,
              tensor::CollapseShapeOp>(
            [&](auto) { return reify(result, axis); })
        .Default(OpFoldResult());
  }

  /// An extent of an operand of `op`.
  OpFoldResult sizeOf(Operation *op, Value operand, int64_t axis) {
    builder.setInsertionPoint(op);
    return tensor::getMixedSize(builder, op->getLoc(), operand, axis);
  }

  /// All extents of the results of an operation are computed together, once, so
  /// that there are never more than a number for each operation.
  OpFoldResult reify(OpResult result, int64_t axis) {
    Operation *op = result.getOwner();
    auto [it, isNew] = reified.try_emplace(op);
    if (isNew) {
      builder.setInsertionPoint(op);
      ReifiedRankedShapedTypeDims all;
      Operation *before = op->getPrevNode();
      bool known = succeeded(
          cast<ReifyRankedShapedTypeOpInterface>(op).reifyResultShapes(builder,
                                                                       all));
      for (Operation *made = before ? before->getNextNode()
                                    : &op->getBlock()->front();
           made != op; made = made->getNextNode())
        ours.insert(made);
      if (known)
        it->second = std::move(all);
    }
    if (it->second.empty())
      return {};
    return it->second[result.getResultNumber()][axis];
  }

  void eraseUnused() {
    SmallVector<Operation *> unused(ours.begin(), ours.end());
    while (!unused.empty()) {
      Operation *op = unused.pop_back_val();
      if (!ours.contains(op) || !isOpTriviallyDead(op))
        continue;
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          unused.push_back(def);
      ours.erase(op);
      op->erase();
    }
  }

  OpBuilder builder;
  SmallVector<Operation *> work;
  llvm::DenseSet<Operation *> seen;
  llvm::DenseMap<Operation *, ReifiedRankedShapedTypeDims> reified;
  /// Operations that may have no users in the end.
  llvm::DenseSet<Operation *> ours;
};

} // namespace

void codegen::resolveExtents(func::FuncOp func) {
  ExtentResolver resolver(func);
  // The results of insertions that begin with memory without contents.
  llvm::DenseSet<Value> whole;
  func.walk([&](tensor::InsertSliceOp insert) {
    auto empty = insert.getDest().getDefiningOp<tensor::EmptyOp>();
    if (!empty && !whole.contains(insert.getDest()))
      return;
    whole.insert(insert.getResult());
    if (empty)
      resolver.add(empty.getDynamicSizes());
    resolver.add(insert.getOffsets());
    resolver.add(insert.getSizes());
  });
  resolver.run();
}
