//===- VectorElements.cpp - memory whose elements are vectors -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mem-15. Memory of vectors is memory of their elements, which has the axes of
// the vector as innermost ones.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "infer/functions/Origin.h"
#include "legalize/memory/OperationTypes.h"
#include "legalize/memory/Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral useAxes =
    "its memory has vectors as elements, which are loaded, stored, copied and "
    "viewed, but not by it; give memory the axes of the vector";
static constexpr StringLiteral useSmallElements =
    "its memory has vectors as elements that have no place for each number: of "
    "more than 1024 elements, of other types than index, integers of 1, 8, 16, "
    "32 or 64 bits and floats of 16 to 64 bits, with a scalable axis, or in a "
    "layout that is no offset and strides";

static VectorType getElement(Type type) {
  auto memory = dyn_cast<BaseMemRefType>(type);
  return memory ? dyn_cast<VectorType>(memory.getElementType()) : nullptr;
}
static bool hasVectors(Type type) { return bool(getElement(type)); }

/// The type with the axes of its elements; null where there is none.
static MemRefType split(MemRefType type) {
  VectorType vector = getElement(type);
  if (!vector || !legalize::isSmallVector(vector))
    return nullptr;
  SmallVector<int64_t> shape(type.getShape());
  llvm::append_range(shape, vector.getShape());
  MemRefLayoutAttrInterface layout;
  if (auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout())) {
    SmallVector<int64_t> strides(strided.getStrides());
    int64_t offset = strided.getOffset(), size = vector.getNumElements();
    strides.push_back(offset);
    for (int64_t &number : strides)
      if (!ShapedType::isDynamic(number) &&
          __builtin_mul_overflow(number, size, &number))
        return nullptr;
    offset = strides.pop_back_val();
    for (int64_t extent : vector.getShape())
      strides.push_back(size /= extent);
    layout = StridedLayoutAttr::get(type.getContext(), offset, strides);
  } else if (!type.getLayout().isIdentity()) {
    AffineMap map = type.getLayout().getAffineMap();
    if (map.getNumSymbols() != 0)
      return nullptr;
    SmallVector<AffineExpr> places(map.getResults());
    for (int64_t axis : llvm::seq(type.getRank(), int64_t(shape.size())))
      places.push_back(getAffineDimExpr(axis, type.getContext()));
    layout = AffineMapAttr::get(
        AffineMap::get(shape.size(), 0, places, type.getContext()));
  }
  auto made = MemRefType::get(shape, vector.getElementType(), layout,
                              type.getMemorySpace());
  // A vector is read where its numbers follow one another.
  return isa_and_nonnull<AffineMapAttr>(layout) ? loom::getStridedForm(made)
                                                : made;
}

bool legalize::hasVectorElements(Operation *op) {
  auto global = dyn_cast<memref::GlobalOp>(op);
  return mentionsType(op, hasVectors) ||
         (global && hasVectors(global.getType()));
}

/// What takes memory of any elements, or is rewritten below.
static bool takesVectors(Operation *op) {
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
    return view.getOffsets().empty() && view.getStrides().empty();
  return isa<ModuleOp, func::FuncOp, func::ReturnOp, func::CallOp, scf::ForOp,
             scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp,
             scf::IndexSwitchOp, cf::BranchOp, cf::CondBranchOp, cf::SwitchOp,
             affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp,
             affine::AffineLoadOp, affine::AffineStoreOp, vector::LoadOp,
             vector::StoreOp, vector::TypeCastOp, memref::LoadOp,
             memref::StoreOp, memref::AllocOp, memref::AllocaOp,
             memref::DeallocOp, memref::DimOp, memref::RankOp, memref::CastOp,
             memref::SubViewOp, memref::CopyOp, memref::GlobalOp,
             memref::GetGlobalOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::TransposeOp, memref::ViewOp,
             memref::AssumeAlignmentOp, memref::MemorySpaceCastOp,
             bufferization::CloneOp, bufferization::DeallocOp>(op);
}

StringRef legalize::findUnsupportedVectorElements(Operation *op) {
  if (!hasVectorElements(op))
    return {};
  if (op->hasAttr(loom::kConvention))
    return "a descriptor would have the axes of the vectors; leave the "
           "convention out, so that the address is passed";
  if (mentionsType(op, [](Type type) {
        return hasVectors(type) && loom::getSetShape(type);
      }))
    return "memory whose shape is a set has numbers as its elements; give the "
           "set the axes of the vectors";
  auto cannotSplit = [](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return hasVectors(type) && !(memory && split(memory));
  };
  auto global = dyn_cast<memref::GlobalOp>(op);
  if (mentionsType(op, cannotSplit) ||
      (global && cannotSplit(global.getType())))
    return useSmallElements;
  return takesVectors(op) ? StringRef() : StringRef(useAxes);
}

namespace {

/// Gives an operation the axes of `vector`, behind the `rank` axes that its
/// memory had.
class ElementSplitting {
public:
  ElementSplitting(Operation *op, VectorType vector, int64_t rank)
      : b(op), loc(op->getLoc()), vector(vector), rank(rank) {}

  void split(memref::LoadOp op) {
    replace(op, vector::LoadOp::create(b, loc, vector, op.getMemRef(),
                                       getIndices(op.getIndices())));
  }
  void split(memref::StoreOp op) {
    replace(op, vector::StoreOp::create(b, loc, op.getValueToStore(),
                                        op.getMemRef(),
                                        getIndices(op.getIndices())));
  }
  void split(vector::LoadOp op) {
    op.getIndicesMutable().assign(getIndices(op.getIndices()));
  }
  void split(vector::StoreOp op) {
    op.getIndicesMutable().assign(getIndices(op.getIndices()));
  }
  void split(affine::AffineLoadOp op) {
    replace(op, affine::AffineVectorLoadOp::create(
                    b, loc, vector, op.getMemRef(), getMap(op.getAffineMap()),
                    op.getMapOperands()));
  }
  void split(affine::AffineStoreOp op) {
    replace(op, affine::AffineVectorStoreOp::create(
                    b, loc, op.getValue(), op.getMemRef(),
                    getMap(op.getAffineMap()), op.getMapOperands()));
  }

  /// What has become one type is one memory.
  void split(vector::TypeCastOp op) {
    Value memory = op.getMemref();
    if (memory.getType() != op.getType()) {
      auto cast = memref::CastOp::create(b, loc, op.getType(), memory);
      infer::takeOrigin(cast, op);
      memory = cast;
    }
    op.replaceAllUsesWith(memory);
    op.erase();
  }
  void split(memref::RankOp op) {
    op.replaceAllUsesWith(Value(arith::ConstantIndexOp::create(b, loc, rank)));
    op.erase();
  }
  /// Asks memory with the axes that there were, if the axis may be another.
  void split(memref::DimOp op) {
    std::optional<int64_t> axis = op.getConstantIndex();
    if (axis && *axis >= 0 && *axis < rank)
      return;
    Value memory = op.getSource();
    auto type = cast<MemRefType>(memory.getType());
    SmallVector<OpFoldResult> sizes;
    for (int64_t i : llvm::seq(rank))
      sizes.push_back(memref::DimOp::create(b, loc, memory, i).getResult());
    sizes.append(vector.getRank(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> zeros(type.getRank(), b.getIndexAttr(0)),
        ones(type.getRank(), b.getIndexAttr(1));
    SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
    auto reduced =
        memref::SubViewOp::create(b, loc,
                                  memref::SubViewOp::inferRankReducedResultType(
                                      shape, type, zeros, sizes, ones),
                                  memory, zeros, sizes, ones);
    op.getSourceMutable().assign(reduced);
  }

  void split(memref::SubViewOp op) {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                              sizes = op.getMixedSizes(),
                              strides = op.getMixedStrides();
    offsets.append(vector.getRank(), b.getIndexAttr(0));
    strides.append(vector.getRank(), b.getIndexAttr(1));
    addShape(sizes);
    replace(op, memref::SubViewOp::create(b, loc, op.getType(), op.getSource(),
                                          offsets, sizes, strides));
  }
  void split(memref::ReinterpretCastOp op) {
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    addShape(sizes);
    // All is in the type, which has been given the axes.
    auto [strides, offset] = op.getType().getStridesAndOffset();
    replace(op,
            memref::ReinterpretCastOp::create(
                b, loc, op.getType(), op.getSource(), b.getIndexAttr(offset),
                sizes, llvm::map_to_vector(strides, [&](int64_t stride) {
                  return OpFoldResult(b.getIndexAttr(stride));
                })));
  }
  void split(memref::CollapseShapeOp op) {
    op.setReassociationAttr(getReassociation(op.getReassociationIndices()));
  }
  void split(memref::ExpandShapeOp op) {
    int64_t outer = op.getResultType().getRank() - vector.getRank();
    rank = outer;
    op.setReassociationAttr(getReassociation(op.getReassociationIndices()));
    SmallVector<int64_t> shape(op.getStaticOutputShape());
    llvm::append_range(shape, vector.getShape());
    op.setStaticOutputShape(shape);
  }
  void split(memref::TransposeOp op) {
    AffineMap map = op.getPermutation();
    SmallVector<AffineExpr> axes(map.getResults());
    for (int64_t axis : llvm::seq(rank, rank + vector.getRank()))
      axes.push_back(b.getAffineDimExpr(axis));
    op.setPermutation(
        AffineMap::get(rank + vector.getRank(), 0, axes, b.getContext()));
  }

private:
  SmallVector<Value> getIndices(ValueRange given) {
    SmallVector<Value> indices(given);
    for ([[maybe_unused]] int64_t axis : llvm::seq(vector.getRank()))
      indices.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    return indices;
  }
  AffineMap getMap(AffineMap given) {
    SmallVector<AffineExpr> results(given.getResults());
    results.append(vector.getRank(), b.getAffineConstantExpr(0));
    return AffineMap::get(given.getNumDims(), given.getNumSymbols(), results,
                          b.getContext());
  }
  void addShape(SmallVectorImpl<OpFoldResult> &sizes) {
    for (int64_t extent : vector.getShape())
      sizes.push_back(b.getIndexAttr(extent));
  }
  /// Axes of extent 1 that were joined to none are joined with the first of the
  /// vector.
  ArrayAttr getReassociation(SmallVector<ReassociationIndices, 4> groups) {
    bool isScalar = groups.empty();
    for (int64_t axis : llvm::seq(vector.getRank()))
      groups.push_back({rank + axis});
    if (isScalar && !groups.empty())
      for (int64_t axis : llvm::reverse(llvm::seq(rank)))
        groups.front().insert(groups.front().begin(), axis);
    return getReassociationIndicesAttribute(b, groups);
  }
  void replace(Operation *op, Operation *made) {
    infer::takeOrigin(made, op);
    op->replaceAllUsesWith(made->getResults());
    op->erase();
  }

  OpBuilder b;
  Location loc;
  VectorType vector;
  int64_t rank;
};

/// An operation whose memory has vectors, and what they were.
struct Split {
  Operation *op;
  VectorType vector;
  int64_t rank;
};

} // namespace

static void splitTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (MemRefType made = split(type))
      return made;
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static void splitOperation(const Split &it) {
  ElementSplitting splitting(it.op, it.vector, it.rank);
  llvm::TypeSwitch<Operation *>(it.op)
      .Case<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
            affine::AffineLoadOp, affine::AffineStoreOp, vector::TypeCastOp,
            memref::RankOp, memref::DimOp, memref::SubViewOp,
            memref::ReinterpretCastOp, memref::CollapseShapeOp,
            memref::ExpandShapeOp, memref::TransposeOp>(
          [&](auto op) { splitting.split(op); });
}

LogicalResult legalize::splitVectorElements(ModuleOp module) {
  SmallVector<Split> found;
  WalkResult walked = module.walk([&](Operation *op) -> WalkResult {
    if (!hasVectorElements(op))
      return WalkResult::advance();
    // It is refused where all operations are (UnsupportedMemory.cpp).
    if (!findUnsupportedVectorElements(op).empty())
      return WalkResult::interrupt();
    SmallVector<Type> types(op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
    const auto *memory = llvm::find_if(types, hasVectors);
    if (memory != types.end())
      found.push_back(
          {op, getElement(*memory), cast<MemRefType>(*memory).getRank()});
    return WalkResult::advance();
  });
  if (walked.wasInterrupted() || found.empty())
    return success();
  // Nothing has verified what is rewritten.
  for (const Split &it : found)
    if (it.op->getNumRegions() == 0 &&
        failed(it.op->getName().verifyInvariants(it.op)))
      return failure();
  splitTypes(module);
  for (const Split &it : found)
    splitOperation(it);
  return success();
}
