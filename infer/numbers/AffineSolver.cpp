//===- AffineSolver.cpp - what follows from several facts -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/AffineSolver.h"
#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/NumberBounds.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <cstdlib>

using namespace broadloom;
using namespace broadloom::infer;

// Limits for one query: unknowns, rows, facts about one atom, and the size of
// numbers.
static constexpr size_t kMaxUnknowns = 10;
static constexpr size_t kMaxRows = 24;
static constexpr size_t kMaxForms = 6;
static constexpr int64_t kMaxFactor = int64_t(1) << 31;
// The limit of facts that are tried alone.
static constexpr size_t kMaxFacts = 4;

static bool isSmall(const Number &number) {
  auto fits = [](int64_t n) { return n <= kMaxFactor && n >= -kMaxFactor; };
  return fits(number.constant) &&
         std::all_of(number.terms.begin(), number.terms.end(),
                     [&](const Term &term) { return fits(term.factor); });
}

/// number * factor + constant; small numbers stay small enough not to wrap.
static Number scale(Number number, int64_t factor, int64_t constant = 0) {
  number.constant = number.constant * factor + constant;
  for (Term &term : number.terms)
    term.factor *= factor;
  return number;
}

Number AffineSolver::subtract(const Number &a, const Number &b) const {
  std::map<Monomial, int64_t> sum;
  for (const Term &term : a.terms)
    sum[term.atoms] += term.factor;
  for (const Term &term : b.terms)
    sum[term.atoms] -= term.factor;
  Number difference(a.constant - b.constant);
  for (auto &[atoms, factor] : sum)
    if (factor != 0)
      difference.terms.push_back({atoms, factor});
  return difference;
}

//===----------------------------------------------------------------------===//
// Collecting rows
//===----------------------------------------------------------------------===//

bool AffineSolver::addUnknowns(const Number &number) {
  for (const Term &term : number.terms) {
    if (unknowns.count(term.atoms))
      continue;
    if (unknowns.size() >= kMaxUnknowns)
      return false;
    unknowns.emplace(term.atoms, static_cast<unsigned>(order.size()));
    order.push_back(term.atoms);
  }
  return true;
}

void AffineSolver::addRow(Number number, bool isZero, int32_t by) {
  if (rows.size() >= kMaxRows || !isSmall(number) || !addUnknowns(number))
    return;
  rows.push_back({std::move(number), isZero, by});
}

void AffineSolver::addForm(const Number &form, Bounds bounds, int32_t atLeast,
                           int32_t atMost) {
  if (rows.size() >= kMaxRows)
    return;
  if (bounds.lo == bounds.hi && atLeast == atMost)
    return addRow(subtract(form, Number(bounds.lo)), true, atLeast);
  if (bounds.lo != -Bounds::kNone && isSmall(Number(bounds.lo)))
    addRow(subtract(form, Number(bounds.lo)), false, atLeast);
  if (bounds.hi != Bounds::kNone && isSmall(Number(bounds.hi)))
    addRow(subtract(Number(bounds.hi), form), false, atMost);
}

/// Takes the last forms, which are about the numbers computed last.
template <typename Form>
static llvm::ArrayRef<Form> takeLast(llvm::ArrayRef<Form> forms) {
  return forms.take_back(std::min(forms.size(), kMaxForms));
}

void AffineSolver::addForms(AtomId atom) {
  for (const auto *form : takeLast(numbers.getFacts().getForms(atom)))
    addForm(form->first, form->second.bounds, form->second.atLeast,
            form->second.atMost);
  for (const auto *form : takeLast(numbers.getLimits(atom)))
    addForm(form->first, form->second, Answer::kNoFact, Answer::kNoFact);
}

/// Adds the rows that follow from the definition of an atom.
void AffineSolver::addAtom(AtomId id) {
  const Atom &atom = numbers.getAtom(id);
  if (!isSmall(atom.a) || !isSmall(atom.b))
    return;
  Number self = makeSingle(id);
  switch (atom.kind) {
  case Atom::Kind::Quotient:
  case Atom::Kind::Remainder: {
    if (!atom.b.isConstant() || atom.b.constant <= 0 ||
        atom.b.constant >= kMaxFactor)
      return;
    int64_t by = atom.b.constant;
    if (atom.kind == Atom::Kind::Remainder) {
      // a - self is a multiple of `by`: by the quotient, if that exists.
      std::optional<AtomId> quotient =
          numbers.findAtom(Atom::Kind::Quotient, atom.a, atom.b);
      if (!quotient)
        return;
      Number rest = subtract(atom.a, self);
      return addRow(subtract(rest, scale(makeSingle(*quotient), by)), true);
    }
    Number rest = subtract(atom.a, scale(self, by));
    addRow(rest, false);
    addRow(scale(rest, -1, by - 1), false);
    return;
  }
  case Atom::Kind::Word:
    if (isWord(numbers, atom.a))
      addRow(subtract(self, atom.a), true);
    return;
  case Atom::Kind::Sum:
    return addRow(subtract(subtract(self, atom.a), atom.b), true);
  case Atom::Kind::Minimum:
    addRow(subtract(atom.a, self), false);
    addRow(subtract(atom.b, self), false);
    return;
  case Atom::Kind::Maximum:
    addRow(subtract(self, atom.a), false);
    addRow(subtract(self, atom.b), false);
    return;
  default:
    return;
  }
}

bool AffineSolver::collect(const Number &number) {
  if (!numbers.getFacts().canSolve() || !isSmall(number) ||
      !addUnknowns(number))
    return false;
  // The loop also visits atoms that it adds.
  for (size_t i = 0; i < order.size(); ++i) {
    Monomial atoms = order[i];
    for (AtomId atom : atoms)
      addForms(atom);
    if (atoms.size() == 1)
      addAtom(atoms.front());
  }
  // Bounds alone were checked before.
  if (rows.empty())
    return false;
  numbers.getFacts().countSolved();
  for (const Monomial &atoms : order) {
    Number self;
    self.terms.push_back({atoms, 1});
    Bounds bounds = boundsOf(numbers, self);
    if (bounds.lo != -Bounds::kNone && isSmall(Number(bounds.lo)))
      rows.push_back({subtract(self, Number(bounds.lo)), false});
    if (bounds.hi != Bounds::kNone && isSmall(Number(bounds.hi)))
      rows.push_back({subtract(Number(bounds.hi), self), false});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

namespace {
/// A row as coefficients of all unknowns and a constant.
struct Constraint {
  std::vector<int64_t> coefficients;
  bool isZero;

  int64_t compute(const std::vector<int64_t> &point) const {
    int64_t value = coefficients.back();
    for (size_t i = 0; i < point.size(); ++i)
      value += coefficients[i] * point[i];
    return value;
  }
};
} // namespace

/// Whether an integer point is found for which all of them hold: the first one
/// that does not is mended by one unknown, each time by another one. Most
/// questions have such a point near 0, and then need no exact answer.
static bool havePoint(const std::vector<Constraint> &constraints,
                      unsigned count) {
  constexpr size_t kMostSteps = 32;
  // With factors of 31 bits, a row of ten unknowns does not wrap.
  constexpr int64_t kMostSize = int64_t(1) << 27;
  std::vector<int64_t> point(count, 0);
  for (size_t step = 0; step < kMostSteps; ++step) {
    auto violated = llvm::find_if(constraints, [&](const Constraint &it) {
      int64_t value = it.compute(point);
      return it.isZero ? value != 0 : value < 0;
    });
    if (violated == constraints.end())
      return true;
    int64_t missing = -violated->compute(point);
    for (unsigned i = 0; i <= count; ++i) {
      if (i == count)
        return false;
      unsigned moved = (step + i) % count;
      int64_t factor = violated->coefficients[moved];
      if (factor == 0 || (violated->isZero && missing % factor != 0))
        continue;
      int64_t by = missing / factor;
      if (by * factor < missing)
        by += factor > 0 ? 1 : -1;
      point[moved] += by;
      if (std::abs(by) > kMostSize || std::abs(point[moved]) > kMostSize)
        return false;
      break;
    }
  }
  return false;
}

bool AffineSolver::isImpossible(const Row &asked, IsUsed isUsed) const {
  using namespace mlir::presburger;
  unsigned count = order.size();
  std::vector<Constraint> constraints;
  auto add = [&](const Number &row, bool isZero) {
    std::vector<int64_t> coefficients(count + 1, 0);
    for (const Term &term : row.terms)
      coefficients[unknowns.at(term.atoms)] = term.factor;
    coefficients[count] = row.constant;
    constraints.push_back({std::move(coefficients), isZero});
  };
  for (const Row &row : rows)
    if (!isUsed || row.fact == Answer::kNoFact || isUsed(row.fact))
      add(row.number, row.isZero);
  add(asked.number, asked.isZero);
  if (havePoint(constraints, count))
    return false;
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(count));
  for (const Constraint &constraint : constraints)
    if (constraint.isZero)
      set.addEquality(constraint.coefficients);
    else
      set.addInequality(constraint.coefficients);
  return set.isIntegerEmpty();
}

int32_t AffineSolver::findFact(std::initializer_list<Row> asked) const {
  std::vector<int32_t> facts;
  for (const Row &row : rows)
    if (row.fact != Answer::kNoFact && !llvm::is_contained(facts, row.fact))
      facts.push_back(row.fact);
  if (facts.size() == 1)
    return facts.front();
  if (facts.size() > kMaxFacts)
    return Answer::kNoFact;
  auto areImpossible = [&](IsUsed isUsed) {
    return llvm::all_of(
        asked, [&](const Row &row) { return isImpossible(row, isUsed); });
  };
  for (int32_t fact : facts)
    if (areImpossible([=](int32_t used) { return used == fact; }))
      return fact;
  llvm::sort(facts, std::greater<>());
  for (int32_t fact : facts)
    if (!areImpossible([=](int32_t used) { return used != fact; }))
      return fact;
  return Answer::kNoFact;
}

Answer AffineSolver::isNotNegative(const Number &number) {
  if (!collect(number))
    return {};
  Row negative{scale(number, -1, -1), false}, natural{number, false};
  if (isImpossible(negative))
    return Answer::proved("it follows from what is known",
                          findFact({negative}));
  if (isImpossible(natural))
    return Answer::refuted("it contradicts what is known", findFact({natural}));
  return {};
}

Answer AffineSolver::isZero(const Number &number) {
  if (!collect(number))
    return {};
  Row zero{number, true};
  if (isImpossible(zero))
    return Answer::refuted("it contradicts what is known", findFact({zero}));
  Row positive{scale(number, 1, -1), false},
      negative{scale(number, -1, -1), false};
  if (isImpossible(positive) && isImpossible(negative))
    return Answer::proved("it follows from what is known",
                          findFact({positive, negative}));
  return {};
}
