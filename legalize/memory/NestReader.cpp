//===- NestReader.cpp - loop nests as integer sets ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestReader.h"

#include "shape/Memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// No number of a nest is larger.
static const double kMostSize = std::ldexp(1.0, 61);

bool NestReader::isInFront(Value value) {
  return !nest->isAncestor(value.getParentRegion()->getParentOp());
}

double NestReader::getSize(const NestSymbol &symbol) const {
  return isLimited(symbol) ? std::ldexp(1.0, sizes.bits)
                           : double(kMaxTensorBytes); // ext-5
}

double NestReader::getSize(const poly::Form &form,
                           const poly::Space &space) const {
  double size = std::abs(double(form.getConstant()));
  for (const poly::Form::Term &term : form.getTerms()) {
    double product = std::abs(double(term.coefficient));
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
      poly::Variable factor = term.monomial.getFactor(i);
      if (const poly::Space::Quotient *quotient = space.getQuotient(factor)) {
        product *= getSize(quotient->numerator, space) + 1;
        continue;
      }
      auto it = llvm::find_if(
          symbols, [&](const auto &entry) { return entry.first == factor; });
      product *= it == symbols.end() ? kMostSize : getSize(it->second);
    }
    size += product;
  }
  return size;
}

bool NestReader::fits(const poly::Form &form, const poly::Space &space) const {
  return getSize(form, space) < kMostSize;
}

std::optional<NestReader::Bounded>
NestReader::getSymbol(const NestSymbol &symbol) {
  for (auto &[before, bounded] : known)
    if (before == symbol)
      return bounded;
  poly::Form form = domain.addSymbol("s" + std::to_string(known.size()));
  if (!form.isExact())
    return std::nullopt;
  if (symbol.isExtent())
    domain.assume(poly::isNotNegative(form));
  symbols.push_back({form.getTerms().front().monomial.getFactor(0), symbol});
  known.push_back({symbol, {form, getSize(symbol)}});
  return known.back().second;
}

std::optional<NestReader::Bounded> NestReader::getExtent(Value memory,
                                                         int64_t axis) {
  auto type = cast<MemRefType>(memory.getType());
  if (!type.isDynamicDim(axis))
    return Bounded{poly::Form(type.getDimSize(axis)),
                   double(type.getDimSize(axis))};
  return getSymbol({memory, axis});
}

std::optional<NestReader::Bounded> NestReader::get(Value value) {
  if (auto it = loops.find(value); it != loops.end())
    return it->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 61)
    return Bounded{poly::Form(constant.getSExtValue()),
                   std::abs(double(constant.getSExtValue()))};
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return get(apply.getAffineMap().getResult(0),
               apply.getAffineMap().getNumDims(), apply.getMapOperands());
  if (!isInFront(value) || !value.getType().isIndex())
    return std::nullopt;
  if (auto dim = value.getDefiningOp<memref::DimOp>())
    if (std::optional<int64_t> axis = dim.getConstantIndex())
      if (auto type = dyn_cast<MemRefType>(dim.getSource().getType());
          type && *axis >= 0 && *axis < type.getRank())
        return getExtent(dim.getSource(), *axis);
  return getSymbol({value, -1});
}

std::optional<NestReader::Bounded>
NestReader::get(AffineExpr expr, unsigned numDims, ValueRange operands) {
  auto limited = [](Bounded bounded) -> std::optional<Bounded> {
    if (!bounded.form.isExact() || bounded.size >= kMostSize)
      return std::nullopt;
    return bounded;
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return limited({poly::Form(constant.getValue()),
                    std::abs(double(constant.getValue()))});
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Bounded> a = get(binary.getLHS(), numDims, operands),
                         b = get(binary.getRHS(), numDims, operands);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return limited({a->form + b->form, a->size + b->size});
  if (expr.getKind() == AffineExprKind::Mul)
    return limited({a->form * b->form, a->size * b->size});
  if (!b->form.isConstant() || b->form.getConstant() <= 0)
    return std::nullopt;
  int64_t by = b->form.getConstant();
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return limited({domain.floorDivide(a->form, by), a->size + 1});
  case AffineExprKind::CeilDiv:
    return limited({domain.ceilDivide(a->form, by), a->size + double(by)});
  default:
    return limited({domain.remainder(a->form, by), a->size + double(by)});
  }
}

bool NestReader::addLoop(affine::AffineForOp loop) {
  double size = double(loop.getStepAsInt());
  auto readBounds = [&](AffineMap map, ValueRange operands,
                        std::vector<poly::Form> &forms) {
    for (AffineExpr expr : map.getResults()) {
      std::optional<Bounded> bound = get(expr, map.getNumDims(), operands);
      if (!bound)
        return false;
      forms.push_back(bound->form);
      size = std::max(size, bound->size + double(loop.getStepAsInt()));
    }
    return true;
  };
  std::vector<poly::Form> lowers, uppers;
  if (!readBounds(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                  lowers) ||
      !readBounds(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                  uppers) ||
      size >= kMostSize)
    return false;
  poly::Form index = domain.addLoop("i" + std::to_string(loops.size()), lowers,
                                    uppers, loop.getStepAsInt());
  loops.insert({loop.getInductionVar(), {index, size}});
  return index.isExact();
}

bool NestReader::addCondition(affine::AffineIfOp branch, bool isElse) {
  IntegerSet set = branch.getIntegerSet();
  poly::Rows rows;
  for (auto [expr, isEqual] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    std::optional<Bounded> value =
        get(expr, set.getNumDims(), branch->getOperands());
    if (!value)
      return false;
    rows.push_back({value->form, isEqual});
  }
  if (isElse) {
    domain.requireNot(rows);
    return true;
  }
  for (poly::Row &row : rows)
    domain.require(row);
  return true;
}

AffineAccess AffineAccess::get(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return {load.getMemRef(), load.getAffineMap(), load.getMapOperands()};
  auto store = cast<affine::AffineStoreOp>(op);
  return {store.getMemRef(), store.getAffineMap(), store.getMapOperands()};
}

bool NestReader::read(Operation *op) {
  SmallVector<Operation *> path = {op};
  while (path.back() != nest)
    path.push_back(path.back()->getParentOp());
  for (size_t i = path.size(); i-- > 1;) {
    bool isRead = false;
    if (auto loop = dyn_cast<affine::AffineForOp>(path[i]))
      isRead = addLoop(loop);
    else if (auto branch = dyn_cast<affine::AffineIfOp>(path[i]))
      isRead = addCondition(branch, path[i - 1]->getParentRegion() ==
                                        &branch.getElseRegion());
    if (!isRead)
      return false;
  }
  auto [memory, map, operands] = AffineAccess::get(op);
  if (!isInFront(memory))
    return false;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    std::optional<Bounded> index = get(expr, map.getNumDims(), operands),
                           extent = getExtent(memory, axis);
    if (!index || !extent)
      return false;
    access.push_back({index->form, extent->form});
  }
  return true;
}
