//===- NumberWords.cpp - arithmetic of words ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"

#include <algorithm>
#include <map>

using namespace broadloom;
using namespace broadloom::infer;

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
static Number unwrap(const Numbers &numbers, const Number &number) {
  Polynomial sum;
  sum.addProduct({}, number.constant);
  for (const Term &term : number.terms) {
    const Atom &atom = numbers.getAtom(term.atoms.front());
    if (term.atoms.size() == 1 &&
        (atom.kind == Atom::Kind::Word || atom.kind == Atom::Kind::End))
      sum.add(atom.a, term.factor);
    else
      sum.addProduct(term.atoms, term.factor);
  }
  return sum.get();
}

Number infer::wrap(Numbers &numbers, const Number &number) {
  if (number.isConstant())
    return numbers.word(number.constant);
  if (isNegatable(number) && isWord(numbers, number))
    return number;
  Number congruent = unwrap(numbers, number);
  if (congruent.isConstant())
    return numbers.word(congruent.constant);
  if (isNegatable(congruent) && isWord(numbers, congruent))
    return congruent;
  if (congruent.terms.size() > kMaxTerms)
    return numbers.unknownWord();
  Number wrapped = numbers.makeAtom(Atom::Kind::Word, congruent, Number(), {});
  numbers.setWord(wrapped.terms[0].atoms[0]);
  return wrapped;
}

/// Chooses the word among numbers that are congruent to a result: `congruent`
/// or `exact` if that is known to be a word, else a wrapped number. `exact` is
/// the mathematical result.
static Number pickWord(Numbers &numbers, const Number &congruent,
                       const std::optional<Number> &exact) {
  if (!congruent.isConstant() && isNegatable(congruent) &&
      isWord(numbers, congruent))
    return congruent;
  if (exact && !congruent.isConstant() && isWord(numbers, *exact))
    return *exact;
  return wrap(numbers, congruent);
}

Number infer::addWords(Numbers &numbers, const Number &a, const Number &b) {
  Polynomial sum;
  sum.add(unwrap(numbers, a), 1);
  sum.add(unwrap(numbers, b), 1);
  std::optional<Number> exact = add(numbers, a, b);
  return pickWord(numbers, sum.get(), exact);
}

Number infer::subtractWords(Numbers &numbers, const Number &a,
                            const Number &b) {
  return addWords(numbers, a, multiplyWords(numbers, b, Number(-1)));
}

Number infer::multiplyWords(Numbers &numbers, const Number &a,
                            const Number &b) {
  Number x = unwrap(numbers, a), y = unwrap(numbers, b);
  if (x.isConstant() && y.isConstant())
    return numbers.word(multiplyWrapping(x.constant, y.constant));
  std::optional<Number> exact = multiply(numbers, a, b);
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
    return pickWord(numbers, products.get(), exact);
  return exact && isWord(numbers, *exact) ? *exact : numbers.unknownWord();
}
