//===- NumberLeaves.cpp - what numbers are made of ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Numbers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace broadloom;
using namespace broadloom::infer;

namespace {
/// Visits shared parts once, without recursion.
class LeafVisitor {
public:
  LeafVisitor(const Numbers &numbers, llvm::function_ref<void(AtomId)> visit)
      : numbers(numbers), visit(visit) {}

  void add(const Number &number) {
    for (const Term &term : number.terms)
      for (AtomId id : term.atoms)
        if (seen.insert(id).second)
          atoms.push_back(id);
  }
  void add(ConditionId id) {
    if (seenConditions.insert(id).second)
      conditions.push_back(id);
  }

  void run() {
    while (!atoms.empty() || !conditions.empty()) {
      if (atoms.empty())
        look(numbers.getCondition(conditions.pop_back_val()));
      else
        look(atoms.pop_back_val());
    }
  }

private:
  void look(AtomId id) {
    const Atom &atom = numbers.getAtom(id);
    if (atom.kind == Atom::Kind::Symbol || atom.kind == Atom::Kind::Unknown)
      return visit(id);
    add(atom.a);
    add(atom.b);
    if (atom.kind == Atom::Kind::Select)
      add(atom.condition);
  }
  void look(const Condition &condition) {
    using Kind = Condition::Kind;
    switch (condition.kind) {
    case Kind::Zero:
    case Kind::NotNegative:
      return add(condition.number);
    case Kind::And:
    case Kind::Or:
      add(condition.b);
      [[fallthrough]];
    case Kind::Not:
      return add(condition.a);
    default:
      return;
    }
  }

  const Numbers &numbers;
  llvm::function_ref<void(AtomId)> visit;
  llvm::SmallVector<AtomId> atoms;
  llvm::SmallVector<ConditionId> conditions;
  llvm::SmallDenseSet<AtomId> seen;
  llvm::SmallDenseSet<ConditionId> seenConditions;
};
} // namespace

void Numbers::forEachLeaf(const Number &number,
                          llvm::function_ref<void(AtomId)> visit) const {
  LeafVisitor visitor(*this, visit);
  visitor.add(number);
  visitor.run();
}

void Numbers::forEachLeafOf(ConditionId condition,
                            llvm::function_ref<void(AtomId)> visit) const {
  LeafVisitor visitor(*this, visit);
  visitor.add(condition);
  visitor.run();
}
