//===- PackedSet.cpp - places of the points of a set ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/PackedSet.h"

#include "poly/IntegerPoint.h"
#include "poly/OutputBounds.h"
#include "poly/RelationQuestions.h"
#include "poly/SetUnion.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

Form poly::substitute(const Form &affine, const std::vector<Form> &values) {
  Form sum = affine.getConstant();
  for (const Form::Term &term : affine.getTerms())
    sum = Form::combine(1, sum, term.coefficient,
                        values[term.monomial.getFactor(0)]);
  return sum;
}

namespace {

/// What is between all `lowers` and all `uppers`.
struct Axis {
  Variable variable;
  std::vector<Form> lowers, uppers;
};

class Packer {
public:
  explicit Packer(const Relation &given)
      : joined(joinParts(given)), set(*joined.relation), space(set.getSpace()),
        numSymbols(set.getSignature().symbols.size()) {}

  PackedSetResult run();

private:
  bool fail(std::string reason) {
    because = std::move(reason);
    return false;
  }
  std::string name(const Axis &axis) const {
    return "'" + space.getName(axis.variable) + "'";
  }
  bool readRows();
  bool readAxes();
  bool readBounds(const BoundedVariable &bounded, Axis &axis);
  Rows getContext(size_t numAxes) const;
  bool isImpossible(Rows rows, Row row) const;
  void dropImplied(std::vector<Form> &bounds, bool areLower) const;
  bool checkOrder(const Axis &axis);
  std::optional<CountFormula> getSum(const Axis &axis,
                                     const CountFormula &inner,
                                     const std::vector<Form> &uppers);
  bool compute();
  bool checkEmpty();

  const RelationResult joined;
  const Relation &set;
  const Space &space;
  const size_t numSymbols;
  Rows rows;
  std::vector<Axis> axes;
  PackedSet packed;
  std::string because;
};

} // namespace

bool Packer::readRows() {
  if (set.getParts().empty())
    return fail("it has no point");
  if (set.getParts().size() != 1)
    return fail(
        "it is a union that is not known to be one conjunction, " +
        (joined.limit == Limit::None
             ? std::string()
             : std::string("because ") + describe(joined.limit) + ", ") +
        "and there is no formula of other unions; write one "
        "conjunction");
  rows = set.getParts().front();
  if (hasOthers(set, rows))
    return fail("it has quotients or what exists, so that it may have holes; "
                "write comparisons of sums alone");
  return true;
}

/// Symbols are not negative, and the first axes are between their bounds.
Rows Packer::getContext(size_t numAxes) const {
  Rows context;
  for (Variable symbol = 0; symbol < numSymbols; ++symbol)
    context.push_back(isNotNegative(Form::variable(symbol)));
  for (size_t i = 0; i < numAxes; ++i) {
    Form value = Form::variable(axes[i].variable);
    for (const Form &lower : axes[i].lowers)
      context.push_back(isAtMost(lower, value));
    for (const Form &upper : axes[i].uppers)
      context.push_back(isAtMost(value, upper));
  }
  return context;
}

bool Packer::isImpossible(Rows context, Row row) const {
  size_t work = Limits().work;
  context.push_back(std::move(row));
  return hasNoPoint(space, context, work);
}

/// Drops bounds that follow from another one.
void Packer::dropImplied(std::vector<Form> &bounds, bool areLower) const {
  Rows context = getContext(axes.size());
  for (size_t i = 0; i < bounds.size();) {
    bool isImplied = false;
    for (size_t j = 0; j < bounds.size() && !isImplied; ++j)
      isImplied =
          j != i &&
          isImpossible(context, areLower ? isLess(bounds[j], bounds[i])
                                         : isLess(bounds[i], bounds[j]));
    if (isImplied)
      bounds.erase(bounds.begin() + ptrdiff_t(i));
    else
      ++i;
  }
}

bool Packer::readBounds(const BoundedVariable &bounded, Axis &axis) {
  axis.variable = bounded.variable;
  for (bool areLower : {true, false}) {
    std::vector<Form> &to = areLower ? axis.lowers : axis.uppers;
    for (const Bound &bound : areLower ? bounded.lowers : bounded.uppers) {
      if (bound.divisor != 1)
        return fail(name(axis) + " has a bound with a quotient; its factor "
                                 "must be 1 or -1");
      to.push_back(bound.form);
    }
    dropImplied(to, areLower);
    if (to.empty())
      return fail(name(axis) + " has no " + (areLower ? "lower" : "upper") +
                  " bound");
    if (to.size() > 2)
      return fail(name(axis) + " has more than two " +
                  (areLower ? "lower" : "upper") +
                  " bounds of which none follows from another one");
  }
  return true;
}

/// Whether no interval has less than no numbers.
bool Packer::checkOrder(const Axis &axis) {
  Rows context = getContext(axes.size());
  for (const Form &lower : axis.lowers)
    for (const Form &upper : axis.uppers)
      if (!isImpossible(context, isAtMost(upper + 2, lower)))
        return fail(name(axis) + " goes from " + space.print(lower) + " to " +
                    space.print(upper) + ", which may be less than that");
  return true;
}

bool Packer::readAxes() {
  OutputBounds bounds = boundOutputs(set, rows);
  if (bounds.limit != Limit::None)
    return fail(describe(bounds.limit));
  if (!bounds.conditions.empty())
    return fail("it has a condition on symbols alone, " +
                space.print(bounds.conditions.front()));
  for (const BoundedVariable &bounded : bounds.variables) {
    Axis axis;
    if (!readBounds(bounded, axis))
      return false;
    // The outermost one may have none for some symbols (checkEmpty).
    if (!axes.empty() && !checkOrder(axis))
      return false;
    axes.push_back(std::move(axis));
  }
  return true;
}

/// The sum of `inner` for an axis from its lower bounds to the least of
/// `uppers`.
std::optional<CountFormula> Packer::getSum(const Axis &axis,
                                           const CountFormula &inner,
                                           const std::vector<Form> &uppers) {
  const std::vector<Form> &lowers = axis.lowers;
  std::optional<CountFormula> sum;
  if (lowers.size() == 1 && uppers.size() == 1) {
    sum = sumOver(inner, axis.variable, lowers[0], uppers[0]);
  } else if (inner.isConstant()) {
    int64_t each = inner.polynomial.getConstant();
    sum = CountFormula{Form::combine(each, uppers[0] - lowers[0] + 1, 0, 0)};
    sum->divisor = inner.divisor;
    if (uppers.size() == 2)
      sum->pieces.push_back({-each, 1, uppers[0] - uppers[1]});
    if (lowers.size() == 2)
      sum->pieces.push_back({-each, 1, lowers[1] - lowers[0]});
  }
  if (!sum)
    fail("the number of its points up to " + name(axis) +
         " is no sum of polynomials in its bounds");
  return sum;
}

bool Packer::compute() {
  CountFormula inner = {Form(1)};
  packed.place = {Form(0)};
  for (size_t i = axes.size(); i-- > 0;) {
    const Axis &axis = axes[i];
    std::optional<CountFormula> before =
        getSum(axis, inner, {Form::variable(axis.variable) - 1});
    if (!before || !add(packed.place, *before))
      return fail(because.empty() ? "its coefficients are too large" : because);
    std::optional<CountFormula> all = getSum(axis, inner, axis.uppers);
    if (!all)
      return false;
    inner = std::move(*all);
  }
  packed.count = std::move(inner);
  reduce(packed.place);
  reduce(packed.count);
  // The largest sizes for which no number needs more than 62 bits, and the
  // product of all sizes is one that memory of a box can have.
  constexpr double most = double(int64_t(1) << 62);
  packed.bits = std::min(40, axes.empty() ? 40 : 53 / int(axes.size()));
  for (; packed.bits > 0; --packed.bits) {
    auto size = double(int64_t(1) << packed.bits);
    if (getMagnitude(packed.count, size) < most &&
        getMagnitude(packed.place, size) < most)
      return true;
  }
  return fail("its coefficients are too large");
}

/// Whether there are no points by the formula where the outermost axis has less
/// than no numbers.
bool Packer::checkEmpty() {
  if (axes.empty())
    return true;
  Rows context = getContext(0);
  constexpr int64_t mostValues = 64;
  for (const Form &lower : axes[0].lowers)
    for (const Form &upper : axes[0].uppers) {
      Row isReversed = isAtMost(upper + 2, lower);
      if (isImpossible(context, isReversed))
        continue;
      bool isSmall = false;
      for (int64_t value = 0; numSymbols == 1 && value < mostValues && !isSmall;
           ++value) {
        std::optional<int64_t> count = packed.count.evaluate({value});
        Rows rest = context;
        rest.push_back(isAtMost(value, Form::variable(0)));
        isSmall = isImpossible(rest, isReversed);
        if (!isSmall && count != 0)
          break;
      }
      if (!isSmall)
        return fail(name(axes[0]) + " goes from " + space.print(lower) +
                    " to " + space.print(upper) +
                    ", which may be less than that");
    }
  return true;
}

PackedSetResult Packer::run() {
  if (!readRows() || !readAxes() || !compute() || !checkEmpty())
    return {std::nullopt, because};
  packed.tellsSymbol = numSymbols == 1 && increases(packed.count);
  for (Axis &axis : axes)
    packed.axes.push_back({std::move(axis.lowers), std::move(axis.uppers)});
  return {std::move(packed), ""};
}

PackedSetResult poly::packSet(const Relation &set) { return Packer(set).run(); }

Relation poly::permute(const Relation &set, const std::vector<size_t> &order) {
  Relation result(set.getSignature());
  std::vector<Form> values;
  for (Variable variable = 0; variable < set.getNumVariables(); ++variable)
    values.push_back(Form::variable(variable));
  size_t first = set.getNumVariables() - order.size();
  for (size_t i = 0; i < order.size(); ++i)
    values[first + order[i]] = result.getOutput(i);
  for (const Rows &part : set.getParts()) {
    Rows rows;
    for (const Row &row : part)
      rows.push_back({substitute(row.form, values), row.isZero});
    result.addPart(std::move(rows));
  }
  return result;
}

Truth poly::hasProduct(const Relation &product, const Relation &first,
                       const Relation &second) {
  Relation found(product.getSignature());
  Form k = found.getSpace().addUnknown("k");
  std::vector<Form> ofFirst, ofSecond;
  for (Variable symbol = 0; symbol < found.getSignature().symbols.size();
       ++symbol) {
    ofFirst.push_back(Form::variable(symbol));
    ofSecond.push_back(Form::variable(symbol));
  }
  ofFirst.insert(ofFirst.end(), {found.getOutput(0), k});
  ofSecond.insert(ofSecond.end(), {k, found.getOutput(1)});
  Limits limits = relationLimits();
  for (const Rows &x : first.getParts())
    for (const Rows &y : second.getParts()) {
      Rows rows = Import(first, found.getSpace(), ofFirst).take(x),
           more = Import(second, found.getSpace(), ofSecond).take(y);
      rows.insert(rows.end(), more.begin(), more.end());
      if (addExisting(found, std::move(rows), limits) != Limit::None)
        return Truth::Unknown;
    }
  return isSubset(found, product).truth;
}

Truth poly::hasMirrored(const Relation &set) {
  Relation both(set.getSignature()), other = permute(set, {1, 0});
  for (const Rows &part : set.getParts())
    for (const Rows &mirrored : other.getParts()) {
      Rows rows = part;
      rows.insert(rows.end(), mirrored.begin(), mirrored.end());
      rows.push_back(isLess(set.getOutput(0), set.getOutput(1)));
      both.addPart(std::move(rows));
    }
  Truth empty = isEmpty(both).truth;
  return empty == Truth::Proved    ? Truth::Refuted
         : empty == Truth::Refuted ? Truth::Proved
                                   : Truth::Unknown;
}

std::optional<std::vector<int64_t>>
poly::findOutside(const Relation &set, const std::vector<Form> &extents,
                  bool &isKnown) {
  size_t numSymbols = set.getSignature().symbols.size();
  for (const Rows &part : set.getParts())
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      Form value = set.getOutput(axis);
      for (const Row &row :
           {isLess(value, 0), isAtMost(extents[axis], value)}) {
        Rows rows = part;
        for (Variable symbol = 0; symbol < numSymbols; ++symbol)
          rows.push_back(isNotNegative(Form::variable(symbol)));
        rows.push_back(row);
        size_t work = Limits().work;
        PointSearch found = findPoint(set.getSpace(), rows, work);
        if (found.exists == Truth::Proved)
          return std::vector<int64_t>(found.point.begin(),
                                      found.point.begin() +
                                          ptrdiff_t(set.getNumVariables()));
        isKnown &= found.exists == Truth::Refuted;
      }
    }
  return std::nullopt;
}
