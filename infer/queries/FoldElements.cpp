//===- FoldElements.cpp - what follows from known integers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/FoldElements.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The limit of elements that are computed for one operation.
static constexpr int64_t kMaxElements = 1 << 14;

using Elements = SmallVector<Attribute>;

Value infer::withoutCasts(Value value) {
  Value source = value;
  while (auto cast = source.getDefiningOp<tensor::CastOp>())
    source = cast.getSource();
  return source == value || tensor::CastOp::areCastCompatible(source.getType(),
                                                              value.getType())
             ? source
             : value;
}

Attribute infer::getIntegers(Value value) {
  Attribute constant;
  if (!matchPattern(withoutCasts(value), m_Constant(&constant)) ||
      !isa<IntegerAttr, DenseIntElementsAttr>(constant))
    return {};
  auto dense = dyn_cast<DenseIntElementsAttr>(constant);
  return dense && dense.getNumElements() > kMaxElements ? Attribute()
                                                        : constant;
}

/// Emits a failing guard before `op`, for `guard` in its body, which fails with
/// these values.
static void failBefore(Operation *op, loom::RequireOp guard,
                       ArrayRef<Attribute> values) {
  OpBuilder builder(op);
  Location loc = guard.getLoc();
  SmallVector<Value> constants;
  for (Attribute value : values)
    constants.push_back(
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value)));
  Value no =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  loom::RequireOp::create(builder, loc, no, guard.getOriginAttr(),
                          guard.getMessageAttr(), guard.getAxisAttr(),
                          constants);
}

/// Evaluates `body` with `arguments` and returns the operands of its
/// terminator; false if they are not known, or if a guard in it fails.
static bool evaluateBody(Block &body, ArrayRef<Attribute> arguments,
                         Elements &results) {
  DenseMap<Value, Attribute> known;
  for (auto [argument, value] : llvm::zip_first(body.getArguments(), arguments))
    known[argument] = value;
  auto lookUp = [&](Value value) -> Attribute {
    Attribute found = known.lookup(value);
    return found ? found : getIntegers(value);
  };
  for (Operation &op : body.without_terminator()) {
    if (auto guard = dyn_cast<loom::RequireOp>(op)) {
      auto holds = dyn_cast_or_null<BoolAttr>(lookUp(guard.getCondition()));
      SmallVector<Attribute> values =
          llvm::map_to_vector(guard.getValues(), lookUp);
      if (holds && !holds.getValue() &&
          !llvm::is_contained(values, Attribute()))
        failBefore(body.getParentOp(), guard, values);
      if (!holds || !holds.getValue())
        return false;
      continue;
    }
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      return false;
    SmallVector<Attribute> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value value) { return lookUp(value); });
    SmallVector<OpFoldResult> folded;
    // Unused values may stay unknown.
    if (failed(op.fold(operands, folded)) ||
        folded.size() != op.getNumResults())
      continue;
    for (auto [result, value] : llvm::zip_equal(op.getResults(), folded))
      known[result] = isa<Attribute>(value) ? cast<Attribute>(value)
                                            : lookUp(cast<Value>(value));
  }
  for (Value value : body.getTerminator()->getOperands()) {
    results.push_back(lookUp(value));
    if (!isa_and_nonnull<IntegerAttr>(results.back()))
      return false;
  }
  return true;
}

namespace {

/// Iterates over all indices below `extents`, the last axis fastest.
class Space {
public:
  explicit Space(ArrayRef<int64_t> extents)
      : extents(extents), index(extents.size()) {}

  /// -1 if there are too many.
  int64_t count() const {
    int64_t product = 1;
    for (int64_t extent : extents)
      if (__builtin_mul_overflow(product, extent, &product) ||
          product > kMaxElements)
        return -1;
    return product;
  }
  ArrayRef<int64_t> get() const { return index; }
  void next() {
    for (size_t axis = extents.size(); axis-- > 0;) {
      if (++index[axis] < extents[axis])
        return;
      index[axis] = 0;
    }
  }

private:
  ArrayRef<int64_t> extents;
  SmallVector<int64_t> index;
};

/// An operand, all or none of whose elements are known; a scalar has one.
struct Operand {
  explicit Operand(Attribute constant) : constant(constant) {
    if (!constant)
      return;
    if (auto dense = dyn_cast<DenseIntElementsAttr>(constant)) {
      shape = llvm::to_vector(dense.getType().getShape());
      elements = llvm::to_vector(dense.getValues<Attribute>());
    } else {
      elements = {constant};
    }
  }
  Attribute at(ArrayRef<int64_t> index) const {
    return elements[getOffset(index)];
  }
  size_t getOffset(ArrayRef<int64_t> index) const {
    int64_t offset = 0;
    for (auto [extent, i] : llvm::zip_equal(shape, index))
      offset = offset * extent + i;
    return static_cast<size_t>(offset);
  }

  Attribute constant;
  SmallVector<int64_t> shape;
  Elements elements;
};

std::optional<SmallVector<Operand>> readOperands(ValueRange values) {
  SmallVector<Operand> operands;
  for (Value value : values) {
    Attribute constant = getIntegers(value);
    if (!constant)
      return std::nullopt;
    operands.emplace_back(constant);
  }
  return operands;
}

} // namespace

/// Replaces a result of `op` by `elements`.
static void replace(Operation *op, unsigned number, ArrayRef<int64_t> shape,
                    const Elements &elements) {
  OpBuilder builder(op);
  Value result = op->getResult(number);
  auto declared = cast<TensorType>(result.getType());
  auto type = RankedTensorType::get(shape, declared.getElementType());
  // If the types contradict each other, a guard before the operation fails.
  if (!tensor::CastOp::areCastCompatible(type, declared))
    return;
  Value made = arith::ConstantOp::create(
      builder, op->getLoc(), type, DenseElementsAttr::get(type, elements));
  if (type != declared)
    made = tensor::CastOp::create(builder, op->getLoc(), declared, made);
  result.replaceAllUsesWith(made);
}

static bool areIntegers(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    return getElementTypeOrSelf(type).isSignlessIntOrIndex();
  });
}

static void fold(loom::MapOp op) {
  auto operands = readOperands(op.getInputs());
  if (!operands || !areIntegers(op.getResultTypes()))
    return;
  SmallVector<int64_t> shape;
  for (const Operand &operand : *operands) {
    SmallVector<int64_t> joined;
    if (!OpTrait::util::getBroadcastedShape(shape, operand.shape, joined))
      return;
    shape = joined;
  }
  Space space(shape);
  SmallVector<Elements> results(op->getNumResults());
  for (int64_t left = space.count(); left > 0; --left, space.next()) {
    Elements arguments, made;
    for (const Operand &operand : *operands) {
      SmallVector<int64_t> index(space.get().take_back(operand.shape.size()));
      for (auto [i, extent] : llvm::zip_equal(index, operand.shape))
        i = extent == 1 ? 0 : i;
      arguments.push_back(operand.at(index));
    }
    if (!evaluateBody(op.getBodyBlock(), arguments, made))
      return;
    for (auto [elements, element] : llvm::zip_equal(results, made))
      elements.push_back(element);
  }
  if (space.count() >= 0)
    for (auto [number, elements] : llvm::enumerate(results))
      replace(op, number, shape, elements);
}

/// The operands of a structured operation; an operand that is only written,
/// such as a `tensor.empty`, gets its shape from the others.
static std::optional<SmallVector<Operand>>
readOperands(linalg::GenericOp op, SmallVectorImpl<int64_t> &extents) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Operand> operands;
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (!map.isProjectedPermutation())
      return std::nullopt;
    Attribute constant = getIntegers(operand.get());
    bool isRead = !op.getMatchingBlockArgument(&operand).use_empty();
    if (!constant && isRead)
      return std::nullopt;
    operands.emplace_back(isRead ? constant : Attribute());
    // A given value may have another rank than the operation reads; the guard
    // of the cast between them then fails.
    if (isRead && operands.back().shape.size() != map.getNumResults())
      return std::nullopt;
    for (auto [axis, extent] : llvm::enumerate(operands.back().shape)) {
      int64_t &known = extents[map.getDimPosition(axis)];
      if (known >= 0 && known != extent)
        return std::nullopt;
      known = extent;
    }
  }
  if (llvm::is_contained(extents, -1) || Space(extents).count() < 0)
    return std::nullopt;
  for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
    if (operand.constant)
      continue;
    for (unsigned axis : llvm::seq(map.getNumResults()))
      operand.shape.push_back(extents[map.getDimPosition(axis)]);
    operand.elements.resize(Space(operand.shape).count());
  }
  return operands;
}

/// Folds an operation all of whose loops have the extents of operands' axes.
static void fold(linalg::GenericOp op) {
  SmallVector<int64_t> extents(op.getNumLoops(), -1);
  if (!op.hasPureTensorSemantics() || !areIntegers(op.getResultTypes()))
    return;
  auto operands = readOperands(op, extents);
  if (!operands)
    return;
  Space space(extents);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t numInputs = static_cast<size_t>(op.getNumDpsInputs());
  for (int64_t left = space.count(); left > 0; --left, space.next()) {
    Elements arguments, made;
    SmallVector<size_t> offsets;
    for (auto [operand, map] : llvm::zip_equal(*operands, maps)) {
      SmallVector<int64_t> index;
      for (unsigned axis : llvm::seq(map.getNumResults()))
        index.push_back(space.get()[map.getDimPosition(axis)]);
      offsets.push_back(operand.getOffset(index));
      arguments.push_back(operand.elements[offsets.back()]);
    }
    if (!evaluateBody(op.getRegion().front(), arguments, made))
      return;
    for (auto [i, element] : llvm::enumerate(made))
      (*operands)[numInputs + i].elements[offsets[numInputs + i]] = element;
  }
  for (unsigned i : llvm::seq(op->getNumResults())) {
    const Operand &result = (*operands)[numInputs + i];
    // An element that no iteration writes is unknown.
    if (!llvm::is_contained(result.elements, Attribute()))
      replace(op, i, result.shape, result.elements);
  }
}

static void fold(loom::AnyOp op) {
  auto flags =
      dyn_cast_or_null<DenseIntElementsAttr>(getIntegers(op.getFlags()));
  if (!flags)
    return;
  bool any =
      llvm::any_of(flags.getValues<bool>(), [](bool flag) { return flag; });
  OpBuilder builder(op);
  op.getResult().replaceAllUsesWith(arith::ConstantOp::create(
      builder, op.getLoc(), builder.getBoolAttr(any)));
}

/// Folds operations on scalars, and operations that read an element.
static void foldScalars(Operation *op) {
  if (!isa<tensor::ExtractOp, tensor::FromElementsOp>(op) &&
      !isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return;
  if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>() ||
      !areIntegers(op->getResultTypes()) || !isMemoryEffectFree(op))
    return;
  SmallVector<Attribute> operands = llvm::map_to_vector(
      op->getOperands(), [](Value value) { return getIntegers(value); });
  SmallVector<OpFoldResult> folded;
  if (llvm::is_contained(operands, Attribute()) ||
      failed(op->fold(operands, folded)) || folded.size() != 1)
    return;
  OpBuilder builder(op);
  auto value = dyn_cast<Attribute>(folded.front());
  auto typed = dyn_cast_or_null<TypedAttr>(value);
  if (typed && typed.getType() == op->getResult(0).getType())
    op->getResult(0).replaceAllUsesWith(
        arith::ConstantOp::create(builder, op->getLoc(), typed));
}

bool infer::foldElementsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<loom::MapOp, linalg::GenericOp, loom::AnyOp>([](auto it) {
        fold(it);
        return true;
      })
      .Default([](Operation *it) {
        foldScalars(it);
        return false;
      });
}
