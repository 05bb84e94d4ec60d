//===- LinearIndex.cpp - indices as sums of numbers -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/LinearIndex.h"

#include "codegen/memory/MovableValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static constexpr size_t kMostTerms = 8;
static constexpr int64_t kMostFactor = 1 << 10, kMostConstant = int64_t(1)
                                                                << 40;
static constexpr unsigned kMostDepth = 16;

/// Whether the number, which may be the least of all, is at most `limit` away
/// from 0.
static bool isWithin(int64_t number, int64_t limit) {
  return -limit <= number && number <= limit;
}

std::optional<LinearIndex> LinearIndex::get(Value value) {
  LinearIndex index;
  if (!index.add(value, 1, 0))
    return std::nullopt;
  index.dropZeros();
  return index;
}

void LinearIndex::dropZeros() {
  llvm::erase_if(terms, [](auto &term) { return term.second == 0; });
}

std::vector<LinearIndex> LinearIndex::getLeast(Value value) {
  SmallVector<Value> values = {value};
  std::vector<LinearIndex> sums;
  auto add = [&](std::optional<LinearIndex> sum) {
    bool isTerm = sum && sum->constant == 0 && sum->terms.size() == 1 &&
                  sum->terms[0].second == 1;
    Value term = isTerm ? sum->terms[0].first : Value();
    if (term && isa_and_nonnull<arith::MinSIOp, affine::AffineMinOp>(
                    term.getDefiningOp()))
      values.push_back(term);
    else if (sum)
      sums.push_back(std::move(*sum));
    return sum && values.size() + sums.size() <= kMostTerms;
  };
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (auto minimum = next.getDefiningOp<affine::AffineMinOp>()) {
      for (AffineExpr result : minimum.getMap().getResults()) {
        LinearIndex sum;
        if (!result.isPureAffine() || !sum.add(result, minimum, 1, 0))
          return {};
        sum.dropZeros();
        if (!add(std::move(sum)))
          return {};
      }
    } else if (auto minimum = next.getDefiningOp<arith::MinSIOp>()) {
      values.append(minimum->operand_begin(), minimum->operand_end());
      if (values.size() > kMostTerms)
        return {};
    } else if (!add(get(next))) {
      return {};
    }
  }
  return sums;
}

int64_t LinearIndex::getFactor(Value value) const {
  for (auto [term, factor] : terms)
    if (term == value)
      return factor;
  return 0;
}

void LinearIndex::add(const LinearIndex &other, int64_t factor) {
  constant += factor * other.constant;
  for (const auto &added : other.terms) {
    int64_t sum = getFactor(added.first) + factor * added.second;
    llvm::erase_if(terms,
                   [&](auto &term) { return term.first == added.first; });
    if (sum != 0)
      terms.push_back({added.first, sum});
  }
}

bool LinearIndex::isSame(const LinearIndex &other) const {
  LinearIndex rest = *this;
  rest.add(other, -1);
  return rest.terms.empty() && rest.constant == 0;
}

bool LinearIndex::addConstant(int64_t number, int64_t factor) {
  if (!isWithin(number, kMostConstant / kMostFactor))
    return false;
  constant += number * factor;
  return isWithin(constant, kMostConstant);
}

bool LinearIndex::add(Value value, int64_t factor, unsigned depth) {
  if (!isWithin(factor, kMostFactor) || depth > kMostDepth)
    return false;
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return addConstant(*number, factor);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return add(op->getOperand(0), factor, depth + 1) &&
           add(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor,
               depth + 1);
  if (isa_and_nonnull<arith::MulIOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> times = getConstantIntValue(op->getOperand(i));
          times && isWithin(*times, kMostFactor))
        return add(op->getOperand(1 - i), factor * *times, depth + 1);
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op)) {
    // What is added of one that is no sum stays, so that it fails as a whole.
    if (apply.getAffineMap().getResult(0).isPureAffine())
      return add(apply.getAffineMap().getResult(0), apply, factor, depth + 1);
  }
  for (auto &[term, known] : terms)
    if (term == value) {
      known += factor;
      return isWithin(known, kMostFactor);
    }
  terms.push_back({value, factor});
  return terms.size() <= kMostTerms;
}

bool LinearIndex::add(AffineExpr expr, Operation *op, int64_t factor,
                      unsigned depth) {
  if (!isWithin(factor, kMostFactor) || depth > kMostDepth)
    return false;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return addConstant(constant.getValue(), factor);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(op->getOperand(dim.getPosition()), factor, depth + 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return add(op->getOperand(getMap(op).getNumDims() + symbol.getPosition()),
               factor, depth + 1);
  auto pair = cast<AffineBinaryOpExpr>(expr);
  if (pair.getKind() == AffineExprKind::Add)
    return add(pair.getLHS(), op, factor, depth + 1) &&
           add(pair.getRHS(), op, factor, depth + 1);
  auto times = dyn_cast<AffineConstantExpr>(pair.getRHS());
  return pair.getKind() == AffineExprKind::Mul && times &&
         isWithin(times.getValue(), kMostFactor) &&
         add(pair.getLHS(), op, factor * times.getValue(), depth + 1);
}
