//===- VerifyLoosely.cpp - upstream's verifiers, less strict --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/VerifyLoosely.h"

#include "read/structure/LooseTypes.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

/// The operand of which a slice is a part, if `op` is one; a tensor result has
/// the same type as that operand.
static OpOperand *getWhole(Operation *op) {
  unsigned index = isa<tensor::ExtractSliceOp>(op) ? 0 : 1;
  if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
           tensor::ParallelInsertSliceOp>(op) ||
      op->getNumOperands() <= index)
    return nullptr;
  return &op->getOpOperand(index);
}

/// A reshape of a static operand to a constant shape with both -1 and 0.
static bool isDividedByZero(Operation *op) {
  if (!isa<tosa::ReshapeOp>(op) || op->getNumOperands() != 2)
    return false;
  auto shape = op->getOperand(1).getDefiningOp<tosa::ConstShapeOp>();
  auto numbers =
      shape ? dyn_cast_or_null<DenseIntElementsAttr>(shape->getAttr("values"))
            : nullptr;
  if (!numbers)
    return false;
  auto has = [&](int64_t number) {
    return llvm::any_of(numbers, [&](const APInt &value) {
      return value.trySExtValue() == number;
    });
  };
  return has(-1) && has(0);
}

/// A convolution whose filter has an open number of channels: upstream then
/// uses the image's batch, or the extent of a bias that may be 1.
static bool hasOpenChannels(Operation *op) {
  if (!isTosaConvolution(op) || op->getNumOperands() < 3)
    return false;
  auto filter = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  if (!filter || filter.getRank() < 4)
    return false;
  return isa<tosa::DepthwiseConv2DOp>(op)
             ? filter.isDynamicDim(2) || filter.isDynamicDim(3)
             : filter.isDynamicDim(0);
}

bool read::isInferredWrongly(Operation *op) {
  return isDividedByZero(op) || hasOpenChannels(op);
}

bool read::comparesExtents(Operation *op) {
  return isa<linalg::TransposeOp, linalg::BroadcastOp, linalg::ReduceOp,
             linalg::MapOp>(op);
}

/// Makes all extents of the tensors and buffers of `op` dynamic if one has a
/// dynamic extent.
static void loosenUnlessStatic(Operation *op, LooseTypes &types) {
  auto isRanked = [](Type type) {
    return isa<RankedTensorType, MemRefType>(type);
  };
  if (!llvm::any_of(op->getOperandTypes(), [&](Type type) {
        return isRanked(type) && !cast<ShapedType>(type).hasStaticShape();
      }))
    return;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (isRanked(value.getType()))
        types.loosen(value, [](int64_t) { return true; });
}

/// A rescale with multipliers for a number of channels that is open: upstream
/// compares that as a number.
static bool hasOpenMultipliers(Operation *op) {
  auto rescale = dyn_cast<tosa::RescaleOp>(op);
  if (!rescale || op->getNumOperands() < 3)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  return type && type.getRank() != 0 && type.isDynamicDim(type.getRank() - 1);
}

/// Makes the channels of the bias of the convolution `op` dynamic, or, if the
/// bias is also a zero point, which must have one element, those of the result.
static void loosenBias(Operation *op, LooseTypes &types) {
  Value bias = op->getOperand(2);
  bool isZeroPoint = llvm::count(op->getOperands(), bias) != 1;
  if (!isZeroPoint || op->getNumResults() == 1)
    types.loosen(isZeroPoint ? op->getResult(0) : bias,
                 [](int64_t) { return true; });
}

static void loosen(Operation *op, LooseTypes &types) {
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect())) {
    loosenZeros(op, types);
    auto all = [](int64_t) { return true; };
    if (read::isInferredWrongly(op))
      types.loosen(op->getOperand(0), all);
    if (hasOpenChannels(op))
      loosenBias(op, types);
    if (hasOpenMultipliers(op))
      for (unsigned i : {1, 2})
        types.loosen(op->getOperand(i), all);
    // Upstream compares a dynamic extent as a number.
    if (isa<tosa::TableOp>(op) && op->getNumOperands() && op->getNumResults()) {
      types.loosen(op->getOperand(0), all);
      types.loosen(op->getResult(0), all);
    }
  } else if (isa<linalg::LinalgOp>(op)) {
    // Upstream computes the last index of an empty loop, which is less than 0.
    loosenZeros(op, types);
    if (read::comparesExtents(op))
      loosenUnlessStatic(op, types);
  } else if (OpOperand *whole = getWhole(op)) {
    auto any = [](int64_t extent) { return !ShapedType::isDynamic(extent); };
    // A tensor that is inserted into itself keeps the type of the part.
    types.loosen(*whole, any);
    if (isa<tensor::InsertSliceOp>(op) && op->getNumResults() != 0)
      types.loosen(op->getResult(0), any);
  }
  // Upstream treats the dynamic extents of a kernel as numbers.
  if (isa<tosa::TransposeConv2DOp>(op) && op->getNumOperands() > 1 &&
      op->getNumResults() == 1)
    if (auto kernel = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
        kernel && !kernel.hasStaticShape())
      types.loosen(op->getResult(0), [](int64_t) { return true; });
}

namespace {

/// Upstream puts the numbers of cases into a hash table that reserves two
/// numbers for empty and deleted entries, and reports these as repeated cases.
/// While this lives, such a switch has other numbers.
class OtherCases {
public:
  explicit OtherCases(Operation *op)
      : choice(dyn_cast<scf::IndexSwitchOp>(op)) {
    if (!choice)
      return;
    ArrayRef<int64_t> cases = choice.getCases();
    if (llvm::none_of(cases, isSpecial) || hasTwice(cases))
      return;
    auto others = llvm::to_vector(llvm::seq<int64_t>(cases.size()));
    before = choice.getCasesAttr();
    choice.setCases(others);
  }
  OtherCases(const OtherCases &) = delete;
  ~OtherCases() {
    if (before)
      choice.setCasesAttr(before);
  }

private:
  static bool isSpecial(int64_t number) {
    using Info = DenseMapInfo<int64_t>;
    return number == Info::getEmptyKey() || number == Info::getTombstoneKey();
  }
  static bool hasTwice(ArrayRef<int64_t> cases) {
    SmallVector<int64_t> sorted(cases);
    llvm::sort(sorted);
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  }

  scf::IndexSwitchOp choice;
  DenseI64ArrayAttr before;
};

} // namespace

LogicalResult read::verifyLoosely(Operation *op) {
  LooseTypes types;
  loosen(op, types);
  OtherCases cases(op);
  return op->getName().verifyInvariants(op);
}

LogicalResult read::verifyRegionsLoosely(Operation *op) {
  LooseTypes types;
  loosen(op, types);
  return op->getName().verifyRegionInvariants(op);
}

/// Reports an operand of `op` that does not dominate it.
static LogicalResult verifyDominance(Operation *op, DominanceInfo &dominance) {
  if (!dominance.isReachableFromEntry(op->getBlock()))
    return success();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!dominance.properlyDominates(operand, op))
      return op->emitOpError("operand ") << i << " does not dominate its use";
  return success();
}

/// Refined types and parts of buffers may contradict each other in code whose
/// guards always fail.
static void loosenGuarded(Operation *op, LooseTypes &types) {
  auto all = [](int64_t) { return true; };
  if (isa<tosa::ReshapeOp, memref::SubViewOp>(op))
    types.loosen(op->getOperand(0), all);
  if (isa<tosa::ConcatOp>(op))
    for (Value operand : op->getOperands())
      types.loosen(operand, all);
}

/// Whether `op` collapses axes of which one has extent 0: if others are
/// dynamic, upstream's bufferization makes a dynamic axis, but its verifier
/// requires 0.
static bool joinsNothing(Operation *op) {
  auto collapse = dyn_cast<memref::CollapseShapeOp>(op);
  return collapse && llvm::is_contained(collapse.getSrcType().getShape(), 0);
}

/// Whether `op` is a slice with a negative offset: in code whose guards always
/// fail, upstream's lowering of tosa.concat sums extents that no run has.
static bool beginsBefore(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  return slice && llvm::any_of(slice.getStaticOffsets(), [](int64_t offset) {
           return !ShapedType::isDynamic(offset) && offset < 0;
         });
}

bool read::hasComputedPadding(Operation *op) {
  auto pad = dyn_cast<tosa::PadOp>(op);
  return pad && !pad.getPadding().getDefiningOp<tosa::ConstShapeOp>();
}

LogicalResult read::verifyAllLoosely(Operation *root) {
  DominanceInfo dominance(root);
  auto check = [&](Operation *op) -> LogicalResult {
    LooseTypes types;
    loosenGuarded(op, types);
    if (!hasComputedPadding(op) && !joinsNothing(op) && !beginsBefore(op) &&
        failed(verifyLoosely(op)))
      return failure();
    if (op->getNumRegions() != 0 && failed(verifyRegionsLoosely(op)))
      return failure();
    return op == root ? success() : verifyDominance(op, dominance);
  };
  return failure(
      root->walk([&](Operation *op) -> WalkResult { return check(op); })
          .wasInterrupted());
}
