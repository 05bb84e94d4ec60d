//===- Normal.cpp - a normal form of conjunctions -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Normal.h"

#include "poly/Checked.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

/// A sum without constant, whose first coefficient is positive and whose
/// coefficients have no common divisor, and the ends of its range.
struct Interval {
  Form sum;
  std::optional<int64_t> least, greatest;
};

} // namespace

static bool isBefore(const Interval &a, const Interval &b) {
  const std::vector<Form::Term> &p = a.sum.getTerms(), &q = b.sum.getTerms();
  return std::lexicographical_compare(
      p.begin(), p.end(), q.begin(), q.end(),
      [](const Form::Term &x, const Form::Term &y) {
        return x.monomial == y.monomial ? x.coefficient < y.coefficient
                                        : x.monomial < y.monomial;
      });
}

static Normal addInterval(const Row &row, std::vector<Interval> &intervals) {
  const Form &form = row.form;
  if (!form.isExact() ||
      form.getConstant() == std::numeric_limits<int64_t>::min())
    return Normal::Overflow;
  int64_t divisor = form.getDivisor();
  if (divisor == 0) {
    bool holds = row.isZero ? form.getConstant() == 0 : form.getConstant() >= 0;
    return holds ? Normal::Fine : Normal::Contradiction;
  }
  if (row.isZero && form.getConstant() % divisor != 0)
    return Normal::Contradiction;
  Form quotient = form.divide(divisor);
  int64_t constant = quotient.getConstant();
  bool isNegative = quotient.getTerms()[0].coefficient < 0;
  Interval interval;
  // sum + constant >= 0, or -sum + constant >= 0.
  if (row.isZero)
    interval.least = interval.greatest = isNegative ? constant : -constant;
  else if (isNegative)
    interval.greatest = constant;
  else
    interval.least = -constant;
  quotient = quotient.withConstant(0);
  interval.sum = isNegative ? -quotient : std::move(quotient);
  intervals.push_back(std::move(interval));
  return Normal::Fine;
}

Normal poly::normalise(Rows &rows) {
  std::vector<Interval> intervals;
  intervals.reserve(rows.size());
  for (const Row &row : rows)
    if (Normal result = addInterval(row, intervals); result != Normal::Fine)
      return result;
  std::sort(intervals.begin(), intervals.end(), isBefore);
  rows.clear();
  for (size_t i = 0, next; i < intervals.size(); i = next) {
    Interval &all = intervals[i];
    for (next = i + 1;
         next < intervals.size() && intervals[next].sum == all.sum; ++next) {
      const Interval &other = intervals[next];
      if (other.least)
        all.least = std::max(all.least.value_or(*other.least), *other.least);
      if (other.greatest)
        all.greatest =
            std::min(all.greatest.value_or(*other.greatest), *other.greatest);
    }
    if (all.least && all.greatest && *all.least > *all.greatest)
      return Normal::Contradiction;
    if (all.least && all.least == all.greatest) {
      rows.push_back(isZero(all.sum.withConstant(-*all.least)));
      continue;
    }
    if (all.least)
      rows.push_back(isNotNegative(all.sum.withConstant(-*all.least)));
    if (all.greatest)
      rows.push_back(isNotNegative((-all.sum).withConstant(*all.greatest)));
  }
  return Normal::Fine;
}
