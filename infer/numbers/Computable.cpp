//===- Computable.cpp - numbers that words can hold -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace broadloom;
using namespace broadloom::infer;

ConditionId infer::isComputable(Numbers &numbers, const Number &number) {
  struct Part {
    Number number;
    bool isRead;
  };
  // Only sums of products of words are checked. A guard compares the positive
  // terms of a difference with its negative terms, and either side may overflow
  // although the difference fits.
  llvm::DenseMap<AtomId, bool> addable;
  auto isSum = [&](const Number &of, auto isSum) -> bool {
    auto isAddable = [&](AtomId id) {
      if (auto it = addable.find(id); it != addable.end())
        return it->second;
      const Atom &atom = numbers.getAtom(id);
      bool isWhole =
          atom.kind != Atom::Kind::Sum && atom.kind != Atom::Kind::Product;
      bool is = isWhole ? isWord(numbers, makeSingle(id))
                        : isSum(atom.a, isSum) && isSum(atom.b, isSum);
      return addable[id] = is;
    };
    return of.constant >= 0 && llvm::all_of(of.terms, [&](const Term &term) {
             return term.factor > 0 && llvm::all_of(term.atoms, isAddable);
           });
  };
  // A proved condition needs no check.
  auto open = [&](ConditionId end) {
    return decide(numbers, end).isProved() ? Numbers::kTrue : end;
  };
  ConditionId all = Numbers::kTrue;
  std::vector<Part> work{{number, true}};
  llvm::DenseSet<AtomId> seen;
  while (!work.empty()) {
    Part next = std::move(work.back());
    work.pop_back();
    if (next.isRead && isSum(next.number, isSum) &&
        !isWord(numbers, next.number))
      all = numbers.both(
          all,
          numbers.both(
              open(atMost(numbers, Number(-Bounds::kNone + 1), next.number)),
              open(atMost(numbers, next.number, Number(Bounds::kNone - 1)))));
    for (const Term &term : next.number.terms)
      for (AtomId id : term.atoms) {
        const Atom &atom = numbers.getAtom(id);
        using Kind = Atom::Kind;
        if (atom.kind == Kind::Unknown || atom.kind == Kind::Symbol ||
            atom.kind == Kind::End || !seen.insert(id).second)
          continue;
        // If a sum or product fits, its parts may wrap.
        bool isRead = atom.kind != Kind::Word && atom.kind != Kind::Sum &&
                      atom.kind != Kind::Product;
        work.push_back({atom.a, isRead});
        work.push_back({atom.b, isRead});
      }
  }
  return all;
}
