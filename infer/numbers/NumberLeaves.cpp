//===- NumberLeaves.cpp - what numbers are made of ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace broadloom;
using namespace broadloom::infer;

namespace {
/// Visits shared parts once, without recursion.
class LeafVisitor {
public:
  LeafVisitor(const NumberTable &table, llvm::function_ref<void(AtomId)> visit)
      : table(table), visit(visit) {}

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
        look(table.getCondition(conditions.pop_back_val()));
      else
        look(atoms.pop_back_val());
    }
  }

private:
  void look(AtomId id) {
    const Atom &atom = table.getAtom(id);
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

  const NumberTable &table;
  llvm::function_ref<void(AtomId)> visit;
  llvm::SmallVector<AtomId> atoms;
  llvm::SmallVector<ConditionId> conditions;
  llvm::SmallDenseSet<AtomId> seen;
  llvm::SmallDenseSet<ConditionId> seenConditions;
};
} // namespace

void infer::forEachLeaf(const NumberTable &table, const Number &number,
                        llvm::function_ref<void(AtomId)> visit) {
  LeafVisitor visitor(table, visit);
  visitor.add(number);
  visitor.run();
}

void infer::forEachLeafOf(const NumberTable &table, ConditionId condition,
                          llvm::function_ref<void(AtomId)> visit) {
  LeafVisitor visitor(table, visit);
  visitor.add(condition);
  visitor.run();
}
