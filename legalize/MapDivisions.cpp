//===- MapDivisions.cpp - divisions of integers in maps -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel must not trap on a division, because it also divides the padding of
// strips. A division by 0 in the program must nevertheless fail a guard
// (rt-11). So a map with divisions returns a flag for each element that says
// whether a division failed, and a constraint after the map requires that none
// did.
//
//===----------------------------------------------------------------------===//

#include "legalize/MapDivisions.h"

#include "infer/functions/Origin.h"
#include "scalar/AffineExpansion.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace broadloom;

static Value makeNot(OpBuilder &builder, Location loc, Value condition) {
  return arith::XOrIOp::create(
      builder, loc, condition,
      arith::ConstantIntOp::create(builder, loc, 1, 1));
}

namespace {

/// The conditions of one element under which a division in a map's body fails.
class Flags {
public:
  /// The flag of all divisions in `block`; null if none can fail.
  Value add(Block &block) {
    Value any;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Operation *next = op.getNextNode();
      join(any, op.getNumRegions() ? addTo(&op) : getFlag(&op), next);
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

  /// Adds the flag of the regions of `op` as a further result.
  Value addTo(Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
      return addToBranches(op);
    if (isa<scf::ForOp, scf::WhileOp>(op))
      return addToLoop(op);
    return {};
  }

  /// The flag of the region that is taken.
  Value addToBranches(Operation *op) {
    SmallVector<SmallVector<Value>> flags;
    bool isEmpty = true;
    for (Region &region : op->getRegions()) {
      SmallVector<Value> &own = flags.emplace_back();
      for (Block &block : region) {
        own.push_back(add(block));
        isEmpty &= !own.back();
      }
    }
    if (isEmpty)
      return {};
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && !branch.elseBlock()) {
      OpBuilder end =
          OpBuilder::atBlockEnd(&branch.getElseRegion().emplaceBlock());
      scf::YieldOp::create(end, op->getLoc());
      flags.back().push_back({});
    }
    for (auto [region, own] : llvm::zip_equal(op->getRegions(), flags))
      passOn(region, own);
    return addResult(op, {});
  }

  /// Makes `region` yield the flags of its blocks.
  void passOn(Region &region, ArrayRef<Value> flags) {
    SmallVector<Block *> blocks =
        llvm::map_to_vector(region, [](Block &block) { return &block; });
    Block *wrong = nullptr;
    for (auto [block, flag] : llvm::zip_equal(blocks, flags)) {
      Operation *end = block->getTerminator();
      OpBuilder builder(end);
      if (!isa<BranchOpInterface>(end)) {
        end->insertOperands(end->getNumOperands(),
                            flag ? flag : makeFalse(builder, end->getLoc()));
      } else if (flag) {
        if (!wrong)
          wrong = addWrongEnd(region);
        Block *right = block->splitBlock(end);
        builder.setInsertionPointToEnd(block);
        cf::CondBranchOp::create(builder, flag.getLoc(), flag, wrong, right);
      }
    }
  }

  /// Constants of arith have signless types only.
  static Value makeZero(OpBuilder &builder, Location loc, Type type) {
    bool hasSign = type.isSignedInteger() || type.isUnsignedInteger();
    Type plain =
        hasSign ? builder.getIntegerType(type.getIntOrFloatBitWidth()) : type;
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(plain));
    return hasSign
               ? UnrealizedConversionCastOp::create(builder, loc, type, zero)
                     .getResult(0)
               : zero;
  }

  /// A block that ends `region` at once, with arbitrary values: loops between
  /// blocks might not end with a wrong value.
  static Block *addWrongEnd(Region &region) {
    Location loc = region.getLoc();
    Block *block = &region.emplaceBlock();
    OpBuilder builder = OpBuilder::atBlockBegin(block);
    SmallVector<Value> values;
    for (Type type : region.getParentOp()->getResultTypes())
      values.push_back(makeZero(builder, loc, type));
    values.push_back(arith::ConstantIntOp::create(builder, loc, 1, 1));
    scf::YieldOp::create(builder, loc, values);
    return block;
  }

  /// The flag of any iteration, which the loop carries.
  Value addToLoop(Operation *op) {
    SmallVector<Value> flags;
    for (Region &region : op->getRegions())
      flags.push_back(add(region.front()));
    if (llvm::none_of(flags, [](Value flag) { return bool(flag); }))
      return {};
    for (auto [region, flag] : llvm::zip_equal(op->getRegions(), flags)) {
      Operation *end = region.front().getTerminator();
      Value any = region.front().addArgument(
          IntegerType::get(op->getContext(), 1), op->getLoc());
      join(any, flag, end);
      end->insertOperands(end->getNumOperands(), any);
      if (auto condition = dyn_cast<scf::ConditionOp>(end))
        stop(condition, any);
    }
    OpBuilder builder(op);
    return addResult(op, makeFalse(builder, op->getLoc()));
  }

  /// Ends a loop at `flag`, because it might not end with a wrong value.
  static void stop(scf::ConditionOp condition, Value flag) {
    OpBuilder builder(condition);
    Value goesOn = arith::AndIOp::create(builder, condition.getLoc(),
                                         condition.getCondition(),
                                         makeNot(builder, flag.getLoc(), flag));
    condition.getConditionMutable().assign(goesOn);
  }

  /// Recreates `op` with a flag as an additional result, and with `start` as an
  /// additional operand if it takes one.
  static Value addResult(Operation *op, Value start) {
    OpBuilder builder(op);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(op->getOperands());
    if (start)
      state.addOperands(start);
    state.addTypes(op->getResultTypes());
    state.addTypes(builder.getI1Type());
    state.addAttributes(op->getAttrDictionary().getValue());
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    Operation *made = builder.create(state);
    op->replaceAllUsesWith(made->getResults().drop_back());
    op->erase();
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
  loom::ConstrainOp::create(builder, loc, infer::getOrigin(map),
                            makeNot(builder, loc, any), flags.getMessage(),
                            ValueRange());
  map->replaceAllUsesWith(made->getResults().drop_back());
  map->erase();
  return made;
}
