//===- IntegerPoint.cpp - an integer point of a conjunction ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each sum of the rows is a variable of its own, with bounds. A tableau gives
// the basic variables as sums of the others, each of which has a value within
// its bounds. A basic variable outside its bounds changes places with another
// one (Bland's rule), until all are inside or one cannot be. A variable with a
// fraction as value gets a bound below it, then one above it.
//
//===----------------------------------------------------------------------===//

#include "poly/IntegerPoint.h"

#include "poly/Checked.h"
#include "poly/Domain.h"
#include "poly/Normal.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

constexpr unsigned kMaxDepth = 40;
constexpr size_t kMaxTableau = 4096;

Wide findCommonDivisor(Wide a, Wide b) {
  while (b != 0) {
    if (fitsWord(a) && fitsWord(b) &&
        a != std::numeric_limits<int64_t>::min() &&
        b != std::numeric_limits<int64_t>::min())
      return std::gcd(int64_t(a), int64_t(b));
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

struct Range {
  std::optional<Wide> least, greatest;

  bool isBelow(Wide numerator, Wide denominator) const {
    return least && numerator < *least * denominator;
  }
  bool isAbove(Wide numerator, Wide denominator) const {
    return greatest && numerator > *greatest * denominator;
  }
};

/// A basic variable is the sum of coefficients * other variables, divided by
/// the positive denominator.
struct TableauRow {
  size_t variable;
  std::vector<Wide> coefficients;
  Wide denominator = 1;
};

class Simplex {
public:
  Simplex(const Rows &rows, size_t &work);

  /// Whether there is an integer point.
  Truth solve(unsigned depth = 0);

  /// The values of the columns, of which `getColumns` has the variables.
  const std::vector<Wide> &getPoint() const { return point; }
  const std::vector<Variable> &getColumns() const { return columns; }
  bool isTooLarge() const {
    return basic.size() * columns.size() > kMaxTableau;
  }

private:
  size_t findColumn(Monomial monomial) const {
    return std::lower_bound(columns.begin(), columns.end(),
                            monomial.getFactor(0)) -
           columns.begin();
  }
  void addBounds(const Rows &rows);
  void moveInside();
  bool evaluate(const TableauRow &row, Wide &numerator) const;
  Truth isFeasible();
  bool pivot(size_t row, size_t column);
  bool spend(size_t amount) {
    bool isEnough = work >= amount;
    work -= std::min(work, amount);
    return isEnough;
  }
  Truth branch(size_t variable, Wide floor, unsigned depth);

  size_t &work;
  /// The variables of the space; numbers from columns.size() on are sums.
  std::vector<Variable> columns;
  std::vector<Range> ranges;
  /// The number of the variable of each column of the tableau, and its value.
  std::vector<size_t> free;
  std::vector<Wide> values;
  std::vector<TableauRow> basic;
  std::vector<Wide> point;
  /// A pivot could not be completed.
  bool isBroken = false;
};

} // namespace

/// Normalised rows with the same sum stand one behind the other.
Simplex::Simplex(const Rows &rows, size_t &work) : work(work) {
  for (const Row &row : rows)
    for (const Form::Term &term : row.form.getTerms())
      columns.push_back(term.monomial.getFactor(0));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  ranges.resize(columns.size());
  values.resize(columns.size());
  free.resize(columns.size());
  std::iota(free.begin(), free.end(), 0);
  addBounds(rows);
}

void Simplex::addBounds(const Rows &rows) {
  auto isOpposite = [](const Form &a, const Form &b) {
    return (a.withConstant(0) + b.withConstant(0)) == Form(0);
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::vector<Form::Term> &terms = rows[i].form.getTerms();
    // sum >= -constant; the coefficient of a single variable is 1 or -1.
    Wide bound = -Wide(rows[i].form.getConstant());
    Range range;
    range.least = bound;
    if (rows[i].isZero)
      range.greatest = bound;
    if (terms.size() == 1) {
      Range &of = ranges[findColumn(terms[0].monomial)];
      bool isNegative = terms[0].coefficient < 0;
      if (!isNegative || rows[i].isZero)
        of.least = isNegative ? -bound : bound;
      if (isNegative || rows[i].isZero)
        of.greatest = isNegative ? -bound : bound;
      continue;
    }
    TableauRow row;
    row.variable = ranges.size();
    row.coefficients.resize(columns.size());
    for (const Form::Term &term : terms)
      row.coefficients[findColumn(term.monomial)] = term.coefficient;
    if (i + 1 < rows.size() && isOpposite(rows[i].form, rows[i + 1].form))
      range.greatest = rows[++i].form.getConstant();
    basic.push_back(std::move(row));
    ranges.push_back(range);
  }
}

/// Brings the columns' values into their bounds.
void Simplex::moveInside() {
  for (size_t i = 0; i < free.size(); ++i) {
    const Range &range = ranges[free[i]];
    if (range.least)
      values[i] = std::max(values[i], *range.least);
    if (range.greatest)
      values[i] = std::min(values[i], *range.greatest);
  }
}

bool Simplex::evaluate(const TableauRow &row, Wide &numerator) const {
  numerator = 0;
  for (size_t i = 0; i < values.size(); ++i)
    if (row.coefficients[i] != 0 &&
        !addProduct(row.coefficients[i], values[i], numerator))
      return false;
  // Comparisons multiply a bound, of 64 bits, by the denominator.
  return row.denominator >> 62 == 0;
}

/// Exchanges a basic variable with a column's. False on overflow.
bool Simplex::pivot(size_t number, size_t column) {
  TableauRow &row = basic[number];
  Wide by = row.coefficients[column];
  row.coefficients[column] = -row.denominator;
  for (Wide &coefficient : row.coefficients)
    coefficient = by > 0 ? -coefficient : coefficient;
  row.denominator = by > 0 ? by : -by;
  std::swap(row.variable, free[column]);
  for (size_t i = 0; i < basic.size(); ++i) {
    TableauRow &other = basic[i];
    Wide factor = other.coefficients[column];
    if (i == number || factor == 0)
      continue;
    if (!spend(1))
      return false;
    other.coefficients[column] = 0;
    if (!multiply(other.denominator, row.denominator, other.denominator))
      return false;
    Wide common = other.denominator;
    for (size_t j = 0; j < other.coefficients.size(); ++j) {
      Wide &coefficient = other.coefficients[j];
      if (!multiply(coefficient, row.denominator, coefficient) ||
          !addProduct(factor, row.coefficients[j], coefficient))
        return false;
      if (common != 1)
        common = findCommonDivisor(common, coefficient);
    }
    if (common != 1) {
      for (Wide &coefficient : other.coefficients)
        coefficient /= common;
      other.denominator /= common;
    }
  }
  return true;
}

Truth Simplex::isFeasible() {
  moveInside();
  for (;;) {
    std::optional<size_t> wrong;
    bool isBelow = false;
    if (!spend(basic.size() / 2 + 1))
      return Truth::Unknown;
    for (size_t i = 0; i < basic.size(); ++i) {
      Wide numerator;
      if (!evaluate(basic[i], numerator))
        return Truth::Unknown;
      const Range &range = ranges[basic[i].variable];
      bool below = range.isBelow(numerator, basic[i].denominator);
      if ((below || range.isAbove(numerator, basic[i].denominator)) &&
          (!wrong || basic[i].variable < basic[*wrong].variable)) {
        wrong = i;
        isBelow = below;
      }
    }
    if (!wrong)
      return Truth::Proved;
    const TableauRow &row = basic[*wrong];
    std::optional<size_t> column;
    for (size_t i = 0; i < free.size(); ++i) {
      if (row.coefficients[i] == 0)
        continue;
      bool grows = (row.coefficients[i] > 0) == isBelow;
      const Range &range = ranges[free[i]];
      bool canMove = grows ? !range.greatest || values[i] < *range.greatest
                           : !range.least || values[i] > *range.least;
      if (canMove && (!column || free[i] < free[*column]))
        column = i;
    }
    if (!column)
      return Truth::Refuted;
    const Range &range = ranges[row.variable];
    values[*column] = isBelow ? *range.least : *range.greatest;
    isBroken = !pivot(*wrong, *column);
    if (isBroken)
      return Truth::Unknown;
  }
}

Truth Simplex::branch(size_t variable, Wide floor, unsigned depth) {
  if (depth >= kMaxDepth || !fitsWord(floor) || !fitsWord(floor + 1))
    return Truth::Unknown;
  Truth all = Truth::Refuted;
  for (bool isUpper : {false, true}) {
    Range saved = ranges[variable];
    if (isUpper)
      ranges[variable].least = floor + 1;
    else
      ranges[variable].greatest = floor;
    Truth exists = solve(depth + 1);
    ranges[variable] = saved;
    if (exists == Truth::Proved)
      return exists;
    if (exists == Truth::Unknown)
      all = exists;
    if (isBroken)
      return Truth::Unknown;
  }
  return all;
}

Truth Simplex::solve(unsigned depth) {
  if (Truth feasible = isFeasible(); feasible != Truth::Proved)
    return feasible;
  point.assign(columns.size(), 0);
  for (size_t i = 0; i < free.size(); ++i)
    if (free[i] < columns.size())
      point[free[i]] = values[i];
  std::optional<size_t> fraction;
  Wide floor = 0;
  for (const TableauRow &row : basic) {
    if (row.variable >= columns.size())
      continue;
    Wide numerator;
    if (!evaluate(row, numerator))
      return Truth::Unknown;
    point[row.variable] = floorDivide(numerator, row.denominator);
    if (numerator % row.denominator != 0 &&
        (!fraction || row.variable < *fraction)) {
      fraction = row.variable;
      floor = point[row.variable];
    }
  }
  return fraction ? branch(*fraction, floor, depth) : Truth::Proved;
}

static bool isAffine(const Rows &rows) {
  for (const Row &row : rows)
    for (const Form::Term &term : row.form.getTerms())
      if (!term.monomial.isVariable())
        return false;
  return true;
}

PointSearch poly::findPoint(const Space &space, Rows rows, size_t &work) {
  addDefinitions(space, /*ofUnknown=*/false, rows);
  addDefinitions(space, /*ofUnknown=*/true, rows);
  PointSearch search;
  Normal normal = normalise(rows);
  if (normal == Normal::Contradiction)
    search.exists = Truth::Refuted;
  if (normal != Normal::Fine || !isAffine(rows))
    return search;
  Simplex simplex(rows, work);
  if (simplex.isTooLarge())
    return search;
  search.exists = simplex.solve();
  if (search.exists != Truth::Proved)
    return search;
  search.point.resize(space.getNumVariables());
  for (size_t i = 0; i < simplex.getColumns().size(); ++i) {
    if (!fitsWord(simplex.getPoint()[i]))
      return {};
    search.point[simplex.getColumns()[i]] = int64_t(simplex.getPoint()[i]);
  }
  return search;
}

bool poly::hasNoPoint(const Space &space, const Rows &rows, size_t &work) {
  return findPoint(space, rows, work).exists == Truth::Refuted;
}
