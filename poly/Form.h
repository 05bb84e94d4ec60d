//===- Form.h - sums of products of variables -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is a sum of integer constants and of products of variables, such as
// 4*i + i*n - 1. Most forms are affine: each product is one variable.
//
// Invariant: arithmetic never wraps. A form whose coefficient does not fit 64
// bits, or whose product has more than four factors, is not exact, and neither
// is any form that is computed from it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_FORM_H
#define BROADLOOM_POLY_FORM_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace broadloom::poly {

/// The number of a variable in its Space.
using Variable = uint16_t;

/// A product of one to four variables.
class Monomial {
public:
  explicit Monomial(Variable variable) : packed(uint64_t(variable) + 1) {}

  bool contains(Variable variable) const;
  bool isVariable() const { return packed >> 16 == 0; }
  unsigned getDegree() const;
  /// The factor of the given number, in ascending order.
  Variable getFactor(unsigned number) const;
  /// The product of the other factors; nothing if `variable` is the only one.
  std::optional<Monomial> without(Variable variable) const;
  /// Nothing if the product has more than four factors.
  static std::optional<Monomial> multiply(Monomial a, Monomial b);

  bool operator==(Monomial other) const { return packed == other.packed; }
  bool operator!=(Monomial other) const { return packed != other.packed; }
  bool operator<(Monomial other) const { return packed < other.packed; }

private:
  /// Each factor plus 1 in 16 bits, the least factor in the highest place that
  /// is in use.
  uint64_t packed;
};

class Form {
public:
  struct Term {
    Monomial monomial;
    int64_t coefficient;
    bool operator==(const Term &other) const {
      return monomial == other.monomial && coefficient == other.coefficient;
    }
  };

  Form(int64_t constant = 0) : constant(constant) {}
  static Form variable(Variable variable);
  /// The form that no arithmetic makes exact again.
  static Form inexact();

  bool isExact() const { return exact; }
  bool isConstant() const { return terms.empty(); }
  int64_t getConstant() const { return constant; }
  const std::vector<Term> &getTerms() const { return terms; }
  bool contains(Variable variable) const;
  /// The greatest common divisor of all coefficients; 0 for a constant.
  int64_t getDivisor() const;

  /// a * x + b * y.
  static Form combine(int64_t a, const Form &x, int64_t b, const Form &y);
  friend Form operator+(const Form &x, const Form &y) {
    return combine(1, x, 1, y);
  }
  friend Form operator-(const Form &x, const Form &y) {
    return combine(1, x, -1, y);
  }
  friend Form operator*(const Form &x, const Form &y);
  Form operator-() const { return combine(-1, *this, 0, Form()); }

  /// c and r with this = c * variable + r, where r does not contain the
  /// variable; c contains it if it occurs more than once in a product.
  std::pair<Form, Form> split(Variable variable) const;
  Form substitute(Variable variable, const Form &by) const;
  /// The quotients of the coefficients, which `by` divides, and of the
  /// constant, rounded down.
  Form divide(int64_t by) const;
  /// The same terms with another constant.
  Form withConstant(int64_t value) const;

  /// The value where all fits 64 bits but for sums of products, which fit 128.
  std::optional<__int128>
  evaluate(const std::function<std::optional<int64_t>(Variable)> &of) const;

  std::string print(const std::function<std::string(Variable)> &getName) const;

  bool operator==(const Form &other) const;

private:
  /// Adds a term behind all others.
  void append(Monomial monomial, int64_t coefficient) {
    terms.push_back({monomial, coefficient});
  }

  /// Ascending by their monomials, without zeros.
  std::vector<Term> terms;
  int64_t constant;
  bool exact = true;
};

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_FORM_H
