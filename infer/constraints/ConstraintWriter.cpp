//===- ConstraintWriter.cpp - what must hold of extents -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"

#include "infer/functions/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

ConstraintWriter::ConstraintWriter(Operation *op, ShapeValues &shapes, bool all)
    : op(op), shapes(shapes), all(all), builder(op) {
  // The operands of an operation in the terminator of a forall are defined
  // before the terminator, and guards are allowed only there.
  if (auto parallel = dyn_cast<scf::InParallelOp>(op->getParentOp()))
    builder.setInsertionPoint(parallel);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Index ConstraintWriter::get(int64_t number) const {
  return IntegerAttr::get(IndexType::get(op->getContext()), number);
}

std::optional<int64_t> ConstraintWriter::getKnown(Index index) {
  return getConstantIntValue(index);
}

/// The outermost loop around `op` in which `value` is the same; null if there
/// is none.
static Operation *findLoopWithout(Value value, Operation *op) {
  Operation *outermost = nullptr;
  for (Region *region = op->getParentRegion();
       region && region != value.getParentRegion();
       region = region->getParentRegion())
    if (isa<LoopLikeOpInterface>(region->getParentOp()))
      outermost = region->getParentOp();
  return outermost;
}

Index ConstraintWriter::getExtent(Value tensor, int64_t axis) {
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return get(type.getDimSize(axis));
  if (isa<MemRefType>(type)) {
    // LLVM cannot move it: what the loop stores may be a descriptor for it.
    OpBuilder::InsertionGuard guard(builder);
    if (Operation *loop = findLoopWithout(tensor, op))
      builder.setInsertionPoint(loop);
    return memref::DimOp::create(builder, getLoc(), tensor, axis).getResult();
  }
  return loom::ExtentOp::create(builder, getLoc(), builder.getIndexType(),
                                shapes.get(tensor, op), axis)
      .getResult();
}

Index ConstraintWriter::getRank(Value tensor) {
  if (auto type = dyn_cast<RankedTensorType>(tensor.getType()))
    return get(type.getRank());
  return loom::RankOp::create(builder, getLoc(), builder.getIndexType(),
                              shapes.get(tensor, op))
      .getResult();
}

Index ConstraintWriter::getIndex(Value value) {
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(builder, getLoc(), builder.getIndexType(),
                                    value)
      .getResult();
}

Value ConstraintWriter::materialise(Index index) {
  if (auto value = dyn_cast<Value>(index))
    return value;
  return arith::ConstantIndexOp::create(builder, getLoc(), *getKnown(index));
}

/// Folds the operation if its operands are known and the result fits; else
/// emits it. Sums and products are those of mathematical integers
/// (infer::NumberEmitter::Notation).
template <typename OpT, typename Function>
static Index compute(ConstraintWriter &writer, Index a, Index b,
                     Function function) {
  std::optional<int64_t> x = ConstraintWriter::getKnown(a),
                         y = ConstraintWriter::getKnown(b);
  if (x && y)
    if (std::optional<int64_t> result = function(*x, *y))
      return writer.get(*result);
  Value lhs = writer.materialise(a), rhs = writer.materialise(b);
  OpT op = OpT::create(writer.getBuilder(), writer.getLoc(), lhs, rhs);
  if constexpr (llvm::is_one_of<OpT, arith::AddIOp, arith::SubIOp,
                                arith::MulIOp>::value)
    op.setOverflowFlags(arith::IntegerOverflowFlags::nsw);
  return op.getResult();
}

Index ConstraintWriter::add(Index a, Index b) {
  if (getKnown(a) == 0)
    return b;
  if (getKnown(b) == 0)
    return a;
  return compute<arith::AddIOp>(
      *this, a, b, [](int64_t x, int64_t y) { return llvm::checkedAdd(x, y); });
}

Index ConstraintWriter::subtract(Index a, Index b) {
  if (getKnown(b) == 0)
    return a;
  return compute<arith::SubIOp>(
      *this, a, b, [](int64_t x, int64_t y) { return llvm::checkedSub(x, y); });
}

Index ConstraintWriter::multiply(Index a, Index b) {
  if (getKnown(a) == 1)
    return b;
  if (getKnown(b) == 1)
    return a;
  return compute<arith::MulIOp>(
      *this, a, b, [](int64_t x, int64_t y) { return llvm::checkedMul(x, y); });
}

Index ConstraintWriter::multiply(ArrayRef<Index> factors) {
  Index product = get(1);
  for (Index factor : factors)
    product = multiply(product, factor);
  return product;
}

Index ConstraintWriter::divide(Index a, Index b) {
  if (getKnown(b) == 1)
    return a;
  return compute<arith::FloorDivSIOp>(
      *this, a, b, [](int64_t x, int64_t y) -> std::optional<int64_t> {
        return y > 0 ? std::optional(llvm::divideFloorSigned(x, y))
                     : std::nullopt;
      });
}

Index ConstraintWriter::remainder(Index a, int64_t b) {
  return compute<arith::RemUIOp>(
      *this, a, get(b),
      [](int64_t x, int64_t y) -> std::optional<int64_t> { return x % y; });
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

Claim ConstraintWriter::compare(arith::CmpIPredicate predicate, Index a,
                                Index b) {
  std::optional<int64_t> x = getKnown(a), y = getKnown(b);
  if (x && y)
    return Claim(arith::applyCmpPredicate(predicate, APInt(64, *x, true),
                                          APInt(64, *y, true)));
  if (a == b)
    return Claim(predicate != arith::CmpIPredicate::slt);
  Value lhs = materialise(a), rhs = materialise(b);
  return Claim(arith::CmpIOp::create(builder, getLoc(), predicate, lhs, rhs)
                   .getResult());
}

/// A claim that is known to be `absorbing` decides the result.
template <typename OpT>
static Claim combine(ConstraintWriter &writer, Claim a, Claim b,
                     bool absorbing) {
  if (a.getKnown())
    return *a.getKnown() == absorbing ? a : b;
  if (b.getKnown())
    return *b.getKnown() == absorbing ? b : a;
  return Claim(OpT::create(writer.getBuilder(), writer.getLoc(), a.getValue(),
                           b.getValue())
                   .getResult());
}

Index ConstraintWriter::choose(Claim claim, Index a, Index b) {
  if (claim.getKnown())
    return *claim.getKnown() ? a : b;
  if (a == b)
    return a;
  return arith::SelectOp::create(builder, getLoc(), claim.getValue(),
                                 materialise(a), materialise(b))
      .getResult();
}

Claim ConstraintWriter::both(Claim a, Claim b) {
  return combine<arith::AndIOp>(*this, a, b, /*absorbing=*/false);
}

Claim ConstraintWriter::either(Claim a, Claim b) {
  return combine<arith::OrIOp>(*this, a, b, /*absorbing=*/true);
}

Claim ConstraintWriter::isNot(Claim a) {
  if (a.getKnown())
    return Claim(!*a.getKnown());
  return Claim(arith::XOrIOp::create(builder, getLoc(), a.getValue(),
                                     materialise(Claim(true)))
                   .getResult());
}

Value ConstraintWriter::materialise(Claim claim) {
  if (!claim.getKnown())
    return claim.getValue();
  return arith::ConstantIntOp::create(builder, getLoc(), *claim.getKnown(), 1);
}

void ConstraintWriter::constrain(Claim claim, const Twine &message,
                                 ArrayRef<Index> values,
                                 llvm::function_ref<MessageTail()> getTail) {
  if (claim.getKnown() == true && !all)
    return;
  SmallVector<Value> shown;
  for (Index value : values)
    shown.push_back(materialise(value));
  MessageTail tail = getTail ? getTail() : MessageTail();
  loom::ConstrainOp::create(
      builder, getLoc(), infer::getOrigin(op), materialise(claim),
      message.str(), shown,
      tail.text.empty() ? StringAttr() : builder.getStringAttr(tail.text),
      tail.values, StringAttr());
}

void ConstraintWriter::constrainResult(ShapedType declared, int64_t axis,
                                       Index is) {
  if (declared.isDynamicDim(axis))
    return;
  Index should = get(declared.getDimSize(axis));
  constrain(equal(is, should),
            "result axis " + Twine(axis) +
                " has extent {0} but is declared to have {1}",
            {is, should});
}

std::string ConstraintWriter::spellShape(size_t count, size_t first) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? "x{" : "{") + std::to_string(first + i) + "}";
  return text;
}
