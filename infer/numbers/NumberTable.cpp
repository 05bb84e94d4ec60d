//===- NumberTable.cpp - interned numbers and conditions ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberTable.h"
#include "infer/numbers/FormSplit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// A deeper number becomes an unknown one with its bounds.
static constexpr unsigned kMaxDepth = 64;
/// The limit of nested conditions; a deeper one is unknown.
static constexpr unsigned kMaxConditionDepth = 4096;

NumberTable::NumberTable() {
  conditions.push_back({Condition::Kind::False, {}, 0, 0});
  conditions.push_back({Condition::Kind::True, {}, 0, 0});
  conditions.push_back({Condition::Kind::Unknown, {}, 0, 0});
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

Number infer::makeSingle(AtomId atom) {
  Number number;
  number.terms.push_back({{atom}, 1});
  return number;
}

/// Whether the bounds allow one number only, which is no end of the range.
static bool isOneNumber(Bounds bounds) {
  return bounds.lo == bounds.hi && fits(bounds.lo);
}

Number NumberTable::addAtom(Atom atom) {
  atoms.push_back(std::move(atom));
  return makeSingle(atoms.size() - 1);
}

Number NumberTable::unknown(Bounds bounds) {
  if (isOneNumber(bounds))
    return Number(bounds.lo);
  Atom atom;
  atom.bounds = bounds;
  atom.wide = widen(bounds);
  return addAtom(std::move(atom));
}

Number NumberTable::unknownWord(Bounds bounds) {
  Number number = unknown(bounds);
  if (!number.isConstant())
    setWord(number.terms[0].atoms[0]);
  return number;
}

void NumberTable::setWord(AtomId id) {
  WideBounds &wide = atoms[id].wide;
  if (wide.isInWord())
    return;
  wide = wide.intersect(WideBounds::ofWord());
  ++version;
}

Number NumberTable::word(int64_t value) {
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
  return makeSingle(it->second);
}

std::optional<int64_t> NumberTable::getWord(const Number &number) const {
  if (number.isConstant())
    return number.constant;
  if (number.constant != 0 || number.terms.size() != 1 ||
      number.terms[0].factor != 1 || number.terms[0].atoms.size() != 1)
    return std::nullopt;
  const Atom &atom = atoms[number.terms[0].atoms[0]];
  return atom.kind == Atom::Kind::End ? std::optional(atom.a.constant)
                                      : std::nullopt;
}

AtomId NumberTable::addSymbol(SymbolId symbol, Bounds bounds, WideBounds wide) {
  Atom atom;
  atom.kind = Atom::Kind::Symbol;
  atom.symbol = symbol;
  atom.bounds = bounds;
  atom.wide = wide;
  atoms.push_back(std::move(atom));
  return atoms.size() - 1;
}

unsigned NumberTable::depthOf(const Number &number) const {
  unsigned depth = 0;
  for (const Term &term : number.terms)
    for (AtomId id : term.atoms)
      depth = std::max(depth, atoms[id].depth);
  return depth;
}

Number NumberTable::makeAtom(Atom::Kind kind, const Number &a, const Number &b,
                             Bounds bounds, ConditionId condition) {
  if (isOneNumber(bounds))
    return Number(bounds.lo);
  unsigned depth =
      1 + std::max({depthOf(a), depthOf(b), conditions[condition].depth});
  if (depth > kMaxDepth) {
    Number deep = unknown(bounds);
    atoms.back().wide =
        wideOfParts({kind, 0, condition, a, b, bounds, {}, depth},
                    naturalWideOf(a), naturalWideOf(b));
    return deep;
  }
  auto [it, isNew] =
      interned.try_emplace({kind, condition, a, b}, atoms.size());
  if (isNew) {
    atoms.push_back({kind, 0, condition, a, b, bounds, {}, depth});
    Atom &atom = atoms.back();
    atom.wide = wideOfParts(atom, naturalWideOf(a), naturalWideOf(b));
  }
  return makeSingle(it->second);
}

std::optional<AtomId> NumberTable::findAtom(Atom::Kind kind, const Number &a,
                                            const Number &b) const {
  auto it = interned.find({kind, ConditionId(0), a, b});
  return it == interned.end() ? std::nullopt : std::optional(it->second);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

ConditionId NumberTable::makeCondition(Condition condition) {
  condition.depth =
      1 + std::max({depthOf(condition.number), conditions[condition.a].depth,
                    conditions[condition.b].depth});
  if (condition.depth > kMaxConditionDepth)
    return kUnknown;
  auto [it, isNew] = internedConditions.try_emplace(
      {condition.kind, condition.number, condition.a, condition.b},
      conditions.size());
  if (isNew)
    conditions.push_back(std::move(condition));
  return it->second;
}

ConditionId NumberTable::both(ConditionId a, ConditionId b) {
  if (a == kFalse || b == kFalse)
    return kFalse;
  if (a == kTrue || a == b)
    return b;
  if (b == kTrue)
    return a;
  return makeCondition({Condition::Kind::And, {}, a, b});
}

ConditionId NumberTable::either(ConditionId a, ConditionId b) {
  if (a == kTrue || b == kTrue)
    return kTrue;
  if (a == kFalse || a == b)
    return b;
  if (b == kFalse)
    return a;
  return makeCondition({Condition::Kind::Or, {}, a, b});
}

ConditionId NumberTable::negate(ConditionId a) {
  if (a == kFalse || a == kTrue)
    return constant(a == kFalse);
  if (a == kUnknown)
    return a;
  if (conditions[a].kind == Condition::Kind::Not)
    return conditions[a].a;
  return makeCondition({Condition::Kind::Not, {}, a, 0});
}

std::vector<ConditionId> NumberTable::getParts(ConditionId id) const {
  std::vector<ConditionId> parts, work{id};
  llvm::DenseSet<ConditionId> seen{id};
  while (!work.empty()) {
    ConditionId next = work.back();
    work.pop_back();
    const Condition &condition = conditions[next];
    if (condition.kind != Condition::Kind::And) {
      parts.push_back(next);
      continue;
    }
    for (ConditionId part : {condition.b, condition.a})
      if (seen.insert(part).second)
        work.push_back(part);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Bounds by definition
//===----------------------------------------------------------------------===//

static WideBounds ofMagnitude(WideBounds a) {
  __int128 most = std::max(a.lo < 0 ? -a.lo : a.lo, a.hi < 0 ? -a.hi : a.hi);
  return {-most, most};
}

WideBounds infer::wideOfParts(const Atom &atom, WideBounds a, WideBounds b) {
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
    // A division by 1 or more moves a number nearer to 0, or to -1.
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

Bounds NumberTable::naturalBoundsOf(const Number &number) const {
  Bounds sum = sumBounds(number, [&](AtomId id) { return atoms[id].bounds; });
  if (number.isConstant() || !mayHaveLimit(number) || !isNegatable(number))
    return sum;
  Split split(number);
  const Bounds *limit = findLimit(split.form);
  return limit ? sum.intersect(split.ofNumber(*limit)) : sum;
}

/// The product of the extents of one tensor has the same limit as each extent.
WideBounds
NumberTable::wideOfSum(const Number &number,
                       llvm::function_ref<WideBounds(AtomId)> ofAtom) const {
  WideBounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    WideBounds product{1, 1};
    const Limit *limit = nullptr;
    AtomId before = 0;
    for (size_t i = 0; i < term.atoms.size(); ++i) {
      AtomId id = term.atoms[i];
      auto it = atoms[id].kind == Atom::Kind::Symbol
                    ? extentLimits.find(atoms[id].symbol)
                    : extentLimits.end();
      bool isOther = i > 0 && before != id;
      if (it == extentLimits.end() ||
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

WideBounds NumberTable::naturalWideOf(const Number &number) const {
  return wideOfSum(number, [&](AtomId id) { return atoms[id].wide; });
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void NumberTable::limitExtent(Extent extent, int64_t most, uint32_t owner) {
  if (extent.isSymbol())
    extentLimits.try_emplace(extent.symbolId(), Limit{most, owner});
}

std::optional<int64_t> NumberTable::getLimit(SymbolId symbol) const {
  auto it = extentLimits.find(symbol);
  return it == extentLimits.end() ? std::nullopt
                                  : std::optional(it->second.most);
}

void NumberTable::limitForm(const Number &number, Bounds bounds) {
  if (number.isConstant() || !isNegatable(number))
    return;
  Split split(number);
  Bounds ofForm = split.ofForm(bounds);
  auto [it, isNew] = formLimits.try_emplace(split.form, ofForm);
  if (!isNew && it->second.lo >= ofForm.lo && it->second.hi <= ofForm.hi)
    return;
  ++version;
  it->second = it->second.intersect(ofForm);
  if (!isNew)
    return;
  for (const Term &term : it->first.terms)
    for (AtomId atom : term.atoms)
      limitsOf[atom].push_back(&*it);
}

bool NumberTable::mayHaveLimit(const Number &number) const {
  return hasLimits() && llvm::any_of(number.terms, [&](const Term &term) {
           return llvm::any_of(
               term.atoms, [&](AtomId id) { return limitsOf.contains(id); });
         });
}

const Bounds *NumberTable::findLimit(const Number &form) const {
  auto it = formLimits.find(form);
  return it == formLimits.end() ? nullptr : &it->second;
}

llvm::ArrayRef<const NumberTable::FormLimits::value_type *>
NumberTable::getLimits(AtomId atom) const {
  auto it = limitsOf.find(atom);
  if (it == limitsOf.end())
    return {};
  return it->second;
}
