//===- NumberWords.cpp - numbers that are words of 64 bits ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are mathematical integers. The integers of a program are words, and
// their sums and products wrap: they are the numbers that they look like only
// where these are known to be words.
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

/// How far bounds look into atoms for what facts say of their parts.
static constexpr unsigned kDepth = 3;
/// How many facts about one atom are looked at.
static constexpr size_t kMaxForms = 6;
/// Beyond these nothing is known of a word but that it is one.
static constexpr size_t kMaxTerms = 16;
static constexpr size_t kMaxDegree = 8;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void Numbers::limitExtent(Extent extent, int64_t most, uint32_t owner) {
  if (extent.isSymbol())
    limits.try_emplace(extent.symbolId(), Limit{most, owner});
}

static WideBounds ofMagnitude(WideBounds a) {
  __int128 most = std::max(a.lo < 0 ? -a.lo : a.lo, a.hi < 0 ? -a.hi : a.hi);
  return {-most, most};
}

/// What follows for an atom from the bounds of what it is made of.
WideBounds Numbers::wideOfParts(const Atom &atom, WideBounds a,
                                WideBounds b) const {
  using Kind = Atom::Kind;
  WideBounds wide = widen(atom.bounds);
  switch (atom.kind) {
  case Kind::Sum:
    return wide.intersect(addBounds(a, b));
  case Kind::Product:
    return wide.intersect(multiplyBounds(a, b));
  case Kind::Quotient:
    wide = wide.intersect(ofMagnitude(a));
    if (b.lo <= 0)
      return wide;
    // Divided by 1 or more it comes nearer to 0, or to -1.
    wide.lo = std::max(wide.lo, std::min<__int128>(a.lo, 0));
    wide.hi = std::min(wide.hi, a.hi == WideBounds::kNone
                                    ? a.hi
                                    : std::max<__int128>(a.hi / b.lo, 0));
    return wide;
  case Kind::TruncatedQuotient:
  case Kind::TruncatedRemainder:
    return wide.intersect(ofMagnitude(a));
  case Kind::Remainder:
    return wide.intersect(ofMagnitude(b));
  case Kind::Minimum:
    return wide.intersect({std::min(a.lo, b.lo), std::min(a.hi, b.hi)});
  case Kind::Maximum:
    return wide.intersect({std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
  case Kind::Select:
    return wide.intersect({std::min(a.lo, b.lo), std::max(a.hi, b.hi)});
  case Kind::End:
    return {atom.a.constant, atom.a.constant};
  case Kind::Word:
    return wide.intersect(a.isInWord() ? a : WideBounds::ofWord());
  case Kind::BitAnd:
    return wide.intersect(
        {std::min<__int128>({a.lo, b.lo, 0}), std::max(a.hi, b.hi)});
  default:
    return wide;
  }
}

/// The extents of one tensor have a product that is limited as they are.
WideBounds
Numbers::wideOfSum(const Number &number,
                   llvm::function_ref<WideBounds(AtomId)> ofAtom) const {
  WideBounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    WideBounds product{1, 1};
    const Limit *limit = nullptr;
    AtomId before = 0;
    for (size_t i = 0; i < term.atoms.size(); ++i) {
      AtomId id = term.atoms[i];
      auto it = atoms[id].kind == Atom::Kind::Symbol
                    ? limits.find(atoms[id].symbol)
                    : limits.end();
      bool isOther = i > 0 && before != id;
      if (it == limits.end() ||
          (i > 0 && (!limit || !isOther || limit->owner != it->second.owner)))
        limit = nullptr;
      else
        limit = &it->second;
      before = id;
      product = multiplyBounds(product, ofAtom(id));
      if (limit)
        product.hi = std::min<__int128>(product.hi, limit->most);
    }
    sum = addBounds(sum, multiplyBounds(product, {term.factor, term.factor}));
  }
  return sum;
}

WideBounds Numbers::naturalWideOf(const Number &number) const {
  return wideOfSum(number, [&](AtomId id) { return atoms[id].wide; });
}

/// Where i + k is less than n, and n has a bound, i has one.
WideBounds Numbers::wideByForms(AtomId id, unsigned depth) const {
  WideBounds wide;
  auto it = formsOf.find(id);
  if (it == formsOf.end())
    return wide;
  const std::vector<const Number *> &about = it->second;
  size_t first = about.size() - std::min(about.size(), kMaxForms);
  for (size_t i = first; i < about.size(); ++i) {
    Number rest = *about[i];
    auto own = std::find_if(
        rest.terms.begin(), rest.terms.end(), [&](const Term &term) {
          return term.atoms.size() == 1 && term.atoms[0] == id;
        });
    if (own == rest.terms.end() || std::abs(own->factor) != 1)
      continue;
    int64_t factor = own->factor;
    rest.terms.erase(own);
    WideBounds others =
        depth > 1 ? wideBoundsOf(rest, depth - 1) : naturalWideOf(rest);
    WideBounds of = addBounds(widen(forms.at(*about[i]).bounds),
                              multiplyBounds(others, WideBounds{-1, -1}));
    wide = wide.intersect(multiplyBounds(of, WideBounds{factor, factor}));
  }
  return wide;
}

WideBounds Numbers::wideBoundsOfAtom(AtomId id, unsigned depth) const {
  const Atom &atom = atoms[id];
  WideBounds wide = atom.wide;
  if (depth == 0)
    return wide;
  wide = wide.intersect(widen(boundsOfAtom(id, depth)));
  wide = wide.intersect(wideByForms(id, depth));
  using Kind = Atom::Kind;
  if (wide.isInWord() || atom.kind == Kind::Symbol ||
      atom.kind == Kind::Unknown || atom.kind == Kind::End)
    return wide;
  return wide.intersect(wideOfParts(atom, wideBoundsOf(atom.a, depth - 1),
                                    wideBoundsOf(atom.b, depth - 1)));
}

WideBounds Numbers::wideBoundsOf(const Number &number, unsigned depth) const {
  if (depth == 0 || (forms.empty() && symbols.mark() == 0))
    return naturalWideOf(number);
  WideBounds wide =
      wideOfSum(number, [&](AtomId id) { return wideBoundsOfAtom(id, depth); });
  if (number.isConstant() || wide.isInWord() || !isNegatable(number))
    return wide;
  Split split(number);
  if (const FormFact *known = findForm(split.form)) {
    WideBounds form = multiplyBounds(widen(known->bounds),
                                     WideBounds{split.factor, split.factor});
    wide = wide.intersect(
        addBounds(form, WideBounds{split.constant, split.constant}));
  }
  return wide;
}

WideBounds Numbers::wideBoundsOf(const Number &number) const {
  // Most numbers need no facts.
  WideBounds natural = naturalWideOf(number);
  return natural.isInWord() ? natural : wideBoundsOf(number, kDepth);
}

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
  atoms[id].wide = atoms[id].wide.intersect(WideBounds::ofWord());
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
    // No number that fits is beyond it.
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

/// Arithmetic on factors that wraps, as that on words does.
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

/// A number that is congruent to `number`, whose words have been looked into.
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

/// Of numbers that are congruent to a result, of which `exact` is the result
/// itself if it is a word: one that is known to be it.
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
// What is asked of numbers that are computed
//===----------------------------------------------------------------------===//

ConditionId Numbers::isComputable(const Number &number) {
  struct Part {
    Number number;
    bool isRead;
  };
  // Of a difference a guard cannot say that it fits without a number that does
  // not, since terms are compared on two sides; so only sums of products of
  // extents and words are asked for.
  auto isSum = [&](const Number &of) {
    return of.constant >= 0 &&
           std::all_of(of.terms.begin(), of.terms.end(), [&](const Term &term) {
             return term.factor > 0 &&
                    std::all_of(term.atoms.begin(), term.atoms.end(),
                                [&](AtomId id) {
                                  Atom::Kind kind = atoms[id].kind;
                                  return kind == Atom::Kind::Symbol ||
                                         kind == Atom::Kind::Unknown;
                                });
           });
  };
  ConditionId all = kTrue;
  std::vector<Part> work{{number, true}};
  llvm::DenseSet<AtomId> seen;
  while (!work.empty()) {
    Part next = std::move(work.back());
    work.pop_back();
    if (next.isRead && isSum(next.number) && !isWord(next.number))
      all = both(all, both(atMost(Number(-Bounds::kNone + 1), next.number),
                           atMost(next.number, Number(Bounds::kNone - 1))));
    for (const Term &term : next.number.terms)
      for (AtomId id : term.atoms) {
        const Atom &atom = atoms[id];
        using Kind = Atom::Kind;
        if (atom.kind == Kind::Unknown || atom.kind == Kind::Symbol ||
            atom.kind == Kind::End || !seen.insert(id).second)
          continue;
        // Where a whole fits, the parts that are added up may wrap.
        bool isRead = atom.kind != Kind::Word && atom.kind != Kind::Sum &&
                      atom.kind != Kind::Product;
        work.push_back({atom.a, isRead});
        work.push_back({atom.b, isRead});
      }
  }
  return all;
}
