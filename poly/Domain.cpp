//===- Domain.cpp - the iterations of a loop nest -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Domain.h"

using namespace broadloom;
using namespace broadloom::poly;

Form Domain::addLoop(std::string name, const std::vector<Form> &lowers,
                     const std::vector<Form> &uppers, int64_t step) {
  Form value;
  if (step == 1) {
    value = space.addUnknown(name);
    for (const Form &lower : lowers)
      ofBounds.push_back(isAtMost(lower, value));
  } else {
    Form first = lowers.front();
    if (lowers.size() > 1) {
      // The greatest one is at least each, and one of them.
      first = space.addUnknown("first " + name);
      std::vector<Rows> alternatives;
      for (const Form &lower : lowers) {
        ofBounds.push_back(isAtMost(lower, first));
        alternatives.push_back({isZero(first - lower)});
      }
      choices.push_back(std::move(alternatives));
    }
    Form count = space.addUnknown("count of " + name);
    ofBounds.push_back(isNotNegative(count));
    value = Form::combine(1, first, step, count);
  }
  for (const Form &upper : uppers)
    ofBounds.push_back(isLess(value, upper));
  loops.push_back({std::move(name), value});
  return value;
}

Form Domain::addChoice(std::string name,
                       const std::vector<Choice> &alternatives) {
  Form value = space.addUnknown(std::move(name));
  std::vector<Rows> rowsOfEach;
  for (const Choice &choice : alternatives) {
    rowsOfEach.push_back(choice.rows);
    rowsOfEach.back().push_back(isZero(value - choice.value));
  }
  choices.push_back(std::move(rowsOfEach));
  return value;
}

void Domain::requireNot(const Rows &condition) {
  std::vector<Rows> alternatives;
  for (const Row &row : condition) {
    if (row.isZero)
      alternatives.push_back({isLess(0, row.form)});
    alternatives.push_back({negate(row)});
  }
  choices.push_back(std::move(alternatives));
}

Domain Domain::ofLoops() const {
  Domain of = *this;
  of.rows.clear();
  of.choices.clear();
  return of;
}

std::optional<std::vector<Rows>> Domain::getParts(size_t limit) const {
  std::vector<Rows> parts = {ofBounds};
  parts.front().insert(parts.front().end(), rows.begin(), rows.end());
  for (const std::vector<Rows> &alternatives : choices) {
    std::vector<Rows> more;
    if (parts.size() * alternatives.size() > limit)
      return std::nullopt;
    for (const Rows &part : parts)
      for (const Rows &alternative : alternatives) {
        more.push_back(part);
        more.back().insert(more.back().end(), alternative.begin(),
                           alternative.end());
      }
    parts = std::move(more);
  }
  return parts;
}

void poly::addDefinitions(const Space &space, bool ofUnknown, Rows &rows) {
  std::vector<bool> isSeen(space.getNumVariables());
  auto visit = [&](auto &&self, const Form &form, Rows &found) -> void {
    for (const Form::Term &term : form.getTerms())
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
        Variable variable = term.monomial.getFactor(i);
        const Space::Quotient *quotient = space.getQuotient(variable);
        if (!quotient || isSeen[variable])
          continue;
        isSeen[variable] = true;
        self(self, quotient->numerator, found);
        if (space.isUnknown(variable) == ofUnknown)
          space.addDefinition(variable, found);
      }
  };
  Rows found;
  for (const Row &row : rows)
    visit(visit, row.form, found);
  rows.insert(rows.end(), found.begin(), found.end());
}
