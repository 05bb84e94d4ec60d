//===- NumberImporter.h - numbers of one table in another -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates a number of one table to another, given a translation of its
// symbols.
//
// Invariant: a number that cannot be translated, or only to a long one, is left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H
#define BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H

#include "infer/numbers/Numbers.h"

namespace broadloom::infer {

class NumberImporter {
public:
  /// The number in `to` for a symbol of `from`, if there is one; a symbol
  /// without one that was computed from others is translated by its definition.
  using Translate = std::function<std::optional<Number>(SymbolId)>;

  NumberImporter(const Numbers &from, Numbers &to, Translate translate)
      : from(from), to(to), translate(std::move(translate)) {}

  std::optional<Number> get(const Number &number);

private:
  std::optional<Number> getWord(const Number &number);
  std::optional<Number> getAtom(AtomId id);
  std::optional<Number> makeAtom(const Atom &atom);
  std::optional<ConditionId> getCondition(ConditionId id);

  const Numbers &from;
  Numbers &to;
  Translate translate;
  llvm::DenseMap<AtomId, std::optional<Number>> atoms;
  /// How many parts may still be visited, and the depth.
  unsigned budget = 256;
  unsigned depth = 0;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H
