//===- NumberProver.cpp - extents, proved by their numbers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberProver.h"

using namespace broadloom;
using namespace broadloom::infer;

/// Asks the table of numbers if that may know more than the table of symbols.
Answer NumberProver::decideEqual(Extent a, Extent b) const {
  for (Extent extent : {a, b})
    if (!extent.isSymbol() && !extent.isFixed())
      return {};
  if (!numbers.mayKnowMore(a) && !numbers.mayKnowMore(b))
    return {};
  return numbers.decide(
      numbers.equal(numbers.numberOf(a), numbers.numberOf(b)));
}

Answer NumberProver::equal(Extent a, Extent b) const {
  Answer answer = bySymbols.equal(a, b);
  if (!answer.isUnknown())
    return answer;
  Answer byNumbers = decideEqual(a, b);
  return byNumbers.isUnknown() ? answer : byNumbers;
}

Answer NumberProver::isOne(Extent extent) const {
  Answer answer = bySymbols.isOne(extent);
  if (!answer.isUnknown())
    return answer;
  Answer byNumbers = decideEqual(extent, Extent::fixed(1));
  return byNumbers.isUnknown() ? answer : byNumbers;
}

Answer NumberProver::compatible(Extent a, Extent b) const {
  Answer answer = Prover::compatible(a, b);
  return answer.isUnknown() ? bySymbols.compatible(a, b) : answer;
}

Extent NumberProver::resolve(Extent extent) const {
  Extent known = bySymbols.resolve(extent);
  if (!known.isSymbol() || !numbers.mayKnowMore(known))
    return known;
  Bounds bounds = numbers.boundsOf(numbers.numberOf(known));
  return bounds.lo == bounds.hi ? Extent::fixed(bounds.lo) : known;
}
