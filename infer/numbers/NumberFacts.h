//===- NumberFacts.h - facts about numbers, with their trail ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about numbers that hold at one operation: bounds of forms, values
// that they do not have, and truths of conditions. The trail takes facts back,
// the last one first. What follows from facts is computed elsewhere
// (NumberBounds.h, Conditions.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERFACTS_H
#define BROADLOOM_INFER_NUMBERS_NUMBERFACTS_H

#include "infer/numbers/Number.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace broadloom::infer {

class NumberFacts {
public:
  NumberFacts() = default;
  NumberFacts(const NumberFacts &) = delete;
  NumberFacts &operator=(const NumberFacts &) = delete;

  using Forms = std::map<Number, FormFact>;
  bool hasForms() const { return !forms.empty(); }
  /// What is known of a form; null if nothing is.
  const FormFact *findForm(const Number &form) const;
  /// The known forms of more than one term that contain an atom, in the order
  /// in which they were learned.
  llvm::ArrayRef<const Forms::value_type *> getForms(AtomId atom) const;
  void setForm(const Number &form, FormFact known);

  /// The truth of a condition and the fact that says so; null if no fact does.
  const std::pair<Truth, int32_t> *findTruth(ConditionId condition) const;
  void setTruth(ConditionId condition, Truth truth, int32_t fact);

  /// The number of facts, to which rollBack returns.
  size_t mark() const { return trail.size(); }
  void rollBack(size_t mark);

  /// A cache of the bounds of atoms at each depth, for the current facts:
  /// shared atoms are visited often, and many queries come between two facts.
  struct Found {
    llvm::DenseMap<std::pair<AtomId, unsigned>, Bounds> bounds;
    llvm::DenseMap<std::pair<AtomId, unsigned>, WideBounds> wide;
  };
  /// The versions of the tables that bounds depend on beside the facts.
  using Version = std::tuple<size_t, size_t, size_t>;
  /// Clears the cache if a table has changed.
  void updateFound(Version version) const;
  Found &getFound() const { return found; }

  /// Whether the solver may answer one more query. Its queries are limited, so
  /// that the analysis of a long program stays fast.
  bool canSolve() const { return solverBudget != 0; }
  void countSolved() const { --solverBudget; }

private:
  void forgetFound() const;

  Forms forms;
  llvm::DenseMap<AtomId, std::vector<const Forms::value_type *>> formsOf;
  llvm::DenseMap<ConditionId, std::pair<Truth, int32_t>> truths;
  /// A change by a fact, with the earlier state; the form is null for a
  /// condition.
  struct Change {
    const Number *form = nullptr;
    std::optional<FormFact> before;
    ConditionId condition = 0;
  };
  std::vector<Change> trail;
  mutable Found found;
  mutable Version foundVersion;
  mutable unsigned solverBudget = 4096;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERFACTS_H
