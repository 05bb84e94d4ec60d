//===- MapDivisions.cpp - divisions of integers in maps -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel divides whatever its strips are padded with, so it never traps; what
// a program divides by 0 is a failed guard all the same (rt-11). A map with
// such divisions says of each element whether one of them went wrong, and a
// constraint behind it requires that none did.
//
//===----------------------------------------------------------------------===//

#include "import/legalize/MapDivisions.h"

#include "infer/functions/Origin.h"
#include "scalar/AffineExpansion.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// What can go wrong in a map's body, as conditions on one element.
class Flags {
public:
  /// Of all divisions in `block`; null where none can go wrong.
  Value add(Block &block) {
    Value any;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto branch = dyn_cast<scf::IfOp>(op))
        join(any, addTo(branch), op.getNextNode());
      else
        join(any, getFlag(&op), op.getNextNode());
    }
    return any;
  }

  std::string getMessage() const {
    return std::string("an element is divided by 0, or the least integer by "
                       "-1") +
           (hasAffine ? ", or by less than 1 in an affine map" : "") +
           (hasBasis ? ", or has digits to a basis below 1" : "");
  }

private:
  void join(Value &any, Value flag, Operation *before) {
    if (any && flag) {
      OpBuilder builder(before);
      any = arith::OrIOp::create(builder, flag.getLoc(), any, flag);
    } else if (flag) {
      any = flag;
    }
  }

  static Value makeFalse(OpBuilder &builder, Location loc) {
    return arith::ConstantIntOp::create(builder, loc, 0, 1);
  }

  /// A branch gives what goes wrong on the side that is taken.
  Value addTo(scf::IfOp op) {
    SmallVector<Value> flags;
    bool isEmpty = true;
    for (Region &region : op->getRegions()) {
      flags.push_back(region.empty() ? Value() : add(region.front()));
      isEmpty &= !flags.back();
    }
    if (isEmpty)
      return {};
    OpBuilder builder(op);
    SmallVector<Type> types(op.getResultTypes());
    types.push_back(builder.getI1Type());
    auto made = scf::IfOp::create(builder, op.getLoc(), types,
                                  op.getCondition(), /*withElseRegion=*/true);
    for (auto [from, to, flag] :
         llvm::zip(op->getRegions(), made->getRegions(), flags)) {
      if (!from.empty())
        to.takeBody(from);
      Block &block = to.empty() ? to.emplaceBlock() : to.front();
      if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
        OpBuilder end = OpBuilder::atBlockEnd(&block);
        scf::YieldOp::create(end, op.getLoc());
      }
      Operation *yield = block.getTerminator();
      OpBuilder end(yield);
      yield->insertOperands(yield->getNumOperands(),
                            flag ? flag : makeFalse(end, op.getLoc()));
    }
    op->replaceAllUsesWith(made->getResults().drop_back());
    op.erase();
    return made->getResults().back();
  }

  /// Whether the divisor is 0, or the quotient does not fit.
  Value getFlag(Operation *op) {
    if (auto digits = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
      return getFlag(digits);
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return getFlag(apply);
    if (auto least = dyn_cast<affine::AffineMinOp>(op))
      return getFlag(least);
    if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
      return getFlag(greatest);
    if (scalar::getDivisionKind(op) == scalar::DivisionKind::None ||
        !op->getResult(0).getType().isIntOrIndex() ||
        scalar::hasSafeDivisor(op))
      return {};
    OpBuilder builder(op);
    return scalar::makeTrapCondition(builder, op);
  }

  /// Whether a number of the basis is below 1.
  Value getFlag(affine::AffineDelinearizeIndexOp op) {
    hasBasis |= !op.getDynamicBasis().empty();
    OpBuilder builder(op);
    Value any;
    for (Value base : op.getDynamicBasis())
      join(any, isBelowOne(builder, op.getLoc(), base), op);
    return any;
  }

  /// Whether an affine map divides by a number below 1.
  template <typename MapOp> Value getFlag(MapOp op) {
    OpBuilder builder(op);
    AffineMap map = op.getAffineMap();
    Value any;
    for (AffineExpr expression : map.getResults())
      scalar::forEachOpenDivision(expression, [&](AffineBinaryOpExpr part) {
        hasAffine = true;
        Value divisor =
            scalar::expandAffine(builder, op.getLoc(), part.getRHS(),
                                 map.getNumDims(), op->getOperands());
        join(any, isBelowOne(builder, op.getLoc(), divisor), op);
      });
    return any;
  }

  static Value isBelowOne(OpBuilder &builder, Location loc, Value number) {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 number, one);
  }

  bool hasBasis = false, hasAffine = false;
};

} // namespace

loom::MapOp legalize::constrainDivisions(loom::MapOp map) {
  Flags flags;
  Value flag = flags.add(map.getBodyBlock());
  if (!flag || map->getNumResults() == 0)
    return map;
  OpBuilder builder(map);
  SmallVector<Type> types(map.getResultTypes());
  auto like = cast<TensorType>(types.front());
  types.push_back(
      like.hasRank()
          ? Type(RankedTensorType::get(like.getShape(), builder.getI1Type()))
          : Type(UnrankedTensorType::get(builder.getI1Type())));
  auto made =
      loom::MapOp::create(builder, map.getLoc(), types, map.getInputs());
  infer::setOrigin(made, map);
  made.getBody().takeBody(map.getBody());
  Operation *yield = made.getBodyBlock().getTerminator();
  yield->insertOperands(yield->getNumOperands(), flag);
  Location loc = map.getLoc();
  Value any = loom::AnyOp::create(builder, loc, builder.getI1Type(),
                                  made->getResults().back());
  Value none = arith::XOrIOp::create(
      builder, loc, any, arith::ConstantIntOp::create(builder, loc, 1, 1));
  loom::ConstrainOp::create(builder, loc, infer::getOrigin(map), none,
                            flags.getMessage(), ValueRange());
  map->replaceAllUsesWith(made->getResults().drop_back());
  map->erase();
  return made;
}
