//===- UnsupportedMemory.cpp - what programs over memory lack -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/UnsupportedMemory.h"

#include "dialect/LoomBoundary.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "dialect/MemoryViews.h"
#include "infer/analysis/TensorMemory.h"
#include "legalize/memory/BoundaryReads.h"
#include "legalize/memory/MixedFunctions.h"
#include "legalize/memory/OperationTypes.h"
#include "legalize/memory/Vectors.h"
#include "shape/Memory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral useChecked =
    "nothing checks what it reads and writes; programs over memory have, of "
    "'memref', 'load', 'store', 'alloc', 'alloca', 'dealloc', 'dim', 'copy', "
    "globals, atomic accesses and views, beside 'affine', 'scf', 'cf', "
    "'linalg', 'vector', 'arith', "
    "'math', 'index' and 'func'";
static constexpr StringLiteral giveRank =
    "give its memrefs' ranks, with '?' for their extents; memory without a "
    "rank is an argument or a result of functions, and is cast";
static constexpr StringLiteral beRowMajor =
    "memory without a rank is row-major, and its operand has a layout";
static constexpr StringLiteral haveNoViews =
    "its memory has a layout that is no offset and strides; such memory is "
    "made, read, written, passed on and freed, and has no views";
static constexpr StringLiteral usePacked =
    "the shape of its memory is a set, whose elements are loaded and stored "
    "one by one; take 'loom.packed' of the memory, which is all of its "
    "elements as memory of one axis";
static constexpr StringLiteral giveElements =
    "its memory has elements of another type than index, integers of 1, 8, 16, "
    "32 or 64 bits, and floats of 8 to 64 bits";
static constexpr StringLiteral giveSize =
    "its memory has a size that no memory can hold";
static constexpr StringLiteral giveRowMajor =
    "it makes memory of a layout; leave the layout out, and take a "
    "'memref.subview' of what it makes";
static constexpr StringLiteral makePlaces =
    "it makes memory whose layout puts several elements at one place, which "
    "nothing could fill; make memory of the places, and take a view of it by "
    "'memref.reinterpret_cast'";
static constexpr StringLiteral giveAlignment =
    "memory is aligned to 64 bytes at most";
static constexpr StringLiteral giveOpenLayout =
    "its result's type tells strides or an offset that its operand's does not; "
    "write '?' for them";
static constexpr StringLiteral freeAll =
    "it frees a view; free what 'memref.alloc' gave";
static constexpr StringLiteral freeOutside =
    "it may free memory while an operation of 'linalg' works on it; write it "
    "in front of that operation or behind it";
static constexpr StringLiteral freeNoGlobal =
    "it frees memory of a 'memref.global', which lives as long as the program";
static constexpr StringLiteral returnNoScope =
    "it returns memory of 'memref.alloca', which ends with its scope; make it "
    "by 'memref.alloc'";
static constexpr StringLiteral writeNoConstant =
    "it writes to a 'memref.global' that is 'constant'";
static constexpr StringLiteral keepRank = "its operand is of another rank";
static constexpr StringLiteral giveValues =
    "its value must be 'dense<...>', 'dense_resource<...>' or "
    "'uninitialized', and its memref row-major with numbers for all extents";
static constexpr StringLiteral usePlaces =
    "nothing could check what is read and written through an address; use "
    "'memref.load' and 'memref.store'";
static constexpr StringLiteral castElements =
    "it gives memory whose elements have another type; load elements, and cast "
    "those";

/// mem-7. The operations without memory, and control flow, are checked as those
/// of programs over tensors are.
static bool isSupported(Operation *op) {
  if (isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                      index::IndexDialect>(op->getDialect()))
    return true;
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return forall.getOutputs().empty() && forall.getRank() > 0;
  return isa<ModuleOp, func::FuncOp, func::ReturnOp, func::CallOp, scf::ForOp,
             scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp,
             scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp,
             scf::IndexSwitchOp, scf::ExecuteRegionOp, scf::InParallelOp,
             cf::BranchOp, cf::CondBranchOp, cf::SwitchOp, cf::AssertOp,
             affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp,
             affine::AffineYieldOp, affine::AffineApplyOp, affine::AffineMinOp,
             affine::AffineMaxOp, affine::AffineLoadOp, affine::AffineStoreOp,
             affine::AffineLinearizeIndexOp, affine::AffineDelinearizeIndexOp,
             memref::LoadOp, memref::StoreOp, memref::AllocOp, memref::AllocaOp,
             memref::DeallocOp, memref::DimOp, memref::RankOp, memref::CastOp,
             memref::SubViewOp, memref::CopyOp, memref::GetGlobalOp,
             memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp,
             memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::TransposeOp, memref::ViewOp, memref::AssumeAlignmentOp,
             loom::PackedOp, loom::BoundaryOp, linalg::LinalgOp,
             linalg::SoftmaxOp, linalg::IndexOp, linalg::YieldOp>(op);
}

static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1, 8, 16, 32, 64}, int(integer.getWidth()));
  return isa<IndexType, Float8E4M3FNType, Float8E5M2Type, Float16Type,
             BFloat16Type, Float32Type, Float64Type>(type);
}

static bool canExistAsTold(MemRefType type) {
  SmallVector<int64_t> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(ShapedType::isDynamic(extent) ? 1 : extent);
  return canExist(extents.data(), extents.size(),
                  infer::getLeastBytes(type.getElementType()));
}

static StringRef findInType(Type type) {
  if (auto unranked = dyn_cast<UnrankedMemRefType>(type))
    return isElement(unranked.getElementType()) ? StringRef()
                                                : StringRef(giveElements);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return {};
  // Another operation of the program is refused.
  if (isa<VectorType>(memref.getElementType()))
    return {};
  if (!isElement(memref.getElementType()))
    return giveElements;
  if (StringRef hint = loom::findUnsupportedLayout(memref); !hint.empty())
    return hint;
  if (!canExistAsTold(loom::getSetShape(memref) ? loom::getPlaces(memref)
                                                : memref))
    return giveSize;
  if (loom::isTiled(memref))
    return {};
  // Compiled code adds it to indices as a number that does not wrap.
  int64_t offset = memref.getStridesAndOffset().second;
  if (!ShapedType::isDynamic(offset) && std::abs(offset) > kMaxTensorBytes)
    return giveSize;
  return {};
}

static StringRef findInTypes(TypeRange types) {
  for (Type type : types)
    if (StringRef hint = findInType(type); !hint.empty())
      return hint;
  return {};
}

static bool isUnrankedMemory(Type type) {
  return isa<UnrankedMemRefType>(type);
}

/// Where memory without a rank goes: through functions, by casts.
static StringRef findUnranked(Operation *op) {
  if (auto func = dyn_cast<func::FuncOp>(op)) {
    auto isRanked = [](Block &block) {
      return llvm::none_of(block.getArgumentTypes(), isUnrankedMemory);
    };
    return llvm::all_of(
               llvm::drop_begin(func.getBody(), func.isDeclaration() ? 0 : 1),
               isRanked)
               ? StringRef()
               : StringRef(giveRank);
  }
  if (isa<func::CallOp, func::ReturnOp, memref::RankOp, memref::DimOp>(op) ||
      !legalize::mentionsType(op, isUnrankedMemory))
    return {};
  auto cast = dyn_cast<memref::CastOp>(op);
  if (!cast)
    return giveRank;
  auto from = dyn_cast<MemRefType>(cast.getSource().getType());
  auto to = dyn_cast<MemRefType>(cast.getType());
  if (from)
    return from.getLayout().isIdentity() ? StringRef() : StringRef(beRowMajor);
  // Legalization has made casts of others that tell the rank alone.
  return to && to.getLayout().isIdentity() &&
                 int64_t(to.getNumDynamicDims()) == to.getRank()
             ? StringRef()
             : StringRef(giveRank);
}

/// Whether all that the result's type tells of the layout follows from the
/// operand's type, and from the extents, which are checked.
static bool keepsLayout(memref::CastOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getType());
  if (!from || !to)
    return true;
  if (to.getLayout().isIdentity() || loom::getSetShape(to))
    return from.getLayout() == to.getLayout();
  auto [strides, offset] = from.getStridesAndOffset();
  auto [wantedStrides, wantedOffset] = to.getStridesAndOffset();
  auto follows = [](int64_t known, int64_t wanted) {
    return ShapedType::isDynamic(wanted) || known == wanted;
  };
  return follows(offset, wantedOffset) &&
         llvm::all_of_zip(strides, wantedStrides, follows);
}

/// Whether all memory of `op` has the same set as its shape.
static bool isOfOneSet(Operation *op) {
  auto isSame = [&](Type type) {
    return loom::getSetShape(type) &&
           cast<MemRefType>(type).getLayout() ==
               cast<MemRefType>(op->getOperand(0).getType()).getLayout();
  };
  return llvm::all_of(op->getOperandTypes(), isSame) &&
         llvm::all_of(op->getResultTypes(), isSame);
}

/// What else than accesses, calls and control flow has memory of such layouts.
static StringRef findInTiles(Operation *op) {
  if (isa<loom::PackedOp>(op) ||
      (isa<memref::CopyOp, memref::CastOp>(op) && isOfOneSet(op)))
    return {};
  bool isGood =
      isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::DimOp,
          memref::LoadOp, memref::StoreOp, affine::AffineLoadOp,
          affine::AffineStoreOp, func::FuncOp, func::CallOp, func::ReturnOp>(
          op) ||
      isa_and_nonnull<scf::SCFDialect, cf::ControlFlowDialect>(
          op->getDialect()) ||
      isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp>(op);
  if (isGood || !legalize::mentionsType(op, loom::isTiled))
    return {};
  bool hasSet = legalize::mentionsType(
      op, [](Type type) { return bool(loom::getSetShape(type)); });
  return hasSet ? StringRef(usePacked) : StringRef(haveNoViews);
}

template <typename Op> static StringRef findInAllocation(Op op) {
  if (loom::findSharedPlace(op.getType()))
    return makePlaces;
  if ((!op.getType().getLayout().isIdentity() &&
       !loom::isTiled(op.getType())) ||
      !op.getSymbolOperands().empty())
    return giveRowMajor;
  return op.getAlignment().value_or(1) > 64 ? StringRef(giveAlignment)
                                            : StringRef();
}

static bool isView(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  return bool(loom::getViewed(memory.getDefiningOp()));
}

/// The global whose memory, or a view of it, `memory` is.
static memref::GlobalOp getGlobal(Value memory) {
  auto get = loom::getRoot(memory).getDefiningOp<memref::GetGlobalOp>();
  return get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                   get, get.getNameAttr())
             : nullptr;
}

static StringRef findInWrites(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) && effects &&
        effects.getEffectOnValue<MemoryEffects::Write>(operand))
      if (memref::GlobalOp global = getGlobal(operand);
          global && global.getConstant())
        return writeNoConstant;
  return {};
}

static StringRef findInGlobal(memref::GlobalOp op) {
  if (StringRef hint = findInType(op.getType()); !hint.empty())
    return hint;
  auto value = op.getInitialValueAttr();
  bool isGood =
      op.isUninitialized() ||
      isa_and_nonnull<DenseElementsAttr, DenseResourceElementsAttr>(value);
  return isGood && op.getType().hasStaticShape() &&
                 op.getType().getLayout().isIdentity()
             ? StringRef()
             : StringRef(giveValues);
}

/// Whether arithmetic gives memory. Selections of memory are branches by now
/// (NormalizeMemory.cpp), so that these are casts of all elements, whose sizes
/// may differ.
static bool castsMemory(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         index::IndexDialect>(op->getDialect()) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// Whether `op` may free memory that an operation around it works on.
static bool mayFreeInBody(Operation *op) {
  bool mayFree =
      isa<memref::DeallocOp, bufferization::DeallocOp>(op) ||
      (isa<func::CallOp>(op) &&
       llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>));
  return mayFree && op->getParentOfType<linalg::LinalgOp>();
}

StringRef legalize::findUnsupportedMemory(Operation *op) {
  if (StringRef hint = findUnsupportedVectorElements(op); !hint.empty())
    return hint;
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return findInGlobal(global);
  if (auto cast = dyn_cast<memref::CastOp>(op);
      cast && isa<MemRefType>(cast.getType()) &&
      isa<UnrankedMemRefType>(cast.getSource().getType()) &&
      loom::getRanked(cast.getSource()))
    return keepRank;
  // Our own texts of effects compare addresses, and read nothing there.
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    auto func = op->getParentOfType<func::FuncOp>();
    return func && func->hasAttr(loom::kKnownEffects) ? StringRef()
                                                      : StringRef(usePlaces);
  }
  bool hasVectors = isAboutVectors(op);
  if (hasVectors)
    if (StringRef hint = findUnsupportedVector(op); !hint.empty())
      return hint;
  if (!hasVectors && !isSupported(op) && !isBridge(op) &&
      !isOnTensorsAlone(op) && !changesSign(op))
    return useChecked;
  if (StringRef hint = findUnsupportedMix(op); !hint.empty())
    return hint;
  SmallVector<StringRef> hints = {findInTypes(op->getOperandTypes()),
                                  findInTypes(op->getResultTypes())};
  for (Region &region : op->getRegions())
    for (Block &block : region)
      hints.push_back(findInTypes(block.getArgumentTypes()));
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    hints.push_back(findInTypes(function.getArgumentTypes()));
    hints.push_back(findInTypes(function.getResultTypes()));
  }
  for (StringRef hint : hints)
    if (!hint.empty())
      return hint;
  if (StringRef hint = findUnranked(op); !hint.empty())
    return hint;
  if (StringRef hint = findInTiles(op); !hint.empty())
    return hint;
  if (castsMemory(op))
    return castElements;
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return findInAllocation(alloc);
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return findInAllocation(alloca);
  if (auto cast = dyn_cast<memref::CastOp>(op); cast && !keepsLayout(cast))
    return giveOpenLayout;
  if (auto freed = dyn_cast<memref::DeallocOp>(op)) {
    if (getGlobal(freed.getMemref()))
      return freeNoGlobal;
    if (isView(freed.getMemref()))
      return freeAll;
  }
  if (isa<func::ReturnOp>(op) &&
      llvm::any_of(op->getOperands(), [](Value operand) {
        return loom::getRoot(operand).getDefiningOp<memref::AllocaOp>();
      }))
    return returnNoScope;
  if (StringRef hint = findInWrites(op); !hint.empty())
    return hint;
  if (StringRef hint = findUnsupportedBoundary(op); !hint.empty())
    return hint;
  if (mayFreeInBody(op))
    return freeOutside;
  return {};
}
