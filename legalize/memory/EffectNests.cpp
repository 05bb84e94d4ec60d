//===- EffectNests.cpp - declared sets as loop nests ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/EffectNests.h"

#include "dialect/DeclaredEffects.h"
#include "infer/functions/Origin.h"
#include "legalize/memory/WatchEffects.h"
#include "poly/OutputBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

/// Loops that access the points of one set.
class SetNest {
public:
  SetNest(func::FuncOp func, const loom::DeclaredSet &set)
      : set(set), relation(set.access.getRelation().getRelation()),
        memory(func.getArgument(set.access.getArgument())), loc(func.getLoc()) {
  }

  void build(OpBuilder &b) {
    func::FuncOp func =
        cast<func::FuncOp>(b.getInsertionBlock()->getParentOp());
    for (loom::ScalarReference scalar : set.access.getScalars())
      scalars.push_back(
          getScalar(b, func.getArgument(scalar.argument), scalar.axis));
    for (const poly::Rows &part : relation.getParts()) {
      OpBuilder::InsertionGuard guard(b);
      buildPart(b, part);
    }
  }

private:
  Value getScalar(OpBuilder &b, Value argument, int64_t axis) {
    if (axis >= 0)
      return memref::DimOp::create(b, loc, argument, axis);
    if (argument.getType().isIndex())
      return argument;
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), argument);
  }

  /// Inputs and symbols are symbols of affine maps, loops are dimensions.
  AffineExpr getExpr(Builder &b, poly::Variable variable) {
    if (const poly::Space::Quotient *quotient =
            relation.getSpace().getQuotient(variable))
      return getExpr(b, quotient->numerator).floorDiv(quotient->divisor);
    auto it = llvm::find(looped, variable);
    if (it != looped.end())
      return b.getAffineDimExpr(it - looped.begin());
    return b.getAffineSymbolExpr(variable);
  }

  AffineExpr getExpr(Builder &b, const poly::Form &form) {
    AffineExpr sum = b.getAffineConstantExpr(form.getConstant());
    for (const poly::Form::Term &term : form.getTerms())
      sum = sum + getExpr(b, term.monomial.getFactor(0)) * term.coefficient;
    return sum;
  }

  AffineMap getMap(Builder &b, ArrayRef<AffineExpr> results) {
    return AffineMap::get(looped.size(), scalars.size(), results,
                          b.getContext());
  }

  SmallVector<Value> getOperands() {
    SmallVector<Value> operands = variables;
    llvm::append_range(operands, scalars);
    return operands;
  }

  /// Goes on inside a branch for rows that the loops so far can tell.
  void requireRows(OpBuilder &b, ArrayRef<poly::Row> rows) {
    if (rows.empty())
      return;
    SmallVector<AffineExpr> constraints;
    SmallVector<bool> isEqual;
    for (const poly::Row &row : rows) {
      constraints.push_back(getExpr(b, row.form));
      isEqual.push_back(row.isZero);
    }
    auto branch = affine::AffineIfOp::create(
        b, loc,
        IntegerSet::get(looped.size(), scalars.size(), constraints, isEqual),
        getOperands(), /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.getThenBlock());
  }

  void addLoop(OpBuilder &b, const poly::BoundedVariable &bounded) {
    SmallVector<AffineExpr> lowers, uppers;
    for (const poly::Bound &bound : bounded.lowers)
      lowers.push_back(getExpr(b, bound.form).ceilDiv(bound.divisor));
    for (const poly::Bound &bound : bounded.uppers)
      uppers.push_back(getExpr(b, bound.form).floorDiv(bound.divisor) + 1);
    auto loop =
        affine::AffineForOp::create(b, loc, getOperands(), getMap(b, lowers),
                                    getOperands(), getMap(b, uppers));
    variables.push_back(loop.getInductionVar());
    looped.push_back(bounded.variable);
    b.setInsertionPointToStart(loop.getBody());
  }

  void buildPart(OpBuilder &b, const poly::Rows &part) {
    poly::OutputBounds bounds = poly::boundOutputs(relation, part);
    looped.clear();
    variables.clear();
    poly::Rows ofScalars, ofLoops;
    for (const poly::Row &row : bounds.conditions)
      (isOfScalars(row.form, bounds) ? ofScalars : ofLoops).push_back(row);
    requireRows(b, ofScalars);
    for (const poly::BoundedVariable &bounded : bounds.variables)
      addLoop(b, bounded);
    requireRows(b, ofLoops);
    // The outputs are the first loops.
    auto type = cast<MemRefType>(memory.getType());
    ValueRange subscripts = ValueRange(variables).take_front(type.getRank());
    if (!set.kind.isWrite) {
      affine::AffineLoadOp::create(b, loc, memory, subscripts);
      return;
    }
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    auto store =
        affine::AffineStoreOp::create(b, loc, zero, memory, subscripts);
    if (set.kind.isFirst)
      store->setAttr(kInitializes, b.getUnitAttr());
  }

  bool isOfScalars(const poly::Form &form, const poly::OutputBounds &bounds) {
    return llvm::all_of(form.getTerms(), [&](const poly::Form::Term &term) {
      poly::Variable factor = term.monomial.getFactor(0);
      if (const poly::Space::Quotient *quotient =
              relation.getSpace().getQuotient(factor))
        return isOfScalars(quotient->numerator, bounds);
      return llvm::none_of(bounds.variables,
                           [&](const poly::BoundedVariable &bounded) {
                             return bounded.variable == factor;
                           });
    });
  }

  const loom::DeclaredSet &set;
  const poly::Relation relation;
  const Value memory;
  const Location loc;
  SmallVector<Value> scalars, variables;
  SmallVector<poly::Variable> looped;
};

} // namespace

void legalize::buildEffectNests(func::FuncOp func) {
  Block *entry = func.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  for (const loom::DeclaredSet &set : loom::getDeclaredSets(func))
    SetNest(func, set).build(b);
  func::ReturnOp::create(b, func.getLoc());
  func.walk([&](Operation *op) {
    if (op != func)
      infer::setOrigin(op, func.getName(), func.getLoc());
  });
}
