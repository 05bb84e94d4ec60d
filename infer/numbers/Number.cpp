//===- Number.cpp - sums of products --------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Number.h"
#include "infer/numbers/BoundArithmetic.h"

#include <algorithm>
#include <tuple>

using namespace broadloom;
using namespace broadloom::infer;

bool infer::operator==(const Term &a, const Term &b) {
  return a.factor == b.factor && a.atoms == b.atoms;
}
bool infer::operator<(const Term &a, const Term &b) {
  return std::tie(a.atoms, a.factor) < std::tie(b.atoms, b.factor);
}

bool infer::operator==(const Number &a, const Number &b) {
  return a.constant == b.constant && a.terms == b.terms;
}

bool infer::operator<(const Number &a, const Number &b) {
  return std::tie(a.constant, a.terms) < std::tie(b.constant, b.terms);
}

bool infer::isNegatable(const Number &number) {
  return fits(number.constant) &&
         std::all_of(number.terms.begin(), number.terms.end(),
                     [](const Term &term) { return fits(term.factor); });
}

std::pair<Number, Number> infer::splitSigns(const Number &number) {
  Number plus(std::max<int64_t>(number.constant, 0));
  Number minus(std::max<int64_t>(-number.constant, 0));
  for (const Term &term : number.terms) {
    if (term.factor > 0)
      plus.terms.push_back(term);
    else
      minus.terms.push_back({term.atoms, -term.factor});
  }
  return {plus, minus};
}
