//===- NumberProver.cpp - extents, proved by their numbers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberProver.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

using namespace broadloom;
using namespace broadloom::infer;

/// Asks the table of numbers if that may know more than the table of symbols.
Answer NumberProver::decideEqual(Extent a, Extent b) const {
  for (Extent extent : {a, b})
    if (!extent.isSymbol() && !extent.isFixed())
      return {};
  if (!mayKnowMore(numbers, a) && !mayKnowMore(numbers, b))
    return {};
  return decide(numbers, infer::equal(numbers, numberOf(numbers, a),
                                      numberOf(numbers, b)));
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
  if (!known.isSymbol() || !mayKnowMore(numbers, known))
    return known;
  Bounds bounds = boundsOf(numbers, numberOf(numbers, known));
  return bounds.lo == bounds.hi ? Extent::fixed(bounds.lo) : known;
}
