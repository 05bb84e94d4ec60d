//===- AccessBox.cpp - what a loop touches of a memref --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/AccessBox.h"

#include "codegen/schedule/FormValues.h"
#include "codegen/schedule/LoopEdit.h"
#include "legalize/memory/NestGuard.h"
#include "poly/FormVariables.h"
#include "poly/Implication.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopAccesses;
using poly::Bound;
using poly::Form;
using poly::Row;
using poly::Rows;

/// Parts of a domain that are looked at.
static constexpr size_t kMostParts = 8;

AccessBox::AccessBox(scf::ForOp loop, const LoopAccesses &facts, Value memory)
    : loop(loop), around(getLoopsAround(loop)), symbols(facts.symbols) {
  poly::Signature signature;
  signature.inputs.assign(around.size(), "loop");
  signature.symbols.assign(symbols.size(), "number");
  signature.outputs = {"index"};
  relation = poly::Relation(std::move(signature));
  axes.resize(cast<MemRefType>(memory.getType()).getRank());
  for (const Access &access : facts.accesses)
    if (access.memory == memory)
      read(access, facts);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Whether `form` has no variables but those of loops around and symbols, or
/// only of symbols.
bool AccessBox::isKnown(const Form &form, bool ofSymbols) const {
  return poly::isAffine(relation.getSpace(), form,
                        [&](poly::Variable variable) {
                          return variable < around.size() + symbols.size() &&
                                 (!ofSymbols || variable >= around.size());
                        });
}

void AccessBox::read(const Access &access, const LoopAccesses &facts) {
  const poly::Domain &domain = access.reader->getDomain();
  poly::Import import(domain.getSpace(), relation.getSpace(), {});
  for (const auto &[variable, symbol] : access.reader->getSymbols())
    import.set(variable, relation.getSymbol(llvm::find(facts.symbols, symbol) -
                                            facts.symbols.begin()));
  Rows same = import.take(domain.getFacts());
  for (size_t number = 0; number < around.size(); ++number) {
    const Form &value = domain.getLoops()[number].value;
    // With a step other than 1, a loop's variable counts iterations.
    if (poly::isVariable(value))
      import.set(poly::getVariable(value), relation.getInput(number));
    else
      same.push_back(
          poly::isZero(relation.getInput(number) - import.take(value)));
  }
  std::optional<std::vector<Rows>> parts = domain.getParts(kMostParts);
  if (!parts) {
    isOpen = true;
    return;
  }
  for (const Rows &part : *parts) {
    Rows rows = import.take(part);
    llvm::append_range(rows, same);
    llvm::erase_if(rows, [&](const Row &row) {
      return !poly::isAffine(relation.getSpace(), row.form);
    });
    for (auto [axis, subscript] : llvm::enumerate(access.reader->access))
      add(access,
          poly::isZero(relation.getOutput(0) - import.take(subscript.index)),
          axis, rows);
  }
}

/// Adds the indices of one axis.
void AccessBox::add(const Access &access, const Row &index, unsigned axis,
                    Rows rows) {
  if (!poly::isAffine(relation.getSpace(), index.form)) {
    isOpen = true;
    return;
  }
  rows.push_back(index);
  if (poly::provesEmpty(relation.getSpace(), rows))
    return;
  Interval interval = getInterval(rows);
  isOpen |= interval.lowers.empty() || interval.uppers.empty();
  auto isSame = [](ArrayRef<Bound> xs, ArrayRef<Bound> ys) {
    return llvm::equal(xs, ys, [](const Bound &x, const Bound &y) {
      return x.divisor == y.divisor && x.form == y.form;
    });
  };
  auto addTo = [&](std::vector<Interval> &list) {
    if (llvm::none_of(list, [&](const Interval &other) {
          return isSame(other.lowers, interval.lowers) &&
                 isSame(other.uppers, interval.uppers);
        }))
      list.push_back(interval);
  };
  addTo(axes[axis].touched);
  if (access.isWrite)
    addTo(axes[axis].written);
}

/// The bound of the index that a row is, if it is one of what is known.
std::optional<Bound> AccessBox::getBound(const Row &row, bool isUpper) const {
  auto [factor, rest] =
      row.form.split(poly::getVariable(relation.getOutput(0)));
  int64_t coefficient = factor.getConstant();
  bool isIn = row.isZero ? coefficient != 0
                         : (isUpper ? coefficient < 0 : coefficient > 0);
  if (!isIn || !factor.isConstant() || !isKnown(rest, /*ofSymbols=*/false))
    return std::nullopt;
  return Bound{coefficient > 0 ? -rest : rest, std::abs(coefficient)};
}

AccessBox::Interval AccessBox::getInterval(const Rows &rows) const {
  poly::OutputBounds found = poly::boundOutputs(relation, rows);
  Interval interval;
  if (found.limit != poly::Limit::None || found.variables.empty())
    return interval;
  Form index = relation.getOutput(0);
  Rows bounds, facts;
  for (const Bound &bound : found.variables.front().lowers)
    bounds.push_back(poly::getRow(index, bound, /*isUpper=*/false));
  for (const Bound &bound : found.variables.front().uppers)
    bounds.push_back(poly::getRow(index, bound, /*isUpper=*/true));
  // What follows from others, and from what is known in front of the loop, is
  // left out.
  llvm::copy_if(rows, std::back_inserter(facts), [&](const Row &row) {
    return isKnown(row.form, /*ofSymbols=*/false);
  });
  poly::leaveOutImplied(relation.getSpace(), facts, bounds);
  for (const Row &row : bounds) {
    if (std::optional<Bound> lower = getBound(row, /*isUpper=*/false))
      interval.lowers.push_back(std::move(*lower));
    if (std::optional<Bound> upper = getBound(row, /*isUpper=*/true))
      interval.uppers.push_back(std::move(*upper));
  }
  return interval;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// How many indices there are from the least one of `from` to the greatest one
/// of `to`, at most.
AccessBox::Size AccessBox::getDistance(const Interval &from,
                                       const Interval &to) const {
  Size size;
  for (const Bound &lower : from.lowers)
    for (const Bound &upper : to.uppers) {
      if (lower.divisor != upper.divisor)
        continue;
      Form distance = upper.form - lower.form;
      if (!distance.isExact())
        continue;
      if (distance.isConstant()) {
        int64_t count =
            llvm::divideFloorSigned(distance.getConstant(), lower.divisor) + 1;
        size.constant = std::min(size.constant.value_or(count), count);
      } else if (lower.divisor == 1 && !size.form &&
                 isKnown(distance, /*ofSymbols=*/true)) {
        size.form = distance + 1;
      }
    }
  return size;
}

AccessBox::Size AccessBox::getSize(unsigned axis) const {
  const std::vector<Interval> &all = axes[axis].touched;
  if (isOpen || all.empty())
    return {};
  Size largest;
  for (const Interval &from : all)
    for (const Interval &to : all) {
      Size size = getDistance(from, to);
      if (size.constant && !largest.form)
        largest.constant = std::max(largest.constant.value_or(0),
                                    std::max<int64_t>(*size.constant, 0));
      else if (size.form && all.size() == 1)
        largest.form = size.form;
      else
        return {};
    }
  return largest;
}

bool AccessBox::mayStore() const {
  return isOpen || llvm::all_of(axes, [](const Axis &axis) {
           return !axis.written.empty();
         });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The variable of a loop as an index, which its number is read as.
static Value getVariable(RewriterBase &b, scf::ForOp loop) {
  Value variable = loop.getInductionVar();
  return variable.getType().isIndex()
             ? variable
             : arith::IndexCastOp::create(b, loop.getLoc(), b.getIndexType(),
                                          variable);
}

Value AccessBox::compute(RewriterBase &b, const Form &form) const {
  Location loc = scf::ForOp(loop).getLoc();
  return computeForm(b, loc, relation.getSpace(), form,
                     [&](poly::Variable variable) -> Value {
                       if (variable < around.size())
                         return getVariable(b, around[variable]);
                       return legalize::computeSymbol(
                           b, loc, symbols[variable - around.size()]);
                     });
}

/// The index that a lower bound is, or the one behind an upper one.
Value AccessBox::compute(RewriterBase &b, const Bound &bound,
                         bool isUpper) const {
  Location loc = scf::ForOp(loop).getLoc();
  Value value = compute(b, isUpper ? bound.form + bound.divisor : bound.form);
  return divideBound(b, loc, value, bound.divisor, isUpper);
}

/// Whether one bound surely is at most the other one.
static bool isAtMost(const Bound &x, const Bound &y) {
  Form distance = y.form - x.form;
  return x.divisor == y.divisor && distance.isExact() &&
         distance.isConstant() && distance.getConstant() >= 0;
}

/// Whether `bound` follows from the other one.
static bool follows(const Bound &bound, const Bound &from, bool isUpper) {
  return isUpper ? isAtMost(from, bound) : isAtMost(bound, from);
}

/// Adds what does not follow from one of the others, and takes away those that
/// then do.
template <typename T, typename Follows>
static void addNeeded(SmallVectorImpl<T> &kept, const T &added,
                      Follows followsFrom) {
  if (llvm::any_of(kept, [&](const T &k) { return followsFrom(added, k); }))
    return;
  llvm::erase_if(kept, [&](const T &k) { return followsFrom(k, added); });
  kept.push_back(added);
}

/// The greatest of lower bounds or the least of upper ones, of which those that
/// surely are not are left out.
Value AccessBox::join(RewriterBase &b, ArrayRef<Bound> bounds,
                      bool isUpper) const {
  SmallVector<Bound> kept;
  for (const Bound &bound : bounds)
    addNeeded(kept, bound, [&](const Bound &x, const Bound &y) {
      return follows(x, y, isUpper);
    });
  return joinBounds(
      b, scf::ForOp(loop).getLoc(),
      llvm::map_to_vector(
          kept, [&](const Bound &bound) { return compute(b, bound, isUpper); }),
      /*isLeast=*/isUpper);
}

/// Whether an interval with the bounds `inner` surely ends within one with the
/// bounds `outer`: each of these follows from one of the others.
static bool endsWithin(ArrayRef<Bound> inner, ArrayRef<Bound> outer,
                       bool isUpper) {
  return llvm::all_of(outer, [&](const Bound &bound) {
    return llvm::any_of(inner, [&](const Bound &other) {
      return follows(bound, other, isUpper);
    });
  });
}

std::pair<Value, Value> AccessBox::compute(RewriterBase &b, unsigned axis,
                                           bool ofWritten) const {
  const std::vector<Interval> &all =
      ofWritten ? axes[axis].written : axes[axis].touched;
  if (isOpen || all.empty())
    return {};
  auto joinAll = [&](bool isUpper) {
    SmallVector<ArrayRef<Bound>> kept;
    for (const Interval &interval : all)
      addNeeded(kept,
                ArrayRef<Bound>(isUpper ? interval.uppers : interval.lowers),
                [&](ArrayRef<Bound> x, ArrayRef<Bound> y) {
                  return endsWithin(x, y, isUpper);
                });
    return joinBounds(b, scf::ForOp(loop).getLoc(),
                      llvm::map_to_vector(kept,
                                          [&](ArrayRef<Bound> bounds) {
                                            return join(b, bounds, isUpper);
                                          }),
                      /*isLeast=*/!isUpper);
  };
  Value lower = joinAll(/*isUpper=*/false);
  return {lower, joinAll(/*isUpper=*/true)};
}
