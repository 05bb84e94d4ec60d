//===- Condition.cpp - a condition on symbols -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Condition.h"

using namespace broadloom;
using namespace broadloom::poly;

std::optional<bool>
Condition::evaluate(const std::vector<int64_t> &values) const {
  bool isKnown = true;
  for (const Clause &clause : clauses) {
    bool holds = false, mayHold = false;
    for (const Form &form : clause) {
      std::optional<__int128> value = space.evaluate(form, values);
      holds |= value && *value >= 0;
      mayHold |= !value;
    }
    if (!holds && !mayHold)
      return false;
    isKnown &= holds;
  }
  return isKnown ? std::optional(true) : std::nullopt;
}

std::string Condition::print() const {
  if (isTrue())
    return "true";
  std::string text;
  for (const Clause &clause : clauses) {
    text += text.empty() ? "" : " and ";
    bool isAlone = clause.size() == 1 || clauses.size() == 1;
    text += isAlone ? "" : "(";
    for (size_t i = 0; i < clause.size(); ++i)
      text += (i ? " or " : "") + space.print(isNotNegative(clause[i]));
    text += clause.empty() ? "false" : "";
    text += isAlone ? "" : ")";
  }
  return text;
}
