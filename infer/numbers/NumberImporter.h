//===- NumberImporter.h - numbers of one table in another -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says in the terms of one table what a number of another is, once it is known
// what that number's symbols are.
//
// Invariant: what cannot be said, or only at length, is not said at all.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H
#define BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H

#include "infer/numbers/Numbers.h"

namespace broadloom::infer {

class NumberImporter {
public:
  /// The number in `to` for a symbol of `from`, if there is one; symbols that
  /// were computed from others are looked into where there is none.
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
  /// How many parts may still be looked at; and how far inside each other.
  unsigned budget = 256;
  unsigned depth = 0;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERIMPORTER_H
