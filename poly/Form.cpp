//===- Form.cpp - sums of products of variables ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Form.h"

#include "poly/Checked.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

//===----------------------------------------------------------------------===//
// Monomials
//===----------------------------------------------------------------------===//

unsigned Monomial::getDegree() const {
  unsigned degree = 0;
  for (uint64_t rest = packed; rest; rest >>= 16)
    ++degree;
  return degree;
}

Variable Monomial::getFactor(unsigned number) const {
  return Variable((packed >> (16 * (getDegree() - 1 - number))) - 1);
}

bool Monomial::contains(Variable variable) const {
  for (uint64_t rest = packed; rest; rest >>= 16)
    if ((rest & 0xffff) == uint64_t(variable) + 1)
      return true;
  return false;
}

std::optional<Monomial> Monomial::without(Variable variable) const {
  uint64_t rest = 0;
  bool isGone = false;
  for (unsigned i = 0; i < getDegree(); ++i) {
    Variable factor = getFactor(i);
    if (factor == variable && !isGone)
      isGone = true;
    else
      rest = rest << 16 | (uint64_t(factor) + 1);
  }
  if (!rest)
    return std::nullopt;
  Monomial result(0);
  result.packed = rest;
  return result;
}

std::optional<Monomial> Monomial::multiply(Monomial a, Monomial b) {
  std::array<uint16_t, 8> factors;
  unsigned count = 0;
  for (uint64_t all : {a.packed, b.packed})
    for (uint64_t rest = all; rest; rest >>= 16)
      factors[count++] = uint16_t(rest);
  if (count > 4)
    return std::nullopt;
  std::sort(factors.begin(), factors.begin() + count);
  Monomial product(0);
  product.packed = 0;
  for (unsigned i = 0; i < count; ++i)
    product.packed = product.packed << 16 | factors[i];
  return product;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Form Form::variable(Variable variable) {
  Form form;
  form.append(Monomial(variable), 1);
  return form;
}

Form Form::inexact() {
  Form form;
  form.exact = false;
  return form;
}

bool Form::contains(Variable variable) const {
  return std::any_of(terms.begin(), terms.end(), [&](const Term &term) {
    return term.monomial.contains(variable);
  });
}

int64_t Form::getDivisor() const {
  int64_t divisor = 0;
  for (const Term &term : terms)
    divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

Form Form::combine(int64_t a, const Form &x, int64_t b, const Form &y) {
  Form sum;
  sum.exact = x.exact && y.exact && addProduct(a, x.constant, sum.constant) &&
              addProduct(b, y.constant, sum.constant);
  sum.terms.reserve(x.terms.size() + y.terms.size());
  auto p = x.terms.begin(), q = y.terms.begin();
  while (sum.exact && (p != x.terms.end() || q != y.terms.end())) {
    bool takesP = q == y.terms.end() ||
                  (p != x.terms.end() && !(q->monomial < p->monomial));
    bool takesQ = p == x.terms.end() ||
                  (q != y.terms.end() && !(p->monomial < q->monomial));
    Monomial monomial = takesP ? p->monomial : q->monomial;
    int64_t coefficient = 0;
    if (takesP)
      sum.exact &= addProduct(a, (p++)->coefficient, coefficient);
    if (takesQ)
      sum.exact &= addProduct(b, (q++)->coefficient, coefficient);
    // The least word has no negative, and gcd needs one.
    sum.exact &= coefficient != std::numeric_limits<int64_t>::min();
    if (coefficient != 0)
      sum.append(monomial, coefficient);
  }
  return sum.exact ? sum : inexact();
}

namespace broadloom::poly {

Form operator*(const Form &x, const Form &y) {
  if (!x.isExact() || !y.isExact())
    return Form::inexact();
  if (x.isConstant())
    return Form::combine(x.getConstant(), y, 0, Form());
  if (y.isConstant())
    return Form::combine(y.getConstant(), x, 0, Form());
  Form sum =
      Form::combine(x.getConstant(), y, y.getConstant(), x.withConstant(0));
  for (const Form::Term &p : x.getTerms())
    for (const Form::Term &q : y.getTerms()) {
      std::optional<Monomial> product =
          Monomial::multiply(p.monomial, q.monomial);
      int64_t coefficient = 0;
      if (!product || !addProduct(p.coefficient, q.coefficient, coefficient))
        return Form::inexact();
      Form term;
      term.append(*product, coefficient);
      sum = sum + term;
    }
  return sum;
}

} // namespace broadloom::poly

std::pair<Form, Form> Form::split(Variable variable) const {
  std::pair<Form, Form> parts = {Form(), Form(constant)};
  parts.first.exact = parts.second.exact = exact;
  for (const Term &term : terms) {
    if (!term.monomial.contains(variable)) {
      parts.second.append(term.monomial, term.coefficient);
      continue;
    }
    std::optional<Monomial> others = term.monomial.without(variable);
    if (others) {
      Form one;
      one.append(*others, term.coefficient);
      parts.first = parts.first + one;
    } else {
      parts.first.constant = term.coefficient;
    }
  }
  return parts;
}

Form Form::substitute(Variable variable, const Form &by) const {
  if (!contains(variable))
    return *this;
  auto [coefficient, rest] = split(variable);
  if (coefficient.isConstant())
    return combine(coefficient.constant, by, 1, rest);
  return coefficient.substitute(variable, by) * by + rest;
}

Form Form::divide(int64_t by) const {
  Form quotient = *this;
  for (Term &term : quotient.terms)
    term.coefficient /= by;
  quotient.constant = floorDivide(constant, by);
  return quotient;
}

Form Form::withConstant(int64_t value) const {
  Form form = *this;
  form.constant = value;
  return form;
}

bool Form::operator==(const Form &other) const {
  return exact == other.exact && constant == other.constant &&
         terms == other.terms;
}

std::optional<Wide> Form::evaluate(
    const std::function<std::optional<int64_t>(Variable)> &of) const {
  if (!exact)
    return std::nullopt;
  Wide sum = constant;
  for (const Term &term : terms) {
    Wide product = term.coefficient;
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
      std::optional<int64_t> value = of(term.monomial.getFactor(i));
      if (!value || !multiply(product, *value, product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

std::string
Form::print(const std::function<std::string(Variable)> &getName) const {
  if (!exact)
    return "inexact";
  std::string text;
  auto add = [&](int64_t coefficient, const std::string &factors) {
    uint64_t size = coefficient < 0 ? -uint64_t(coefficient) : coefficient;
    text += text.empty() ? (coefficient < 0 ? "-" : "")
                         : (coefficient < 0 ? " - " : " + ");
    if (factors.empty())
      text += std::to_string(size);
    else
      text += (size == 1 ? "" : std::to_string(size) + "*") + factors;
  };
  for (const Term &term : terms) {
    std::string factors;
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i)
      factors += (i ? "*" : "") + getName(term.monomial.getFactor(i));
    add(term.coefficient, factors);
  }
  if (constant != 0 || terms.empty())
    add(constant, "");
  return text;
}
