//===- NestReader.cpp - loop nests as integer sets ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestReader.h"

#include "dialect/MemoryLayouts.h"
#include "poly/FormVariables.h"
#include "poly/Inside.h"
#include "poly/PackedSet.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Bounded = NestNumbers::Bounded;

SmallVector<Operation *> NestReader::getLoopsAround(Operation *op) {
  SmallVector<Operation *> loops;
  for (Operation *parent = op->getParentOp();
       isLoop(parent) || isBranch(parent); parent = parent->getParentOp())
    if (isLoop(parent))
      loops.push_back(parent);
  return loops;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool NestReader::addBounds(AffineMap map, ValueRange operands,
                           SmallVectorImpl<Bounded> &bounds) {
  for (AffineExpr expr : map.getResults()) {
    std::optional<Bounded> bound =
        numbers.get(expr, map.getNumDims(), operands);
    if (!bound)
      return false;
    bounds.push_back(*bound);
  }
  return true;
}

/// The numbers of which `value`, an upper bound, is the least, or a lower bound
/// the greatest, are bounds each.
bool NestReader::addBounds(Value value, bool isUpper,
                           SmallVectorImpl<Bounded> &bounds) {
  constexpr size_t kMostChoices = 16;
  llvm::SmallDenseSet<Value> chosen;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (auto least = dyn_cast_or_null<affine::AffineMinOp>(op);
        least && isUpper) {
      if (!addBounds(least.getMap(), least.getOperands(), bounds))
        return false;
      continue;
    }
    if (auto greatest = dyn_cast_or_null<affine::AffineMaxOp>(op);
        greatest && !isUpper) {
      if (!addBounds(greatest.getMap(), greatest.getOperands(), bounds))
        return false;
      continue;
    }
    bool isChoice = isUpper
                        ? isa_and_nonnull<arith::MinSIOp, index::MinSOp>(op)
                        : isa_and_nonnull<arith::MaxSIOp, index::MaxSOp>(op);
    if (isChoice && chosen.size() < kMostChoices) {
      if (chosen.insert(next).second)
        open.append({op->getOperand(1), op->getOperand(0)});
      continue;
    }
    std::optional<Bounded> bound = numbers.get(next);
    if (!bound)
      return false;
    bounds.push_back(*bound);
  }
  return true;
}

bool NestReader::addLoop(Value index, ArrayRef<Bounded> lowers,
                         ArrayRef<Bounded> uppers, const Bounded &step) {
  double most = 0;
  auto getForms = [&](ArrayRef<Bounded> bounds) {
    std::vector<poly::Form> forms;
    for (const Bounded &bound : bounds) {
      forms.push_back(bound.form);
      most = std::max(most, bound.size);
    }
    return forms;
  };
  std::vector<poly::Form> first = getForms(lowers), end = getForms(uppers);
  int64_t by = 1;
  if (step.form.isConstant()) {
    by = step.form.getConstant();
    if (by < 1)
      return false;
    // One that is longer than the whole loop is as good as any other.
    if (double(by) > 2 * most)
      by = int64_t(2 * most) + 1;
  } else {
    if (numbers.domain.getSpace().hasUnknown(step.form))
      return false;
    steps.push_back(step.form);
    numbers.domain.assume(poly::isAtMost(1, step.form));
  }
  double size = most + (step.form.isConstant() ? double(by) : step.size);
  size_t number = numbers.domain.getLoops().size();
  poly::Form form =
      numbers.domain.addLoop("i" + std::to_string(number), first, end, by);
  if (number == 0)
    sizeOfFirst = size;
  return numbers.set(index, {form, size});
}

bool NestReader::addLoop(affine::AffineForOp loop) {
  SmallVector<Bounded> lowers, uppers;
  int64_t step = loop.getStepAsInt();
  return addBounds(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                   lowers) &&
         addBounds(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                   uppers) &&
         addLoop(loop.getInductionVar(), lowers, uppers,
                 {poly::Form(step), double(step)});
}

bool NestReader::addLoop(scf::ForOp loop) {
  SmallVector<Bounded> lowers, uppers;
  std::optional<Bounded> step;
  if (std::optional<int64_t> known = getConstantIntValue(loop.getStep()))
    step = Bounded{poly::Form(*known), double(*known)};
  else
    step = numbers.get(loop.getStep());
  return !loop.getUnsignedCmp() && step &&
         addBounds(loop.getLowerBound(), /*isUpper=*/false, lowers) &&
         addBounds(loop.getUpperBound(), /*isUpper=*/true, uppers) &&
         addLoop(loop.getInductionVar(), lowers, uppers, *step);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

bool NestReader::addCondition(affine::AffineIfOp branch, bool isElse) {
  IntegerSet set = branch.getIntegerSet();
  poly::Rows rows;
  for (auto [expr, isEqual] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    std::optional<Bounded> value =
        numbers.get(expr, set.getNumDims(), branch->getOperands());
    if (!value && isWider && !isElse)
      continue;
    if (!value)
      return false;
    rows.push_back({value->form, isEqual});
  }
  if (isElse) {
    numbers.domain.requireNot(rows);
    return true;
  }
  for (poly::Row &row : rows)
    numbers.domain.require(row);
  return true;
}

bool NestReader::addCondition(scf::IfOp branch, bool isElse) {
  std::optional<std::vector<poly::Rows>> parts =
      numbers.getCondition(branch.getCondition(), !isElse);
  if (!parts)
    return false;
  if (parts->size() != 1) {
    numbers.domain.requireOne(std::move(*parts));
    return true;
  }
  for (poly::Row &row : parts->front())
    numbers.domain.require(std::move(row));
  return true;
}

//===----------------------------------------------------------------------===//
// The way to an access
//===----------------------------------------------------------------------===//

bool NestReader::isRead(Operation *op, Operation *inner) {
  Region *region = inner->getParentRegion();
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return addLoop(loop);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop);
  if (auto branch = dyn_cast<affine::AffineIfOp>(op))
    return addCondition(branch, region == &branch.getElseRegion());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return addCondition(branch, region == &branch.getElseRegion());
  return false;
}

bool NestReader::readPath(Operation *op) {
  SmallVector<Operation *> path = {op};
  while (path.back() != nest)
    path.push_back(path.back()->getParentOp());
  for (size_t i = path.size(); i-- > 1;)
    if (!isRead(path[i], path[i - 1])) {
      because = isBranch(path[i])
                    ? "a condition around it is not affine in numbers that are "
                      "known in front of a loop"
                    : "";
      return false;
    }
  return true;
}

bool NestReader::read(Operation *op, ArrayRef<unsigned> without) {
  if (!readPath(op))
    return false;
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return readView(view);
  auto [memory, map, operands] = MemoryAccess::get(op);
  if (!numbers.isInFront(memory)) {
    because = "its memory is made in the loop";
    return false;
  }
  bool isSet = bool(loom::getSetShape(memory.getType())), isWhole = true;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    if (llvm::is_contained(without, axis))
      continue;
    std::optional<Bounded> index =
                               numbers.get(expr, map.getNumDims(), operands),
                           extent = numbers.getExtent(memory, axis);
    bool isRead = extent && index;
    if (isRead)
      access.push_back({index->form, extent->form});
    else if (isSet)
      return false;
    else
      isRead =
          extent && addQuotient(expr, map.getNumDims(), operands, extent->form);
    if (isRead)
      axes.push_back(axis);
    isWhole &= isRead;
  }
  readMembership(memory);
  numbers.assumeBranches();
  return isWhole;
}

/// A quotient x floordiv s of a positive s is in [0, n) where x is in [0, n s).
bool NestReader::addQuotient(AffineExpr expr, unsigned numDims,
                             ValueRange operands, const poly::Form &extent) {
  if (!isWider)
    return false;
  if (!isa<AffineBinaryOpExpr>(expr)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!dim && !symbol)
      return false;
    auto apply =
        operands[dim ? dim.getPosition() : numDims + symbol.getPosition()]
            .getDefiningOp<affine::AffineApplyOp>();
    return apply && addQuotient(apply.getAffineMap().getResult(0),
                                apply.getAffineMap().getNumDims(),
                                apply.getMapOperands(), extent);
  }
  auto quotient = cast<AffineBinaryOpExpr>(expr);
  if (quotient.getKind() != AffineExprKind::FloorDiv)
    return false;
  std::optional<Bounded> number =
                             numbers.get(quotient.getLHS(), numDims, operands),
                         by = numbers.get(quotient.getRHS(), numDims, operands);
  if (!number || !by || numbers.domain.getSpace().hasUnknown(by->form))
    return false;
  steps.push_back(by->form);
  numbers.domain.assume(poly::isAtMost(1, by->form));
  access.push_back({number->form, extent * by->form});
  return true;
}

/// The rows of the set that is the shape of `memory`, if it is one. A number is
/// less than the one behind it.
void NestReader::readMembership(Value memory) {
  loom::SetShapeAttr set = loom::getSetShape(memory.getType());
  if (!set)
    return;
  std::vector<poly::Form> values;
  for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
    values.push_back(access[symbol].extent);
  for (const poly::Subscript &subscript : access)
    values.push_back(subscript.index);
  for (const poly::Row &row : set.getSet().getParts().front()) {
    poly::Form form = poly::substitute(row.form, values);
    membership.push_back({form, form + 1});
    if (row.isZero)
      membership.push_back({-form, 1 - form});
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static std::optional<poly::Form> toForm(const std::optional<Bounded> &number) {
  return number ? std::optional(number->form) : std::nullopt;
}

bool NestReader::readInFunction(Operation *op) {
  SmallVector<Operation *> path = {op};
  while (path.back() != nest)
    path.push_back(path.back()->getParentOp());
  bool isExact = true;
  for (size_t i = path.size() - 1; i > 0; --i) {
    isExact &= path[i - 1]->getParentRegion()->hasOneBlock();
    isExact &= path[i] == nest || isRead(path[i], path[i - 1]);
  }
  return isExact && steps.empty();
}

std::optional<poly::Form>
NestReader::getNumber(AffineExpr expr, unsigned numDims, ValueRange operands) {
  return toForm(numbers.get(expr, numDims, operands));
}

std::optional<poly::Form> NestReader::getExtent(Value memory, int64_t axis) {
  return toForm(numbers.getExtent(memory, axis));
}

void NestReader::require(Value condition) {
  std::optional<std::vector<poly::Rows>> parts =
      numbers.getCondition(condition, /*isTrue=*/true);
  if (parts && parts->size() == 1)
    for (poly::Row &row : parts->front())
      numbers.domain.require(std::move(row));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

poly::Inside NestReader::whenInside() const {
  return isWider ? poly::whenSurelyInside(numbers.domain, getChecked())
                 : poly::whenInside(numbers.domain, getChecked());
}

bool NestReader::fits(const poly::Condition &condition) const {
  return llvm::all_of(condition.clauses, [&](const poly::Clause &clause) {
    return llvm::all_of(clause, [&](const poly::Form &form) {
      return numbers.fits(form, condition.space);
    });
  });
}

std::optional<NestReader::Prefix> NestReader::getPrefix() const {
  if (isWider)
    return std::nullopt;
  poly::Domain domain = numbers.domain;
  poly::Form end = domain.addSymbol("end");
  if (!end.isExact())
    return std::nullopt;
  domain.require(poly::isLess(domain.getLoops().front().value, end));
  poly::Inside inside = poly::whenInside(domain, getChecked());
  if (!inside.condition)
    return std::nullopt;
  Prefix prefix = {std::move(*inside.condition), poly::getVariable(end)};
  for (const poly::Clause &clause : prefix.condition.clauses)
    for (const poly::Form &form : clause)
      if (!numbers.fits(form, prefix.condition.space, prefix.end,
                        sizeOfFirst + 1))
        return std::nullopt;
  return prefix;
}
