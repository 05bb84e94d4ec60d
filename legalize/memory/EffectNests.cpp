//===- EffectNests.cpp - declared sets as loop nests ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/EffectNests.h"

#include "dialect/DeclaredEffects.h"
#include "infer/functions/Origin.h"
#include "legalize/memory/ScalarNames.h"
#include "legalize/memory/WatchEffects.h"
#include "poly/FormVariables.h"
#include "poly/OutputBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>

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

  LogicalResult build(OpBuilder &b) {
    func::FuncOp func =
        cast<func::FuncOp>(b.getInsertionBlock()->getParentOp());
    for (loom::ScalarReference scalar : set.access.getScalars())
      scalars.push_back(
          getScalar(b, func.getArgument(scalar.argument), scalar.axis));
    std::vector<poly::OutputBounds> bounds;
    for (const poly::Rows &part : relation.getParts())
      bounds.push_back(poly::boundOutputs(relation, part));
    if (failed(requireFits(b, func, bounds)))
      return failure();
    for (const poly::OutputBounds &part : bounds) {
      OpBuilder::InsertionGuard guard(b);
      buildPart(b, part);
    }
    return success();
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

  /// Asserts that the scalars are so small that no number of the loops wraps:
  /// the set is about mathematical integers. Fails, with an error, where there
  /// are no such scalars.
  LogicalResult requireFits(OpBuilder &b, func::FuncOp func,
                            ArrayRef<poly::OutputBounds> bounds) {
    auto allFit = [&](unsigned bits) {
      return llvm::all_of(bounds,
                          [&](const auto &part) { return fits(part, bits); });
    };
    // Loops are parallel only where what is asserted in them is read, which has
    // smaller constants than 2^61 (NestNumbers).
    unsigned bits = allFit(63) ? 63 : 60;
    while (bits > 0 && !allFit(bits))
      --bits;
    if (!allFit(bits))
      return func.emitError(loom::describe(set, func))
             << " has numbers beyond 2^62, which loops over its points cannot "
                "compute in 64 bits; use smaller constants";
    for (auto [scalar, value] :
         llvm::zip_equal(set.access.getScalars(), scalars)) {
      if (getBits(scalar) <= bits)
        continue;
      auto end = [&](int64_t number) -> Value {
        return arith::ConstantIndexOp::create(b, loc, number);
      };
      using Predicate = arith::CmpIPredicate;
      Value isAbove = arith::CmpIOp::create(b, loc, Predicate::sge, value,
                                            end(-(int64_t(1) << bits))),
            isBelow = arith::CmpIOp::create(b, loc, Predicate::slt, value,
                                            end(int64_t(1) << bits));
      cf::AssertOp::create(
          b, loc, arith::AndIOp::create(b, loc, isAbove, isBelow),
          describeScalar(func, scalar) + " is not between -2^" +
              std::to_string(bits) + " and 2^" + std::to_string(bits) +
              ", beyond which numbers of what '@" + func.getName().str() +
              "' declares do not fit 64 bits");
    }
    return success();
  }

  /// How many bits a scalar has, without its sign. Extents are limited by
  /// memory (ext-5).
  unsigned getBits(loom::ScalarReference scalar) {
    if (scalar.isExtent())
      return 56;
    Type type =
        Value(memory).getParentBlock()->getArgument(scalar.argument).getType();
    return type.isIndex() ? 63 : unsigned(type.getIntOrFloatBitWidth()) - 1;
  }

  /// Whether all numbers that the loops compute fit where scalars have at most
  /// so many bits.
  bool fits(const poly::OutputBounds &bounds, unsigned bits) {
    sizes.clear();
    for (auto [variable, scalar] : llvm::enumerate(set.access.getScalars()))
      sizes[poly::Variable(variable)] =
          std::ldexp(1.0, std::min(bits, getBits(scalar)));
    bool isGood = true;
    for (const poly::BoundedVariable &bounded : bounds.variables) {
      double size = 0;
      for (const auto *all : {&bounded.lowers, &bounded.uppers})
        for (const poly::Bound &bound : *all)
          size = std::max(size,
                          getSize(bound.divisor == 1 && all != &bounded.lowers
                                      ? bound.form + 1
                                      : bound.form,
                                  isGood));
      sizes[bounded.variable] = size;
    }
    for (const poly::Row &row : bounds.conditions)
      getSize(row.form, isGood);
    return isGood;
  }

  /// The greatest absolute value of a form, which must fit if it is computed.
  double getSize(const poly::Form &form, bool &isGood) {
    double size = std::abs(double(form.getConstant()));
    for (const poly::Form::Term &term : form.getTerms()) {
      poly::Variable factor = term.monomial.getFactor(0);
      const poly::Space::Quotient *quotient =
          relation.getSpace().getQuotient(factor);
      size += std::abs(double(term.coefficient)) *
              (quotient ? getSize(quotient->numerator, isGood)
                        : sizes.lookup(factor));
    }
    // The variable of a loop is less than the end of it.
    bool isOfLoop = poly::isVariable(form - 1) &&
                    poly::getVariable(form - 1) >= scalars.size();
    isGood &= poly::isVariable(form) || isOfLoop || size <= std::ldexp(1.0, 62);
    return size;
  }

  void buildPart(OpBuilder &b, const poly::OutputBounds &bounds) {
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
    if (set.kind.isSure)
      store->setAttr(kIsSure, b.getUnitAttr());
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
  /// The greatest absolute values of variables.
  llvm::DenseMap<poly::Variable, double> sizes;
  SmallVector<poly::Variable> looped;
};

} // namespace

LogicalResult legalize::buildEffectNests(func::FuncOp func) {
  Block *entry = func.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  for (const loom::DeclaredSet &set : loom::getDeclaredSets(func))
    if (failed(SetNest(func, set).build(b)))
      return failure();
  func::ReturnOp::create(b, func.getLoc());
  func.walk([&](Operation *op) {
    if (op != func)
      infer::setOrigin(op, func.getName(), func.getLoc());
  });
  return success();
}
