//===- SymbolExtents.h - extents as numbers, numbers as extents -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of extents, extents of numbers, and what the table of symbols knows
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_SYMBOLEXTENTS_H
#define BROADLOOM_INFER_NUMBERS_SYMBOLEXTENTS_H

#include "infer/numbers/Numbers.h"

#include <optional>
#include <string_view>
#include <vector>

namespace broadloom::infer {

/// A new symbol for `?`; for a symbol of extentOf, the number that it was
/// made of.
Number numberOf(Numbers &numbers, Extent extent);
/// A static extent, a symbol, or a new symbol for this number and all equal
/// ones. A number that is proved negative gives `?`.
Extent extentOf(Numbers &numbers, const Number &number);
/// The number; if it is long, in terms of a symbol of extentOf.
Number shorten(Numbers &numbers, const Number &number);
/// The number of which extentOf, or a broadcast, made the symbol.
inline const Number *getDefinition(const Numbers &numbers, SymbolId symbol) {
  return numbers.getSymbolNumbers().getDefinition(symbol);
}
/// Whether the table of symbols may know less of an extent than this one.
bool mayKnowMore(const Numbers &numbers, Extent extent);
/// Defines the new symbol `joined` as the broadcast of `parts`: those that
/// are not 1 are equal. bcast-2
void defineJoin(Numbers &numbers, Extent joined,
                const std::vector<Extent> &parts);

// For decisions and facts (Conditions.h).

/// Decides comparisons by the table of symbols: n is 1, n is m.
Answer compareSymbols(const Numbers &numbers, const Number &number);
/// The number with equal symbols replaced by their representative: if n equals
/// m, b*n is b*m. Nothing if no factor changes.
std::optional<Number> renameFactors(const Numbers &numbers,
                                    const Number &number);
/// Records the conditions that broadcasts query: n is m, n is 4, n is not 1, n
/// <= 8, n and m broadcast.
void recordSymbols(Numbers &numbers, ConditionId condition,
                   std::string_view origin);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_SYMBOLEXTENTS_H
