//===- Numbers.h - integers that are known in part --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers and truth values of shape functions (sf-6): sums of products of
// symbols, quotients, remainders, minima, and choices by a condition. A number
// that cannot be written as a sum of products is an atom of its own, equal to
// every number that is computed in the same way.
//
// Numbers is a table of them (NumberTable.h) with the facts that hold at one
// operation (NumberFacts.h). Free functions compute with both:
// NumberArithmetic.h, NumberBounds.h, Conditions.h, SymbolExtents.h and
// NumberText.h.
//
// Invariant: atoms and conditions have a meaning only in the table that made
// them. The bounds of an atom hold wherever it is computed. A Scope takes facts
// back (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERS_H
#define BROADLOOM_INFER_NUMBERS_NUMBERS_H

#include "infer/numbers/NumberFacts.h"
#include "infer/numbers/NumberTable.h"
#include "infer/numbers/SymbolNumbers.h"
#include "shape/Prover.h"
#include "shape/Symbols.h"

namespace broadloom::infer {

class Numbers : public NumberTable {
public:
  /// Unknown extents get symbols in `symbols`, which must outlive this table.
  explicit Numbers(Symbols &symbols) : symbols(symbols), prover(symbols) {}

  NumberFacts &getFacts() { return facts; }
  const NumberFacts &getFacts() const { return facts; }
  SymbolNumbers &getSymbolNumbers() { return symbolNumbers; }
  const SymbolNumbers &getSymbolNumbers() const { return symbolNumbers; }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  const Prover &getProver() const { return prover; }

  /// Whether anything is known of numbers but what follows from types.
  bool hasFacts() const { return facts.hasForms() || symbols.mark() != 0; }
  /// The number of facts; it decreases only at the end of a scope.
  size_t mark() const { return facts.mark(); }

  /// Assumptions that are made while it lives are taken back at its end. The
  /// owner of the table of symbols takes back the facts that `record` added
  /// there.
  class Scope {
  public:
    explicit Scope(Numbers &numbers)
        : facts(numbers.facts), mark(facts.mark()) {}
    ~Scope() {
      if (!isKept)
        facts.rollBack(mark);
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// Keeps the facts beyond the end of the scope.
    void keep() { isKept = true; }

  private:
    NumberFacts &facts;
    size_t mark;
    bool isKept = false;
  };

private:
  Symbols &symbols;
  SymbolProver prover;
  NumberFacts facts;
  SymbolNumbers symbolNumbers;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERS_H
