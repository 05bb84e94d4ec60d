//===- Relation.cpp - relations of integer tuples -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Relation.h"

#include "poly/Domain.h"
#include "poly/IntegerPoint.h"
#include "poly/Normal.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;
using namespace broadloom::poly;

static constexpr unsigned kMaxRounds = 6;

Relation::Relation(Signature names) : signature(std::move(names)) {
  for (const std::vector<std::string> *group :
       {&signature.inputs, &signature.symbols, &signature.outputs})
    for (const std::string &name : *group)
      space.addSymbol(name);
}

std::vector<Form> Relation::getInputs() const {
  std::vector<Form> forms;
  for (size_t i = 0; i < signature.inputs.size(); ++i)
    forms.push_back(getInput(i));
  return forms;
}

std::vector<Form> Relation::getOutputs() const {
  std::vector<Form> forms;
  for (size_t i = 0; i < signature.outputs.size(); ++i)
    forms.push_back(getOutput(i));
  return forms;
}

bool Relation::hasUnknown(const Rows &rows) const {
  return std::any_of(rows.begin(), rows.end(), [&](const Row &row) {
    return space.hasUnknown(row.form);
  });
}

//===----------------------------------------------------------------------===//
// Small conjunctions
//===----------------------------------------------------------------------===//

/// Whether the value of `form` depends on `variable`, in quotients too.
static bool dependsOn(const Space &space, const Form &form, Variable variable) {
  for (const Form::Term &term : form.getTerms()) {
    Variable factor = term.monomial.getFactor(0);
    const Space::Quotient *quotient = space.getQuotient(factor);
    if (factor == variable ||
        (quotient && dependsOn(space, quotient->numerator, variable)))
      return true;
  }
  return false;
}

/// An unknown, no quotient, that a row says the value of.
static std::optional<std::pair<Variable, Form>> findValue(const Space &space,
                                                          const Rows &rows) {
  for (const Row &row : rows)
    for (const Form::Term &term : row.form.getTerms()) {
      Variable variable = term.monomial.getFactor(0);
      if (!row.isZero || std::abs(term.coefficient) != 1 ||
          !space.isUnknown(variable) || space.getQuotient(variable))
        continue;
      Form rest = row.form.split(variable).second;
      if (!dependsOn(space, rest, variable))
        return std::make_pair(variable, term.coefficient > 0 ? -rest : rest);
    }
  return std::nullopt;
}

/// Replaces unknowns whose values are known, in numerators of quotients too.
static Normal replaceUnknowns(Space &space, Rows &rows) {
  for (;;) {
    Normal normal = normalise(rows);
    auto found = normal == Normal::Fine ? findValue(space, rows) : std::nullopt;
    if (!found)
      return normal;
    Import import(space, space, {});
    for (size_t i = 0, end = space.getNumVariables(); i < end; ++i)
      if (!space.getQuotient(Variable(i)))
        import.set(Variable(i), Form::variable(Variable(i)));
    import.set(found->first, found->second);
    rows = import.take(rows);
  }
}

/// The variable of an equality that other rows can do without: its last
/// quotient, else the last variable whose coefficient is 1 or -1.
static std::optional<Form::Term> findPivot(const Space &space,
                                           const Form &form) {
  std::optional<Form::Term> best;
  for (const Form::Term &term : form.getTerms()) {
    bool isQuotient = space.getQuotient(term.monomial.getFactor(0));
    if (isQuotient ||
        (std::abs(term.coefficient) == 1 &&
         !(best && space.getQuotient(best->monomial.getFactor(0)))))
      best = term;
  }
  return best;
}

/// Whether `form` is a constant remainder by the divisor of a quotient.
static bool isDivisibility(const Space &space, const Form &form,
                           Variable quotient) {
  int64_t times = space.countRemainders(form, quotient);
  return times != 0 && space.takeRemainders(form, quotient, times).isConstant();
}

/// Makes remainders of quotients in equalities that say a variable's value by
/// another variable, which is the quotient.
static void findRemainders(const Space &space, const Row &definition,
                           Rows &rows) {
  const std::vector<Form::Term> &terms = definition.form.getTerms();
  if (!definition.isZero || terms.size() != 2 ||
      definition.form.getConstant() != 0 ||
      terms[0].coefficient != -terms[1].coefficient)
    return;
  Variable variable = terms[0].monomial.getFactor(0),
           quotient = terms[1].monomial.getFactor(0);
  if (space.getQuotient(variable) || !space.getQuotient(quotient))
    return;
  for (Row &row : rows) {
    if (!row.isZero || row.form == definition.form)
      continue;
    Form form = row.form.substitute(variable, Form::variable(quotient));
    if (form.isExact() && space.countRemainders(form, quotient) != 0)
      row.form = std::move(form);
  }
}

/// Makes v == e floordiv d of 0 <= e - d*v <= d - 1. Rows are normalised.
static void findQuotients(Space &space, Rows &rows) {
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    // lower >= 0 and upper >= 0.
    const Form &lower = rows[i].form, &upper = rows[i + 1].form;
    Form size = lower + upper;
    if (rows[i].isZero || rows[i + 1].isZero || !size.isExact() ||
        !size.isConstant() || lower.getTerms().size() < 2)
      continue;
    // The last variable is the one that is most likely an output.
    std::optional<Form::Term> found;
    for (const Form::Term &term : lower.getTerms())
      if (std::abs(term.coefficient) - 1 == size.getConstant() &&
          std::abs(term.coefficient) > 1 &&
          !space.getQuotient(term.monomial.getFactor(0)))
        found = term;
    if (!found)
      continue;
    Variable variable = found->monomial.getFactor(0);
    const Form &side = found->coefficient < 0 ? lower : upper;
    auto [coefficient, rest] = side.split(variable);
    if (dependsOn(space, rest, variable))
      continue;
    Form value = space.floorDivide(rest, -coefficient.getConstant());
    Form form = Form::variable(variable) - value;
    if (!form.isExact())
      continue;
    rows[i] = isZero(std::move(form));
    rows.erase(rows.begin() + i + 1);
  }
}

/// Takes the variable of each equality out of the other rows.
static void useEqualities(const Space &space, Rows &rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    std::optional<Form::Term> pivot =
        rows[i].isZero ? findPivot(space, rows[i].form) : std::nullopt;
    if (!pivot)
      continue;
    Variable variable = pivot->monomial.getFactor(0);
    // Other equalities say what the quotient is.
    bool keepsEqualities = space.getQuotient(variable) &&
                           !isDivisibility(space, rows[i].form, variable);
    int64_t size = std::abs(pivot->coefficient),
            sign = pivot->coefficient < 0 ? 1 : -1;
    for (size_t j = 0; j < rows.size(); ++j) {
      Form coefficient = rows[j].form.split(variable).first;
      if (j == i || coefficient == Form(0))
        continue;
      if (keepsEqualities && rows[j].isZero)
        continue;
      // The first factor is positive.
      Form form = Form::combine(size, rows[j].form,
                                sign * coefficient.getConstant(), rows[i].form);
      if (form.isExact())
        rows[j].form = std::move(form);
    }
  }
}

/// Leaves out rows that follow from the others, the longest first, and makes
/// equalities of rows that cannot be more than 0. `point` satisfied them, if
/// there is one, before they were changed.
static void leaveOutImplied(const Space &space, Rows &rows,
                            const std::vector<int64_t> &point, size_t &work) {
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return a.form.getTerms().size() < b.form.getTerms().size();
  });
  for (size_t i = rows.size(); i-- > 0 && work > 0;) {
    if (rows[i].isZero)
      continue;
    Rows others = rows;
    others[i] = negate(rows[i]);
    if (hasNoPoint(space, others, work)) {
      rows.erase(rows.begin() + i);
      continue;
    }
    if (space.evaluate(rows[i].form, point).value_or(0) > 0)
      continue;
    others[i] = isNotNegative(rows[i].form - 1);
    rows[i].isZero = hasNoPoint(space, others, work);
  }
}

static bool isSame(const Rows &a, const Rows &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Row &x, const Row &y) {
                      return x.isZero == y.isZero && x.form == y.form;
                    });
}

/// Brings rows to a small form. Nothing is left of a contradiction.
static Normal tidy(Space &space, Rows &rows, size_t &work) {
  Normal normal = normalise(rows);
  if (normal != Normal::Fine)
    return normal;
  PointSearch sample = findPoint(space, rows, work);
  if (sample.exists == Truth::Refuted)
    return Normal::Contradiction;
  // One simplification makes way for another.
  Rows before;
  for (unsigned round = 0; round < kMaxRounds && !isSame(before, rows);
       ++round) {
    before = rows;
    findQuotients(space, rows);
    useEqualities(space, rows);
    for (size_t i = 0; i < rows.size(); ++i)
      findRemainders(space, Row(rows[i]), rows);
    normal = normalise(rows);
    // What is left of a round has no row that the others imply.
    if (normal != Normal::Fine || (round > 0 && isSame(before, rows)))
      return normal;
    leaveOutImplied(space, rows, sample.point, work);
    normal = normalise(rows);
    if (normal != Normal::Fine)
      return normal;
  }
  return normal;
}

Limit poly::addExisting(Relation &relation, Rows rows, Limits &limits) {
  Space &space = relation.getSpace();
  Normal normal = replaceUnknowns(space, rows);
  if (normal == Normal::Overflow)
    return Limit::Overflow;
  if (normal == Normal::Contradiction)
    return Limit::None;
  if (rows.size() > limits.rows)
    return Limit::Rows;
  std::vector<Rows> parts = {rows};
  if (relation.hasUnknown(rows)) {
    Rows all = rows;
    addDefinitions(space, /*ofUnknown=*/true, all);
    Projection projection = eliminate(space, std::move(all), {}, limits);
    if (projection.limit == Limit::None)
      parts = std::move(projection.parts);
  }
  for (Rows &part : parts) {
    normal = tidy(space, part, limits.work);
    if (normal == Normal::Overflow)
      return Limit::Overflow;
    if (normal == Normal::Contradiction)
      continue;
    if (relation.getParts().size() >= limits.parts)
      return Limit::Parts;
    relation.addPart(std::move(part));
  }
  return Limit::None;
}

//===----------------------------------------------------------------------===//
// From one space to another
//===----------------------------------------------------------------------===//

Form Import::getValue(Variable variable) {
  if (variable < values.size() && values[variable])
    return *values[variable];
  Form value;
  if (const Space::Quotient *quotient = from.getQuotient(variable)) {
    // Both spaces may be the same, and a new variable move the quotient.
    const Form numerator = quotient->numerator;
    int64_t divisor = quotient->divisor;
    value = to.floorDivide(take(numerator), divisor);
  } else {
    value = to.addUnknown(from.getName(variable));
  }
  set(variable, std::move(value));
  return *values[variable];
}

Form Import::take(const Form &form) {
  Form sum = form.isExact() ? Form(form.getConstant()) : Form::inexact();
  for (const Form::Term &term : form.getTerms()) {
    Form product = getValue(term.monomial.getFactor(0));
    for (unsigned i = 1; i < term.monomial.getDegree(); ++i)
      product = product * getValue(term.monomial.getFactor(i));
    sum = Form::combine(1, sum, term.coefficient, product);
  }
  return sum;
}

Rows Import::take(const Rows &rows) {
  Rows taken;
  for (const Row &row : rows)
    taken.push_back({take(row.form), row.isZero});
  return taken;
}
