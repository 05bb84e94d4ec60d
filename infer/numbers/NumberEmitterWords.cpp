//===- NumberEmitterWords.cpp - which emitted numbers are words -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberEmitter.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether the parts of an atom that must be words are words; null if that is
/// known. Parts of sums and products only have to be right modulo 2^64.
Value NumberEmitter::getAtomFits(AtomId id) {
  auto it = atomFits.find(id);
  if (it != atomFits.end())
    return it->second;
  const Atom &atom = numbers.getAtom(id);
  using Kind = Atom::Kind;
  CheckedArithmetic checked(builder, loc);
  Value fits;
  switch (atom.kind) {
  case Kind::Unknown:
  case Kind::End:
    break;
  case Kind::Symbol:
    if (!hasSymbol(atom.symbol))
      fits = getFits(*getDefinition(numbers, atom.symbol));
    break;
  case Kind::Word:
  case Kind::Sum:
  case Kind::Product:
    for (const Number *part : {&atom.a, &atom.b})
      for (const Term &term : part->terms)
        for (AtomId inner : term.atoms)
          fits = checked.both(fits, getAtomFits(inner));
    break;
  case Kind::Select: {
    // Only the chosen operand has to fit.
    Value a = getFits(atom.a), b = getFits(atom.b);
    if (a || b)
      fits =
          arith::SelectOp::create(builder, loc, emitCondition(atom.condition),
                                  checked.orTrue(a), checked.orTrue(b));
    Verdict chosen = getVerdict(atom.condition);
    if (!chosen.isExact())
      fits = checked.both(
          fits, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      chosen.holds, chosen.mayHold));
    break;
  }
  default:
    fits = checked.both(getFits(atom.a), getFits(atom.b));
    // The only quotient of two words that overflows: the least word by -1.
    if ((atom.kind == Kind::Quotient || atom.kind == Kind::TruncatedQuotient) &&
        wideBoundsOf(numbers, atom.b).lo <= 0 &&
        wideBoundsOf(numbers, atom.a).lo <= WideBounds::ofWord().lo) {
      Value least = arith::ConstantIndexOp::create(
          builder, loc, std::numeric_limits<int64_t>::min());
      auto differ = [&](Value x, Value y) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x,
                                     y);
      };
      fits = checked.both(
          fits, arith::OrIOp::create(builder, loc, differ(emit(atom.a), least),
                                     differ(emit(atom.b), makeConstant(-1))));
    }
    break;
  }
  return atomFits[id] = fits;
}

/// Whether a number is a word; null if that is known.
Value NumberEmitter::getFits(const Number &number) {
  Value fits;
  if (!isWord(numbers, number)) {
    emitChecked(number, fits);
    return fits;
  }
  CheckedArithmetic checked(builder, loc);
  for (const Term &term : number.terms)
    for (AtomId id : term.atoms)
      fits = checked.both(fits, getAtomFits(id));
  return fits;
}

/// Emits a number that is read as a word.
Checked NumberEmitter::emitRead(const Number &number) {
  if (isWord(numbers, number))
    return {emit(number), getFits(number)};
  Checked result;
  result.value = emitChecked(number, result.fits);
  return result;
}

/// Emits an atom that is read as a word. Sums and products are checked here,
/// because nothing else checks that the whole is a word.
Checked NumberEmitter::emitCheckedAtom(AtomId id) {
  const Atom &atom = numbers.getAtom(id);
  bool isSum = atom.kind == Atom::Kind::Sum;
  Number self;
  self.terms.push_back({{id}, 1});
  if ((!isSum && atom.kind != Atom::Kind::Product) || isWord(numbers, self))
    return {emitAtom(id), getAtomFits(id)};
  CheckedArithmetic checked(builder, loc);
  Checked a = emitRead(atom.a), b = emitRead(atom.b);
  return isSum ? checked.add(a, b, /*isWord=*/false)
               : checked.multiply(a, b, /*isWord=*/false);
}

/// Emits the number step by step; `fits` says whether each step was a word.
Value NumberEmitter::emitChecked(const Number &number, Value &fits) {
  CheckedArithmetic checked(builder, loc);
  Checked sum;
  auto getConstant = [&](int64_t value) {
    return Checked{makeConstant(value), nullptr};
  };
  auto isPartWord = [&](const std::vector<AtomId> &atoms, int64_t factor) {
    Number part;
    part.terms.push_back({atoms, factor});
    return isWord(numbers, part);
  };
  for (const Term &term : number.terms) {
    Checked product;
    std::vector<AtomId> before;
    for (AtomId id : term.atoms) {
      Checked atom = emitCheckedAtom(id);
      before.push_back(id);
      product = product.value
                    ? checked.multiply(product, atom, isPartWord(before, 1))
                    : atom;
    }
    if (term.factor != 1)
      product = checked.multiply(product, getConstant(term.factor),
                                 isPartWord(before, term.factor));
    sum = sum.value ? checked.add(sum, product, /*isWord=*/false) : product;
  }
  if (number.constant != 0)
    sum = checked.add(sum, getConstant(number.constant), /*isWord=*/false);
  fits = sum.fits;
  return sum.value;
}
