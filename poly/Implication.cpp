//===- Implication.cpp - what follows from rows ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Implication.h"

#include "poly/Checked.h"
#include "poly/Domain.h"
#include "poly/FormVariables.h"
#include "poly/Normal.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

//===----------------------------------------------------------------------===//
// Products of variables
//===----------------------------------------------------------------------===//

namespace {

/// The constants between which rows of one variable put it.
struct Range {
  std::optional<int64_t> least, greatest;
};

} // namespace

static Range findRange(const Rows &rows, Variable variable) {
  Range range;
  for (const Row &row : rows) {
    const std::vector<Form::Term> &terms = row.form.getTerms();
    if (terms.size() != 1 || terms[0].monomial != Monomial(variable))
      continue;
    int64_t coefficient = terms[0].coefficient,
            constant = row.form.getConstant();
    if (constant == std::numeric_limits<int64_t>::min())
      continue;
    // coefficient * variable + constant >= 0.
    if (coefficient > 0 || row.isZero) {
      int64_t sign = coefficient > 0 ? 1 : -1;
      int64_t least =
          -floorDivide<int64_t>(sign * constant, sign * coefficient);
      range.least = std::max(range.least.value_or(least), least);
    }
    if (coefficient < 0 || row.isZero) {
      int64_t sign = coefficient < 0 ? 1 : -1;
      int64_t greatest =
          floorDivide<int64_t>(sign * constant, -sign * coefficient);
      range.greatest = std::min(range.greatest.value_or(greatest), greatest);
    }
  }
  return range;
}

/// Adds what the ranges of two factors say of their product: that the product
/// of two differences that are not negative is not negative.
static void addProducts(Rows &rows) {
  std::vector<Monomial> products;
  for (const Row &row : rows)
    for (const Form::Term &term : row.form.getTerms())
      if (term.monomial.getDegree() == 2)
        products.push_back(term.monomial);
  std::sort(products.begin(), products.end());
  products.erase(std::unique(products.begin(), products.end()), products.end());
  Rows found;
  for (Monomial product : products) {
    std::vector<Form> differences[2];
    for (unsigned i : {0u, 1u}) {
      Variable factor = product.getFactor(i);
      Range range = findRange(rows, factor);
      if (range.least)
        differences[i].push_back(Form::variable(factor) - *range.least);
      if (range.greatest)
        differences[i].push_back(Form(*range.greatest) -
                                 Form::variable(factor));
    }
    for (const Form &a : differences[0])
      for (const Form &b : differences[1])
        found.push_back(isNotNegative(a * b));
  }
  rows.insert(rows.end(), found.begin(), found.end());
}

//===----------------------------------------------------------------------===//
// Elimination over the rationals, with rounding
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kMaxColumns = 24;
constexpr size_t kMaxRows = 96;

/// Coefficients of each column, and the constant in the last place.
using Dense = std::vector<int64_t>;

/// Rows without those that follow at once from another one. A row that does
/// not fit is left out, which a proof can bear.
class Refuter {
public:
  Refuter(const Rows &rows) {
    for (const Row &row : rows)
      for (const Form::Term &term : row.form.getTerms())
        columns.push_back(term.monomial);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const Row &row : rows)
      if (row.form.isExact() &&
          row.form.getConstant() != std::numeric_limits<int64_t>::min()) {
        Dense dense = makeDense(row.form);
        if (row.isZero)
          equalities.push_back(dense);
        else
          add(inequalities, std::move(dense));
      }
  }

  bool isEmpty() {
    if (columns.size() > kMaxColumns || inequalities.size() > kMaxRows)
      return isWrong;
    while (!isWrong && !equalities.empty()) {
      Dense equality = std::move(equalities.back());
      equalities.pop_back();
      substitute(std::move(equality));
    }
    while (!isWrong && eliminateOne())
      ;
    return isWrong;
  }

private:
  Dense makeDense(const Form &form) const {
    Dense dense(columns.size() + 1);
    size_t column = 0;
    for (const Form::Term &term : form.getTerms()) {
      while (columns[column] != term.monomial)
        ++column;
      dense[column] = term.coefficient;
    }
    dense.back() = form.getConstant();
    return dense;
  }

  /// The common divisor of the coefficients; 0 if there are none.
  static int64_t getDivisor(const Dense &row) {
    int64_t divisor = 0;
    for (size_t i = 0; i + 1 < row.size() && divisor != 1; ++i)
      divisor = std::gcd(divisor, row[i]);
    return divisor;
  }

  static void divide(Dense &row, int64_t by) {
    if (by == 1)
      return;
    for (size_t i = 0; i + 1 < row.size(); ++i)
      row[i] /= by;
    row.back() = floorDivide(row.back(), by);
  }

  void add(std::vector<Dense> &to, Dense row) {
    int64_t divisor = getDivisor(row);
    if (divisor == 0) {
      isWrong |= row.back() < 0;
      return;
    }
    divide(row, divisor);
    for (Dense &other : to)
      if (std::equal(row.begin(), row.end() - 1, other.begin())) {
        other.back() = std::min(other.back(), row.back());
        return;
      }
    to.push_back(std::move(row));
  }

  /// a * x + b * y, or nothing if it does not fit.
  static std::optional<Dense> combine(int64_t a, const Dense &x, int64_t b,
                                      const Dense &y) {
    Dense sum(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      if (!addProduct(a, x[i], sum[i]) || !addProduct(b, y[i], sum[i]) ||
          sum[i] == std::numeric_limits<int64_t>::min())
        return std::nullopt;
    return sum;
  }

  void substitute(Dense equality) {
    int64_t divisor = getDivisor(equality);
    if (divisor == 0 || equality.back() % divisor != 0) {
      isWrong |= equality.back() != 0;
      return;
    }
    divide(equality, divisor);
    size_t column = columns.size();
    for (size_t i = 0; i < columns.size(); ++i)
      if (equality[i] != 0 &&
          (column == columns.size() ||
           std::abs(equality[i]) < std::abs(equality[column])))
        column = i;
    // With coefficient 1.
    if (equality[column] < 0)
      for (int64_t &value : equality)
        value = -value;
    auto take = [&](const Dense &row) {
      return combine(equality[column], row, -row[column], equality);
    };
    std::vector<Dense> others;
    for (const Dense &row : equalities)
      if (row[column] == 0)
        others.push_back(row);
      else if (std::optional<Dense> other = take(row))
        others.push_back(std::move(*other));
    equalities = std::move(others);
    std::vector<Dense> rest;
    for (const Dense &row : inequalities)
      if (row[column] == 0)
        rest.push_back(row);
      else if (std::optional<Dense> other = take(row))
        add(rest, std::move(*other));
    inequalities = std::move(rest);
  }

  /// Eliminates the column that makes the fewest rows; false if none is left,
  /// or there are too many rows.
  bool eliminateOne() {
    size_t best = columns.size();
    int64_t bestGrowth = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < columns.size(); ++i) {
      int64_t lower = 0, upper = 0;
      for (const Dense &row : inequalities) {
        lower += row[i] > 0;
        upper += row[i] < 0;
      }
      int64_t growth = lower * upper - lower - upper;
      if (lower + upper != 0 && growth < bestGrowth) {
        best = i;
        bestGrowth = growth;
      }
    }
    if (best == columns.size())
      return false;
    std::vector<Dense> rest;
    for (const Dense &row : inequalities)
      if (row[best] == 0)
        rest.push_back(row);
    for (const Dense &lower : inequalities)
      for (const Dense &upper : inequalities) {
        if (lower[best] <= 0 || upper[best] >= 0)
          continue;
        int64_t common = std::gcd(lower[best], upper[best]);
        if (std::optional<Dense> row = combine(-upper[best] / common, lower,
                                               lower[best] / common, upper))
          add(rest, std::move(*row));
        if (isWrong || rest.size() > kMaxRows)
          return false;
      }
    inequalities = std::move(rest);
    return true;
  }

  std::vector<Monomial> columns;
  std::vector<Dense> equalities, inequalities;
  bool isWrong = false;
};

} // namespace

bool poly::provesEmpty(const Space &space, Rows rows) {
  addDefinitions(space, /*ofUnknown=*/false, rows);
  addProducts(rows);
  return Refuter(rows).isEmpty();
}

/// Whether `form` says something of a symbol that `rows` say nothing of, so
/// that it cannot follow from them.
static bool hasOwnSymbol(const Space &space, const Form &form,
                         const Rows &rows) {
  bool isOwn = false;
  for (const Form::Term &term : form.getTerms()) {
    // Products and quotients may say it twice.
    Variable variable = term.monomial.getFactor(0);
    if (!term.monomial.isVariable() || space.getQuotient(variable))
      return false;
    isOwn |= std::none_of(rows.begin(), rows.end(), [&](const Row &row) {
      return hasVariable(space, row.form,
                         [&](Variable other) { return other == variable; });
    });
  }
  return isOwn;
}

bool poly::proves(const Space &space, const Rows &rows, const Row &row) {
  if (hasOwnSymbol(space, row.form, rows))
    return false;
  if (!row.isZero) {
    Rows all = rows;
    all.push_back(negate(row));
    return provesEmpty(space, std::move(all));
  }
  return proves(space, rows, isNotNegative(row.form)) &&
         proves(space, rows, isNotNegative(-row.form));
}

bool poly::simplify(const Space &space, const Rows &facts, Rows &rows) {
  Rows all = rows;
  all.insert(all.end(), facts.begin(), facts.end());
  if (provesEmpty(space, all))
    return false;
  // Long rows go first.
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return a.form.getTerms().size() < b.form.getTerms().size();
  });
  for (size_t i = rows.size(); i-- > 0;) {
    Rows others = facts;
    for (size_t j = 0; j < rows.size(); ++j)
      if (j != i)
        others.push_back(rows[j]);
    if (proves(space, others, rows[i]))
      rows.erase(rows.begin() + i);
  }
  return true;
}

void poly::leaveOutImplied(const Space &space, const Rows &facts, Rows &rows) {
  Rows small = rows;
  if (normalise(small) == Normal::Fine && simplify(space, facts, small))
    rows = std::move(small);
}
