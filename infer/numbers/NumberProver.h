//===- NumberProver.h - extents, proved by their numbers --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers questions about extents by the table of symbols and, if that has no
// answer, by the numbers that define the symbols.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERPROVER_H
#define BROADLOOM_INFER_NUMBERS_NUMBERPROVER_H

#include "infer/numbers/Numbers.h"

namespace broadloom::infer {

class NumberProver final : public Prover {
public:
  /// The table may grow: questions add conditions to it.
  explicit NumberProver(Numbers &numbers)
      : numbers(numbers), bySymbols(numbers.getSymbols()) {}

  Answer equal(Extent a, Extent b) const override;
  Answer isOne(Extent extent) const override;
  Answer compatible(Extent a, Extent b) const override;
  Extent resolve(Extent extent) const override;
  std::string explain(const Answer &answer) const override {
    return bySymbols.explain(answer);
  }

private:
  Answer decideEqual(Extent a, Extent b) const;

  Numbers &numbers;
  SymbolProver bySymbols;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERPROVER_H
