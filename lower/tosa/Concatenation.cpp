//===- Concatenation.cpp - tensors side by side ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream computes the extents of an operand several times. Here an operand
// begins where the one before it begins, plus the extent that this one has
// there, as a value: so `loom-place-parts` sees that they do not overlap.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct ConcatByParts : OpConversionPattern<tosa::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto isRanked = [](Value value) {
      return isa<RankedTensorType>(value.getType());
    };
    if (!llvm::all_of(adaptor.getInput1(), isRanked))
      return rewriter.notifyMatchFailure(op, "the rank of an operand is open");
    unsigned axis = op.getAxis();
    SmallVector<SmallVector<OpFoldResult>> sizes;
    SmallVector<OpFoldResult> starts = {rewriter.getIndexAttr(0)};
    for (Value input : adaptor.getInput1()) {
      sizes.push_back(tensor::getMixedSizes(rewriter, loc, input));
      starts.push_back(add(rewriter, loc, starts.back(), sizes.back()[axis]));
    }
    SmallVector<OpFoldResult> extents = sizes.front();
    extents[axis] = starts.back();
    Value whole = tensor::EmptyOp::create(rewriter, loc, extents,
                                          getElementTypeOrSelf(op.getType()));
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(extents.size(), zero),
        strides(extents.size(), one);
    for (auto [input, size, start] :
         llvm::zip_first(adaptor.getInput1(), sizes, starts)) {
      offsets[axis] = start;
      whole = tensor::InsertSliceOp::create(rewriter, loc, input, whole,
                                            offsets, size, strides);
    }
    lower::replaceWithCast(rewriter, op, op.getType(), whole);
    return success();
  }

private:
  static OpFoldResult add(OpBuilder &b, Location loc, OpFoldResult x,
                          OpFoldResult y) {
    auto first = getConstantIntValue(x), second = getConstantIntValue(y);
    if (first == 0)
      return y;
    int64_t sum;
    // Extents that do not fit are behind a guard that always fails.
    if (first && second && !llvm::AddOverflow(*first, *second, sum))
      return b.getIndexAttr(sum);
    return arith::AddIOp::create(b, loc,
                                 getValueOrCreateConstantIndexOp(b, loc, x),
                                 getValueOrCreateConstantIndexOp(b, loc, y))
        .getResult();
  }
};

} // namespace

namespace {

/// The concatenations of a block, by the operands that they begin with.
class ConcatPrefixes {
public:
  /// Replaces the operands of `op` with which the longest earlier concatenation
  /// ends by its result, and notes `op`.
  void share(tosa::ConcatOp op) {
    unsigned node = findNode(0, {op.getAxis(), Value()}), count = 0;
    Value found;
    for (auto [i, operand] : llvm::enumerate(op.getInput1())) {
      node = findNode(node, {0, operand});
      bool isPart = i > 0 && i + 1 < op->getNumOperands();
      if (isPart && results[node]) {
        found = results[node];
        count = unsigned(i) + 1;
      }
    }
    if (!results[node])
      results[node] = op.getResult();
    if (!found)
      return;
    op->eraseOperands(1, count - 1);
    op->setOperand(0, found);
  }

private:
  /// An axis, or an operand behind those of a node.
  using Step = std::pair<unsigned, Value>;

  unsigned findNode(unsigned from, Step step) {
    auto [it, isNew] = next[from].try_emplace(step, next.size());
    unsigned node = it->second;
    if (isNew) {
      next.emplace_back();
      results.emplace_back();
    }
    return node;
  }

  /// Of each node, those behind it, and the concatenation that ends there. The
  /// first node has no axis.
  std::vector<llvm::SmallDenseMap<Step, unsigned, 1>> next{1};
  SmallVector<Value> results{Value()};
};

} // namespace

void lower::shareConcatenations(ModuleOp module) {
  llvm::DenseMap<Block *, ConcatPrefixes> blocks;
  module.walk([&](tosa::ConcatOp op) { blocks[op->getBlock()].share(op); });
}

void lower::populateConcatenation(TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  // With a higher benefit than upstream's pattern.
  patterns.add<ConcatByParts>(converter, patterns.getContext(), /*benefit=*/2);
}
