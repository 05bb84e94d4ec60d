//===- FusedReduction.cpp - one operation for several over rows -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/fuse/FusedReduction.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::MapOp;

namespace {

class FusedReductionBuilder {
public:
  FusedReductionBuilder(ArrayRef<const RowCandidate *> members, uint64_t axes)
      : members(members), axes(axes) {
    for (const RowCandidate *member : members) {
      memberSet.insert(member->op);
      memberSet.insert(member->chain.begin(), member->chain.end());
    }
  }

  void build() {
    auto body = std::make_unique<Block>();
    for (const RowCandidate *member : llvm::reverse(members))
      absorb(*body, *member);
    SmallVector<Value> replaced, yielded;
    SmallVector<Type> types;
    for (const RowCandidate *member : members)
      for (Value result : member->op->getResults())
        if (isReadOutside(result)) {
          replaced.push_back(result);
          yielded.push_back(scalars.lookup(result));
          types.push_back(isArgMax(*member) ? keepAxis(*member)
                                            : result.getType());
        }
    if (!replaced.empty())
      replace(std::move(body), replaced, types, yielded);
    // Users first.
    for (const RowCandidate *member : members) {
      if (member->chain.empty())
        member->op->erase();
      for (Operation *op : member->chain)
        op->erase();
    }
  }

private:
  /// The scalar for `value`, which is an operand if no member computes it.
  Value getScalar(Block &body, Value value) {
    Value &scalar = scalars[value];
    if (!scalar) {
      operands.push_back(value);
      scalar = body.addArgument(getElementTypeOrSelf(value.getType()),
                                value.getLoc());
    }
    return scalar;
  }

  /// Appends the computation of a member.
  void absorb(Block &body, const RowCandidate &member) {
    // The block has no parent yet to know the context from.
    OpBuilder builder(member.op->getContext());
    builder.setInsertionPointToEnd(&body);
    if (member.reduction) {
      Value value = getScalar(body, member.chain.back()->getOperand(0));
      scalars[member.op->getResult(0)] =
          buildReduce(builder, member.op->getLoc(), *member.reduction, value);
      return;
    }
    auto map = cast<MapOp>(member.op);
    Block &own = map.getBodyBlock();
    // Inputs of the candidates may have become results of other fused
    // reductions.
    for (auto [argument, operand] :
         llvm::zip_equal(own.getArguments(), map.getInputs()))
      argument.replaceAllUsesWith(getScalar(body, operand));
    auto yield = cast<loom::YieldOp>(own.getTerminator());
    for (auto [result, value] :
         llvm::zip_equal(map.getResults(), yield.getValues()))
      scalars[result] = value;
    yield.erase();
    body.getOperations().splice(body.end(), own.getOperations());
  }

  bool isReadOutside(Value result) const {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return !memberSet.contains(user);
    });
  }

  /// The type of an argmax's result with the axis that it reduces.
  static Type keepAxis(const RowCandidate &member) {
    auto type = cast<RankedTensorType>(member.op->getResult(0).getType());
    SmallVector<int64_t> extents(type.getShape());
    extents.insert(extents.begin() + member.reduction->axis, 1);
    return type.clone(extents);
  }

  /// `value` without `axis`, whose extent is 1: the axis is merged with the
  /// next one, or the last axis with the one before.
  static Value dropAxis(OpBuilder &builder, Value value, RankedTensorType type,
                        int64_t axis) {
    SmallVector<ReassociationIndices> groups(type.getRank());
    for (int64_t own = 0; type.getRank() && own <= type.getRank(); ++own)
      groups[std::min(own - (own > axis), type.getRank() - 1)].push_back(own);
    return tensor::CollapseShapeOp::create(builder, value.getLoc(), type, value,
                                           groups);
  }

  void replace(std::unique_ptr<Block> body, MutableArrayRef<Value> replaced,
               ArrayRef<Type> types, ArrayRef<Value> yielded) {
    Operation *root = members.front()->op;
    SmallVector<int64_t> list;
    for (int64_t axis = 0; axis < 64; ++axis)
      if (axes >> axis & 1)
        list.push_back(axis);
    OpBuilder builder(root);
    auto rows = loom::FusedReductionOp::create(builder, root->getLoc(), types,
                                               operands, list);
    Block *made = body.release();
    rows.getBody().push_back(made);
    for (auto [old, fused] : llvm::zip_equal(replaced, rows.getResults())) {
      auto type = cast<RankedTensorType>(old.getType());
      Value result = fused;
      if (fused.getType() != type)
        result = dropAxis(builder, fused, type, list.front());
      old.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !memberSet.contains(use.getOwner());
      });
    }
    builder.setInsertionPointToEnd(made);
    loom::YieldOp::create(builder, root->getLoc(), yielded);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*made)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  ArrayRef<const RowCandidate *> members;
  uint64_t axes;
  llvm::DenseSet<Operation *> memberSet;
  SmallVector<Value> operands;
  /// The scalar that stands for an operand or a member's result.
  llvm::DenseMap<Value, Value> scalars;
};

} // namespace

void lower::buildFusedReduction(ArrayRef<const RowCandidate *> members,
                                uint64_t axes) {
  FusedReductionBuilder(members, axes).build();
}
