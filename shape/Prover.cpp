//===- Prover.cpp - questions about extents -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Prover.h"

#include "shape/Formula.h"
#include "shape/Symbols.h"

namespace broadloom {

Prover::~Prover() = default;

Answer Prover::compatible(Extent a, Extent b) const {
  Answer oneA = isOne(a);
  if (oneA.isProved())
    return oneA;
  Answer oneB = isOne(b);
  if (oneB.isProved())
    return oneB;
  Answer same = equal(a, b);
  if (same.isProved())
    return same;
  if (same.isRefuted() && oneA.isRefuted() && oneB.isRefuted())
    return same;
  return Answer::unknown("neither equality nor an extent of 1 is known");
}

std::string Prover::explain(const Answer &answer) const {
  return answer.reason();
}

//===----------------------------------------------------------------------===//
// What types say
//===----------------------------------------------------------------------===//

Answer StaticProver::equal(Extent a, Extent b) const {
  if (a.isDynamic() || b.isDynamic())
    return Answer::unknown("an extent is not known statically");
  if (a == b)
    return a.isSymbol() ? Answer::proved("it is the same named extent")
                        : Answer::proved("both extents are static and equal");
  if (a.isStatic() && b.isStatic())
    return Answer::refuted("both extents are static and differ");
  return Answer::unknown("nothing is known of the named extent");
}

Answer StaticProver::isOne(Extent extent) const {
  if (extent.isFixed(1))
    return Answer::proved("the extent is statically 1");
  if (extent.isFixed())
    return Answer::refuted("the extent is static and not 1");
  if (extent.isScalable())
    return Answer::refuted("a scalable extent is not 1");
  return Answer::unknown("the extent is not known statically");
}

Answer StaticProver::compatible(Extent a, Extent b) const {
  if (a.isFixed() && b.isFixed())
    return compatibleExtents(a.value(), b.value())
               ? Answer::proved("both extents are static and broadcast")
               : Answer::refuted("both extents are static and differ");
  return Prover::compatible(a, b);
}

const Prover &staticProver() {
  static const StaticProver prover;
  return prover;
}

//===----------------------------------------------------------------------===//
// What a symbol table knows
//===----------------------------------------------------------------------===//

Extent SymbolProver::resolve(Extent extent) const {
  return symbols_.resolve(extent);
}

Answer SymbolProver::equal(Extent a, Extent b) const {
  int32_t fact = symbols_.lastFact(a);
  if (fact == Answer::kNoFact)
    fact = symbols_.lastFact(b);
  Extent shortA = resolve(a), shortB = resolve(b);
  Answer answer = staticProver().equal(shortA, shortB);
  if (!answer.isUnknown()) {
    if (a == shortA && b == shortB)
      return answer;
    return answer.isProved()
               ? Answer::proved("the extents are known to be equal", fact)
               : Answer::refuted("the extents are known to differ", fact);
  }
  // `?` and `[n]` have no range that could decide the question.
  if (a.isDynamic() || b.isDynamic() || a.isScalable() || b.isScalable())
    return answer;
  if (symbols_.range(a).intersect(symbols_.range(b)).isEmpty())
    return Answer::refuted("the extents' bounds exclude each other", fact);
  return answer;
}

Answer SymbolProver::isOne(Extent extent) const {
  if (!extent.isSymbol())
    return staticProver().isOne(extent);
  ExtentRange range = symbols_.range(extent);
  if (range.isConstant() && range.lo == 1)
    return Answer::proved("the extent is known to be 1",
                          symbols_.lastFact(extent));
  if (range.excludesOne())
    return Answer::refuted("the extent is known not to be 1",
                           symbols_.lastFact(extent));
  return Answer::unknown("nothing decides whether the extent is 1");
}

Answer SymbolProver::compatible(Extent a, Extent b) const {
  Answer answer = Prover::compatible(a, b);
  int32_t fact;
  if (answer.isUnknown() && symbols_.knownCompatible(a, b, &fact))
    return Answer::proved("the extents are known to broadcast", fact);
  return answer;
}

std::string SymbolProver::explain(const Answer &answer) const {
  std::string text = answer.reason();
  if (std::string_view origin = symbols_.origin(answer.fact()); !origin.empty())
    text.append(" (").append(origin).append(")");
  return text;
}

} // namespace broadloom
