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
                           const Form::Term &term) {
  Variable variable = term.monomial.getFactor(0);
  const Space::Quotient &quotient = *space.getQuotient(variable);
  int64_t times = -(term.coefficient / quotient.divisor);
  Form rest =
      Form::combine(1, form, -times,
                    Form::combine(1, quotient.numerator, -quotient.divisor,
                                  Form::variable(variable)));
  return rest.isExact() && rest.isConstant();
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
                           !isDivisibility(space, rows[i].form, *pivot);
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

static bool hasQuotient(const Space &space, const Form &form) {
  for (const Form::Term &term : form.getTerms())
    if (space.getQuotient(term.monomial.getFactor(0)))
      return true;
  return false;
}

/// Leaves out rows that follow from the others, the longest first, and makes
/// equalities of rows with quotients that cannot be more than 0.
static void leaveOutImplied(const Space &space, Rows &rows, size_t &work) {
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
    others[i] = isNotNegative(rows[i].form - 1);
    if (hasQuotient(space, rows[i].form) && hasNoPoint(space, others, work))
      rows[i].isZero = true;
  }
}

/// Brings rows to a small form. Nothing is left of a contradiction.
static Normal tidy(const Space &space, Rows &rows, size_t &work) {
  Normal normal = normalise(rows);
  if (normal != Normal::Fine)
    return normal;
  if (hasNoPoint(space, rows, work))
    return Normal::Contradiction;
  for (unsigned round = 0; round < 2 && normal == Normal::Fine; ++round) {
    useEqualities(space, rows);
    normal = normalise(rows);
    if (normal == Normal::Fine)
      leaveOutImplied(space, rows, work);
  }
  return normal == Normal::Fine ? normalise(rows) : normal;
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
    if (!term.monomial.isVariable())
      return Form::inexact();
    sum = Form::combine(1, sum, term.coefficient,
                        getValue(term.monomial.getFactor(0)));
  }
  return sum;
}

Rows Import::take(const Rows &rows) {
  Rows taken;
  for (const Row &row : rows)
    taken.push_back({take(row.form), row.isZero});
  return taken;
}
