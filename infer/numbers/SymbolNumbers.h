//===- SymbolNumbers.h - numbers of the symbols of extents ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that symbols of extents stand for. A symbol that was made of a
// number, or of a broadcast, is defined by that; any other one is an atom.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_SYMBOLNUMBERS_H
#define BROADLOOM_INFER_NUMBERS_SYMBOLNUMBERS_H

#include "infer/numbers/Number.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace broadloom::infer {

class SymbolNumbers {
public:
  /// The number that a symbol was made of; null for any other symbol.
  const Number *getMade(SymbolId symbol) const {
    auto it = made.find(symbol);
    return it == made.end() ? nullptr : &it->second;
  }
  /// The number that a symbol, also one of a broadcast, was made of.
  const Number *getDefinition(SymbolId symbol) const {
    if (const Number *number = getMade(symbol))
      return number;
    auto it = joins.find(symbol);
    return it == joins.end() ? nullptr : &it->second;
  }
  /// The symbol that was made of a number.
  std::optional<SymbolId> find(const Number &number) const {
    auto it = symbols.find(number);
    return it == symbols.end() ? std::nullopt : std::optional(it->second);
  }
  void define(SymbolId symbol, const Number &number) {
    symbols[number] = symbol;
    made[symbol] = number;
  }
  void defineJoin(SymbolId symbol, Number number) {
    joins.emplace(symbol, std::move(number));
  }

  std::optional<AtomId> findAtom(SymbolId symbol) const {
    auto it = atoms.find(symbol);
    return it == atoms.end() ? std::nullopt : std::optional(it->second);
  }
  void setAtom(SymbolId symbol, AtomId atom) { atoms[symbol] = atom; }

private:
  std::unordered_map<SymbolId, Number> made;
  std::unordered_map<SymbolId, Number> joins;
  std::map<Number, SymbolId> symbols;
  llvm::DenseMap<SymbolId, AtomId> atoms;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_SYMBOLNUMBERS_H
