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
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral useLanes =
    "functions over memory have the operations of 'vector' without 'print', "
    "'vscale' and those on scalable vectors";
static constexpr StringLiteral usePositions =
    "a position of -1 is no lane; give one of the vector";
static constexpr StringLiteral passNumbers =
    "it passes vectors on; put them in memory, or pass numbers";
static constexpr StringLiteral makePrivate =
    "a function that others call from outside has no vectors; make it private, "
    "or pass numbers or memory";
static constexpr StringLiteral handNoVectors =
    "a function of another library gets and gives numbers and memory";
static constexpr StringLiteral useFewProducts =
    "it has more than 16384 products; contract parts of the vectors";
static constexpr StringLiteral useOneAxis =
    "its vector has several axes, and the order of its elements in memory is "
    "not defined; use vectors of one axis";
static constexpr StringLiteral useBits =
    "its elements are of type 'index', which has no bits; cast it to 'i64'";
static constexpr StringLiteral useFewLanes =
    "a vector has at most 1024 elements, of type index, integers of 1, 8, 16, "
    "32 or 64 bits, or floats of 16 to 64 bits, and no scalable axis";
static constexpr StringLiteral useMemory =
    "it reads or writes a tensor by vectors; put the tensor in memory";
static constexpr StringLiteral giveAxes =
    "its memory has fewer axes than it accesses";

static constexpr StringLiteral giveDense = "its value must be 'dense<...>'";

static constexpr int64_t kMostLanes = 1024;
static constexpr int64_t kMostProducts = 16384;

bool legalize::isSmallVector(VectorType type) {
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
         mentionsType(op, llvm::IsaPred<VectorType>);
}

/// How many of the innermost axes of memory `op` accesses, if it is an access
/// by indices alone.
static int64_t getNumAxes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp, affine::AffineVectorLoadOp,
            affine::AffineVectorStoreOp>(
          [](auto access) { return access.getVectorType().getRank(); })
      .Case<vector::GatherOp, vector::ScatterOp, vector::ExpandLoadOp,
            vector::CompressStoreOp>([](auto) { return 1; })
      .Default([](Operation *) { return 0; });
}

static bool lacksAxes(Operation *op) {
  int64_t needed = getNumAxes(op);
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return memory && memory.getRank() < needed;
  });
}

static StringRef tellIf(bool isSo, StringRef hint) {
  return isSo ? hint : StringRef();
}

/// A position of -1 would be poison.
template <typename Op> static StringRef findInPosition(Op op) {
  return tellIf(llvm::any_of(op.getMixedPosition(),
                             [](OpFoldResult at) {
                               return isa<Attribute>(at) &&
                                      getConstantIntValue(at) == -1;
                             }),
                usePositions);
}

static bool hasManyProducts(vector::ContractionOp op) {
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  int64_t products = 1;
  for (int64_t bound : bounds)
    if (__builtin_mul_overflow(products, bound, &products))
      return true;
  return products > kMostProducts;
}

static StringRef findInOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<vector::ExtractOp, vector::InsertOp>(
          [](auto it) { return findInPosition(it); })
      .Case([](vector::ContractionOp it) {
        return tellIf(hasManyProducts(it), useFewProducts);
      })
      .Case<vector::ExpandLoadOp, vector::CompressStoreOp>([](auto it) {
        return tellIf(it.getVectorType().getRank() > 1, useOneAxis);
      })
      .Case([](vector::BitCastOp it) {
        return tellIf(it.getSourceVectorType().getElementType().isIndex() ||
                          it.getResultVectorType().getElementType().isIndex(),
                      useBits);
      })
      .Case<vector::PrintOp, vector::VectorScaleOp, vector::ScalableInsertOp,
            vector::ScalableExtractOp, vector::TypeCastOp>(
          [](auto) { return useLanes; })
      .Case([](arith::ConstantOp it) {
        return tellIf(!isa<DenseElementsAttr>(it.getValue()), giveDense);
      })
      .Case([](FunctionOpInterface it) {
        bool isAbout =
            llvm::any_of(it.getArgumentTypes(), llvm::IsaPred<VectorType>) ||
            llvm::any_of(it.getResultTypes(), llvm::IsaPred<VectorType>);
        if (it.isExternal())
          return tellIf(isAbout, handNoVectors);
        return tellIf(it.isPublic() && isAbout, makePrivate);
      })
      .Case<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
            BranchOpInterface, func::CallOp, func::ReturnOp, scf::ForOp,
            scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, scf::ParallelOp,
            scf::YieldOp, scf::ConditionOp, scf::ReduceOp, scf::ReduceReturnOp,
            affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp>(
          [](auto) { return StringRef(); })
      .Default([](Operation *it) {
        bool isKnown =
            isa_and_nonnull<vector::VectorDialect>(it->getDialect()) ||
            (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                 it->getDialect()) &&
             OpTrait::hasElementwiseMappableTraits(it));
        return tellIf(!isKnown, passNumbers);
      });
}

StringRef legalize::findUnsupportedVector(Operation *op) {
  if (mentionsType(op, [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return vector && !isSmallVector(vector);
      }))
    return useFewLanes;
  if (isa_and_nonnull<vector::VectorDialect>(op->getDialect()) &&
      mentionsType(op, llvm::IsaPred<TensorType>))
    return useMemory;
  if (lacksAxes(op))
    return giveAxes;
  return findInOperation(op);
}
