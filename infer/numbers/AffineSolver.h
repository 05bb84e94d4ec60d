//===- AffineSolver.h - what follows from several facts ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides with MLIR's Presburger library what bounds and single facts leave
// open: that 2*(n / 2) is at most n, or that n is m where n <= k and k <= m and
// m <= n.
//
// Invariant: a query uses a limited number of facts about the parts of a
// number, and a table of numbers answers a limited number of queries, so that
// the time of an analysis stays nearly linear. Facts that are left out can make
// an answer unknown, never wrong.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_AFFINESOLVER_H
#define BROADLOOM_INFER_NUMBERS_AFFINESOLVER_H

#include "infer/numbers/Numbers.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <vector>

namespace broadloom::infer {

class AffineSolver {
public:
  explicit AffineSolver(const Numbers &numbers) : numbers(numbers) {}

  Answer isZero(const Number &number);
  Answer isNotNegative(const Number &number);

private:
  /// A product of atoms: one unknown.
  using Monomial = std::vector<AtomId>;
  /// `number` is 0, or is not negative, by a fact if there is one.
  struct Row {
    Number number;
    bool isZero;
    int32_t fact = Answer::kNoFact;
  };

  bool collect(const Number &number);
  bool addUnknowns(const Number &number);
  void addForm(const Number &form, Bounds bounds, int32_t atLeast,
               int32_t atMost);
  void addForms(AtomId atom);
  void addAtom(AtomId atom);
  void addRow(Number number, bool isZero, int32_t fact = Answer::kNoFact);
  /// a - b, of a few terms.
  Number subtract(const Number &a, const Number &b) const;
  using IsUsed = llvm::function_ref<bool(int32_t fact)>;
  /// Whether the rows and `asked` cannot hold together. Of the rows by a fact,
  /// only those by facts that are used count.
  bool isImpossible(const Row &asked, IsUsed isUsed = nullptr) const;
  /// The fact for which each of `asked` is impossible. If several are needed,
  /// the last of these; no fact if none is needed, or there are too many.
  int32_t findFact(std::initializer_list<Row> asked) const;

  const Numbers &numbers;
  std::map<Monomial, unsigned> unknowns;
  std::vector<Monomial> order;
  std::vector<Row> rows;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_AFFINESOLVER_H
