//===- NumberWords.cpp - numbers that are words of 64 bits ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are mathematical integers. The integers of a program are words, and
// their sums and products wrap: they equal the mathematical results only if
// these are known to be words.
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/FormSplit.h"
#include "infer/numbers/Numbers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Number Numbers::unknownWord(Bounds bounds) {
  Number number = unknown(bounds);
  if (!number.isConstant())
    setWord(number.terms[0].atoms[0]);
  return number;
}

void Numbers::setWord(AtomId id) {
  WideBounds &wide = atoms[id].wide;
  if (wide.isInWord())
    return;
  wide = wide.intersect(WideBounds::ofWord());
  forgetFound();
}

Number Numbers::word(int64_t value) {
  if (fits(value))
    return Number(value);
  Number constant(value);
  auto [it, isNew] = interned.try_emplace(
      {Atom::Kind::End, ConditionId(0), constant, Number()}, atoms.size());
  if (isNew) {
    Atom atom;
    atom.kind = Atom::Kind::End;
    atom.a = constant;
    // No word is beyond an end of the range.
    if (value > 0)
      atom.bounds.lo = Bounds::kNone - 1;
    else
      atom.bounds.hi = -Bounds::kNone + 1;
    atom.wide = {value, value};
    atoms.push_back(std::move(atom));
  }
  return single(it->second);
}

std::optional<int64_t> Numbers::getWord(const Number &number) const {
  if (number.isConstant())
    return number.constant;
  if (number.constant != 0 || number.terms.size() != 1 ||
      number.terms[0].factor != 1 || number.terms[0].atoms.size() != 1)
    return std::nullopt;
  const Atom &atom = atoms[number.terms[0].atoms[0]];
  return atom.kind == Atom::Kind::End ? std::optional(atom.a.constant)
                                      : std::nullopt;
}

/// Wrapping arithmetic on factors, as on words.
static int64_t addWrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t multiplyWrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

namespace {
/// A sum of products whose factors are words.
class Polynomial {
public:
  void addProduct(std::vector<AtomId> atoms, int64_t factor) {
    int64_t &sum = factors[std::move(atoms)];
    sum = addWrapping(sum, factor);
  }
  void add(const Number &number, int64_t factor) {
    addProduct({}, multiplyWrapping(number.constant, factor));
    for (const Term &term : number.terms)
      addProduct(term.atoms, multiplyWrapping(term.factor, factor));
  }
  Number get() const {
    Number number;
    for (const auto &[atoms, factor] : factors)
      if (atoms.empty())
        number.constant = factor;
      else if (factor != 0)
        number.terms.push_back({atoms, factor});
    return number;
  }

private:
  std::map<std::vector<AtomId>, int64_t> factors;
};
} // namespace

/// A number that is congruent to `number`, with words replaced by their
/// contents.
Number Numbers::unwrap(const Number &number) const {
  Polynomial sum;
  sum.addProduct({}, number.constant);
  for (const Term &term : number.terms) {
    const Atom &atom = atoms[term.atoms.front()];
    if (term.atoms.size() == 1 &&
        (atom.kind == Atom::Kind::Word || atom.kind == Atom::Kind::End))
      sum.add(atom.a, term.factor);
    else
      sum.addProduct(term.atoms, term.factor);
  }
  return sum.get();
}

Number Numbers::wrap(const Number &number) {
  if (number.isConstant())
    return word(number.constant);
  if (isNegatable(number) && isWord(number))
    return number;
  Number congruent = unwrap(number);
  if (congruent.isConstant())
    return word(congruent.constant);
  if (isNegatable(congruent) && isWord(congruent))
    return congruent;
  if (congruent.terms.size() > kMaxTerms)
    return unknownWord();
  Number wrapped = binary(Atom::Kind::Word, congruent, Number(), {});
  setWord(wrapped.terms[0].atoms[0]);
  return wrapped;
}

/// Chooses the word among numbers that are congruent to a result: `congruent`
/// or `exact` if that is known to be a word, else a wrapped number. `exact` is
/// the mathematical result.
Number Numbers::pickWord(const Number &congruent, const Number &exact,
                         bool isExact) {
  if (!congruent.isConstant() && isNegatable(congruent) && isWord(congruent))
    return congruent;
  if (isExact && !congruent.isConstant() && isWord(exact))
    return exact;
  return wrap(congruent);
}

Number Numbers::addWords(const Number &a, const Number &b) {
  Polynomial sum;
  sum.add(unwrap(a), 1);
  sum.add(unwrap(b), 1);
  bool before = takeOverflow();
  Number exact = add(a, b);
  bool isExact = !std::exchange(overflow, before);
  return pickWord(sum.get(), exact, isExact);
}

Number Numbers::subtractWords(const Number &a, const Number &b) {
  return addWords(a, multiplyWords(b, Number(-1)));
}

Number Numbers::multiplyWords(const Number &a, const Number &b) {
  Number x = unwrap(a), y = unwrap(b);
  if (x.isConstant() && y.isConstant())
    return word(multiplyWrapping(x.constant, y.constant));
  bool before = takeOverflow();
  Number exact = multiply(a, b);
  bool isExact = !std::exchange(overflow, before);
  Polynomial products;
  products.add(x, y.constant);
  bool isShort = (x.terms.size() + 1) * (y.terms.size() + 1) <= kMaxTerms;
  for (const Term &right : y.terms) {
    products.addProduct(right.atoms,
                        multiplyWrapping(right.factor, x.constant));
    for (const Term &left : x.terms) {
      isShort &= left.atoms.size() + right.atoms.size() <= kMaxDegree;
      if (!isShort)
        break;
      std::vector<AtomId> both;
      std::merge(left.atoms.begin(), left.atoms.end(), right.atoms.begin(),
                 right.atoms.end(), std::back_inserter(both));
      products.addProduct(std::move(both),
                          multiplyWrapping(left.factor, right.factor));
    }
  }
  if (isShort)
    return pickWord(products.get(), exact, isExact);
  return isExact && isWord(exact) ? exact : unknownWord();
}

//===----------------------------------------------------------------------===//
// Requirements of computed numbers
//===----------------------------------------------------------------------===//

ConditionId Numbers::isComputable(const Number &number) {
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
      const Atom &atom = atoms[id];
      bool isWhole =
          atom.kind != Atom::Kind::Sum && atom.kind != Atom::Kind::Product;
      bool is = isWhole ? isWord(single(id))
                        : isSum(atom.a, isSum) && isSum(atom.b, isSum);
      return addable[id] = is;
    };
    return of.constant >= 0 && llvm::all_of(of.terms, [&](const Term &term) {
             return term.factor > 0 && llvm::all_of(term.atoms, isAddable);
           });
  };
  // A proved condition needs no check.
  auto open = [&](ConditionId end) {
    return decide(end).isProved() ? kTrue : end;
  };
  ConditionId all = kTrue;
  std::vector<Part> work{{number, true}};
  llvm::DenseSet<AtomId> seen;
  while (!work.empty()) {
    Part next = std::move(work.back());
    work.pop_back();
    if (next.isRead && isSum(next.number, isSum) && !isWord(next.number))
      all =
          both(all, both(open(atMost(Number(-Bounds::kNone + 1), next.number)),
                         open(atMost(next.number, Number(Bounds::kNone - 1)))));
    for (const Term &term : next.number.terms)
      for (AtomId id : term.atoms) {
        const Atom &atom = atoms[id];
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
