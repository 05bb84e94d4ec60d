//===- UnsupportedVectors.cpp - vectors that have no lanes here -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/Vectors.h"

#include "legalize/memory/OperationTypes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral useLanes =
    "of 'vector', functions over memory have accesses to memory, masks, "
    "'broadcast', 'reduction', 'multi_reduction', 'extract' and 'insert' at "
    "constant positions, 'fma', 'shape_cast', 'transpose', 'step', "
    "'from_elements' and 'to_elements'";
static constexpr StringLiteral passNumbers =
    "it passes vectors on; put them in memory, or pass numbers";
static constexpr StringLiteral useFewLanes =
    "a vector has at most 1024 elements, of type index, integers of 1, 8, 16, "
    "32 or 64 bits, or floats of 16 to 64 bits, and no scalable axis";
static constexpr StringLiteral useMinorMask =
    "its mask goes with a permutation map that is not the one of the innermost "
    "axes; leave one of them out";

static constexpr StringLiteral useMemory =
    "it reads or writes a tensor by vectors; put the tensor in memory";
static constexpr StringLiteral giveAxes =
    "its memory has fewer axes than it accesses";

static constexpr StringLiteral giveDense = "its value must be 'dense<...>'";

static constexpr int64_t kMostLanes = 1024;

static bool isSmall(VectorType type) {
  Type element = type.getElementType();
  bool isNumber =
      isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
          element) ||
      (element.isSignlessInteger() &&
       llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                          element.getIntOrFloatBitWidth()));
  return isNumber && !type.isScalable() && type.getNumElements() <= kMostLanes;
}

bool legalize::isAboutVectors(Operation *op) {
  return isa_and_nonnull<vector::VectorDialect>(op->getDialect()) ||
         hasType(op, llvm::IsaPred<VectorType>);
}

/// How many of the innermost axes of memory `op` accesses, if it is an access
/// by indices alone.
static int64_t getNumAxes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp, affine::AffineVectorLoadOp,
            affine::AffineVectorStoreOp>(
          [](auto access) { return access.getVectorType().getRank(); })
      .Case<vector::GatherOp, vector::ScatterOp>([](auto) { return 1; })
      .Default([](Operation *) { return 0; });
}

static bool lacksAxes(Operation *op) {
  int64_t needed = getNumAxes(op);
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return memory && memory.getRank() < needed;
  });
}

/// A mask has the axes of memory, in their order.
template <typename Op> static bool hasOtherMask(Op op) {
  return op.getMask() && !op.getPermutationMap().isMinorIdentity();
}

/// A position of -1 would be poison.
template <typename Op> static bool hasKnownPosition(Op op) {
  return !op.hasDynamicPosition() &&
         !llvm::is_contained(op.getStaticPosition(), -1);
}

StringRef legalize::findUnsupportedVector(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (auto vector = dyn_cast<VectorType>(type); vector && !isSmall(vector))
        return useFewLanes;
  if (hasType(op, llvm::IsaPred<TensorType>) && !isa<FunctionOpInterface>(op))
    return useMemory;
  if (lacksAxes(op))
    return giveAxes;
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return hasOtherMask(read) ? useMinorMask : StringLiteral("");
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return hasOtherMask(write) ? useMinorMask : StringLiteral("");
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return hasKnownPosition(extract) ? StringLiteral("") : useLanes;
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return hasKnownPosition(insert) ? StringLiteral("") : useLanes;
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return reduction->getParentOfType<vector::MaskOp>() ? useLanes
                                                        : StringLiteral("");
  if (isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
          vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp,
          vector::BroadcastOp, vector::ReductionOp, vector::FMAOp,
          vector::ShapeCastOp, vector::TransposeOp, vector::CreateMaskOp,
          vector::ConstantMaskOp, vector::StepOp, vector::FromElementsOp,
          vector::ToElementsOp, affine::AffineVectorLoadOp,
          affine::AffineVectorStoreOp>(op))
    return {};
  if (isa_and_nonnull<vector::VectorDialect>(op->getDialect()))
    return useLanes;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue()) ? StringLiteral("")
                                                       : giveDense;
  if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) &&
      OpTrait::hasElementwiseMappableTraits(op))
    return {};
  return passNumbers;
}
