//===- NormalizeMemory.cpp - one form of types and of atomic accesses -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/UnrankedMemory.h"
#include "legalize/memory/Vectors.h"
#include "shape/Memory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMNORMALIZEMEMORY
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// A processor has one memory, and layouts that are strides have one form.
static void normalizeTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> Type {
    type = MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
    MemRefType strided = loom::getStridedForm(type);
    return strided ? strided : type;
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> Type {
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// mem-12. A call runs in order, so that an atomic access is a load and a
/// store. They have one check. Returns the store.
static Operation *
replaceByAccesses(Operation *op, Value memory, ValueRange indices,
                  llvm::function_ref<Value(OpBuilder &, Value)> combine) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto load = memref::LoadOp::create(builder, loc, memory, indices);
  infer::takeOrigin(load, op);
  Value combined = combine(builder, load);
  auto store = memref::StoreOp::create(builder, loc, combined, memory, indices);
  infer::takeOrigin(store, op);
  store->setAttr(loom::kChecked, builder.getUnitAttr());
  op->replaceAllUsesWith(load);
  op->erase();
  return store;
}

/// Whether the order in which numbers are combined changes nothing.
static bool isAccumulation(memref::AtomicRMWOp op) {
  using Kind = arith::AtomicRMWKind;
  return op.getValue().getType().isIntOrIndex() &&
         llvm::is_contained({Kind::addi, Kind::muli, Kind::maxs, Kind::maxu,
                             Kind::mins, Kind::minu, Kind::andi, Kind::ori},
                            op.getKind());
}

static void replace(memref::AtomicRMWOp op) {
  bool isShared =
      isAccumulation(op) && loom::findSharedPlace(op.getMemRefType());
  Operation *store = replaceByAccesses(
      op, op.getMemref(), op.getIndices(), [&](OpBuilder &builder, Value old) {
        if (op.getKind() == arith::AtomicRMWKind::assign)
          return op.getValue();
        return arith::getReductionOp(op.getKind(), builder, op.getLoc(), old,
                                     op.getValue());
      });
  if (isShared)
    store->setAttr(loom::kAccumulates, UnitAttr::get(store->getContext()));
}

static void replace(memref::GenericAtomicRMWOp op) {
  replaceByAccesses(
      op, op.getMemref(), op.getIndices(), [&](OpBuilder &builder, Value old) {
        IRMapping mapping;
        Block &body = op.getAtomicBody().front();
        mapping.map(body.getArgument(0), old);
        for (Operation &inner : body.without_terminator())
          builder.clone(inner, mapping);
        return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
      });
}

static void replace(memref::MemorySpaceCastOp op) {
  op.replaceAllUsesWith(op.getSource());
  op.erase();
}

static bool choosesMemory(arith::SelectOp op) {
  return op->getNumResults() == 1 &&
         isa<MemRefType>(op->getResult(0).getType());
}

/// mem-7. Upstream's canonicalisation makes selections of such branches.
static void replace(arith::SelectOp op) {
  OpBuilder builder(op);
  auto give = [&](Value memory) {
    return [op, memory](OpBuilder &b, Location loc) {
      infer::takeOrigin(scf::YieldOp::create(b, loc, memory), op);
    };
  };
  auto chosen =
      scf::IfOp::create(builder, op.getLoc(), op.getCondition(),
                        give(op.getTrueValue()), give(op.getFalseValue()));
  infer::takeOrigin(chosen, op);
  op->replaceAllUsesWith(chosen);
  op->erase();
}

/// mem-7. What nobody has given is 0.
static void replace(ub::PoisonOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  bool isNumber =
      isa<IndexType, FloatType>(element) || element.isSignlessInteger();
  auto vector = dyn_cast<VectorType>(op.getType());
  if (!isNumber || (op.getType() != element && !vector) ||
      (vector && vector.isScalable()))
    return;
  OpBuilder builder(op);
  op.replaceAllUsesWith(
      arith::ConstantOp::create(builder, op.getLoc(),
                                builder.getZeroAttr(op.getType()))
          .getResult());
  op.erase();
}

/// Makes row-major memory, of which the old result becomes a view. What frees
/// the view frees that.
static void replaceByView(memref::AllocOp op, MemRefType type, ValueRange sizes,
                          llvm::function_ref<Value(OpBuilder &, Value)> view) {
  OpBuilder builder(op);
  auto made = memref::AllocOp::create(builder, op.getLoc(), type, sizes,
                                      op.getAlignmentAttr());
  Value result = view(builder, made);
  infer::takeOrigin(result.getDefiningOp(), op);
  for (Operation *user : llvm::to_vector(op->getUsers()))
    if (auto freed = dyn_cast<memref::DeallocOp>(user))
      freed.getMemrefMutable().assign(made);
  op.replaceAllUsesWith(result);
  op.erase();
}

/// Of memory whose layout is dimensions in another order, and whose extents are
/// open. Runs before types are changed, which tell less of the order.
static void makePermuted(memref::AllocOp op) {
  MemRefType type = op.getType();
  auto layout = dyn_cast<AffineMapAttr>(type.getLayout());
  if (!layout || layout.isIdentity() || type.hasStaticShape() ||
      !layout.getValue().isPermutation() || !op.getSymbolOperands().empty() ||
      op.getDynamicSizes().size() != size_t(type.getNumDynamicDims()))
    return;
  AffineMap map = layout.getValue();
  SmallVector<Value> given(type.getRank()), sizes;
  unsigned next = 0;
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
    given[axis] =
        type.isDynamicDim(axis) ? op.getDynamicSizes()[next++] : Value();
  SmallVector<int64_t> shape;
  for (AffineExpr result : map.getResults()) {
    unsigned axis = cast<AffineDimExpr>(result).getPosition();
    shape.push_back(type.getDimSize(axis));
    if (given[axis])
      sizes.push_back(given[axis]);
  }
  auto memory = MemRefType::get(shape, type.getElementType());
  MemRefType strided = loom::getStridedForm(MemRefType::get(
      type.getShape(), type.getElementType(), type.getLayout()));
  replaceByView(op, memory, sizes, [&](OpBuilder &builder, Value made) {
    // Axis `i` of the view is the axis of the memory that the map puts it at.
    return memref::TransposeOp::create(
               builder, op.getLoc(), strided, made,
               AffineMapAttr::get(inversePermutation(map)))
        .getResult();
  });
}

/// Of memory with an offset and strides that are numbers.
static void makeStrided(memref::AllocOp op) {
  MemRefType type = op.getType();
  SmallVector<int64_t> strides;
  int64_t offset, end = 0;
  if (type.getLayout().isIdentity() || !type.hasStaticShape() ||
      loom::findSharedPlace(type) || !op.getSymbolOperands().empty() ||
      failed(type.getStridesAndOffset(strides, offset)) || offset < 0)
    return;
  end = offset;
  for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides)) {
    int64_t way;
    if (ShapedType::isDynamic(stride) || stride < 0 ||
        __builtin_mul_overflow(std::max<int64_t>(extent - 1, 0), stride,
                               &way) ||
        __builtin_add_overflow(end, way, &end) || end >= kMaxTensorBytes)
      return;
  }
  auto memory = MemRefType::get({end + 1}, type.getElementType());
  replaceByView(op, memory, {}, [&](OpBuilder &builder, Value made) {
    return memref::ReinterpretCastOp::create(builder, op.getLoc(), type, made,
                                             offset, type.getShape(), strides)
        .getResult();
  });
}

/// The operand as one axis, which is expanded: the numbers of elements are
/// compared.
static void replace(memref::ReshapeOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getResult().getType());
  if (!from || !to || from.getRank() == 0 || to.getRank() == 0)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto named = [&](Operation *made) -> Value {
    infer::takeOrigin(made, op);
    return made->getResult(0);
  };
  SmallVector<OpFoldResult> sizes;
  for (int64_t axis : llvm::seq<int64_t>(0, to.getRank())) {
    Value at = arith::ConstantIndexOp::create(builder, loc, axis);
    Value size = named(
        memref::LoadOp::create(builder, loc, op.getShape(), ValueRange{at}));
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        size);
    sizes.push_back(size);
  }
  auto getAll = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  Type element = from.getElementType();
  Value memory = op.getSource();
  if (from.getRank() > 1)
    memory = named(memref::CollapseShapeOp::create(builder, loc, memory,
                                                   getAll(from.getRank())));
  memory = named(memref::CastOp::create(
      builder, loc, MemRefType::get({ShapedType::kDynamic}, element), memory));
  SmallVector<int64_t> open(to.getRank(), ShapedType::kDynamic);
  memory = named(memref::ExpandShapeOp::create(
      builder, loc, MemRefType::get(open, element), memory,
      getAll(to.getRank()), sizes));
  memory = named(memref::CastOp::create(builder, loc, to, memory));
  op.replaceAllUsesWith(memory);
  op.erase();
}

/// Axes of memory whose shape is a set have one extent where it is one symbol
/// (set-1). All ask for that of the first one.
static void askFirstAxis(memref::DimOp op) {
  loom::SetShapeAttr set = loom::getSetShape(op.getSource().getType());
  std::optional<int64_t> axis = op.getConstantIndex();
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!set || !axis || *axis < 0 || *axis >= type.getRank() ||
      set.getSymbolAxis(*axis) == *axis)
    return;
  OpBuilder builder(op);
  op.getIndexMutable().assign(arith::ConstantIndexOp::create(
      builder, op.getLoc(), set.getSymbolAxis(*axis)));
}

static LogicalResult replaceChoices(ModuleOp module) {
  WalkResult walked = module.walk([](arith::SelectOp op) -> WalkResult {
    if (!choosesMemory(op))
      return WalkResult::advance();
    // Nothing has verified it.
    if (failed(op->getName().verifyInvariants(op)))
      return WalkResult::interrupt();
    replace(op);
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static bool isReplaced(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp,
             memref::AtomicYieldOp, memref::ReshapeOp, memref::PrefetchOp,
             affine::AffinePrefetchOp>(op);
}

static bool isOverMemory(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp func) {
    return loom::isOverMemory(func);
  });
}

namespace {

struct LoomNormalizeMemoryPass
    : legalize::impl::LoomNormalizeMemoryBase<LoomNormalizeMemoryPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    LoomNormalizeMemoryBase::getDependentDialects(registry);
    registry.insert<scf::SCFDialect>();
  }

  LogicalResult apply(ModuleOp module) override {
    if (!isOverMemory(module))
      return success();
    // Branches may give memory of vectors.
    if (failed(replaceChoices(module)))
      return failure();
    module.walk([](memref::AllocOp op) { makePermuted(op); });
    if (failed(legalize::splitVectorElements(module)))
      return failure();
    normalizeTypes(module);
    module.walk([](memref::MemorySpaceCastOp cast) {
      if (cast.getType() == cast.getSource().getType())
        replace(cast);
    });
    legalize::seeRanks(module);
    // Nothing has verified what is replaced.
    WalkResult walked = module.walk([](Operation *op) -> WalkResult {
      if (isReplaced(op) && failed(op->getName().verifyInvariants(op)))
        return WalkResult::interrupt();
      if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
        replace(atomic);
      else if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
        replace(atomic);
      else if (auto poison = dyn_cast<ub::PoisonOp>(op);
               poison && loom::isOverMemory(op))
        replace(poison);
      else if (auto made = dyn_cast<memref::AllocOp>(op))
        makeStrided(made);
      else if (auto dim = dyn_cast<memref::DimOp>(op))
        askFirstAxis(dim);
      else if (auto reshape = dyn_cast<memref::ReshapeOp>(op))
        replace(reshape);
      else if (isa<memref::PrefetchOp, affine::AffinePrefetchOp>(op))
        op->erase();
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }
};

} // namespace
