//===- Space.h - the variables of a question --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable is a symbol, whose value the caller knows; an unknown, such as the
// variable of a loop; or a quotient by a constant, rounded down. A quotient of
// symbols has a known value too, any other quotient is an unknown.
//
// Invariant: the numerator of a quotient has only variables that were added
// before it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_SPACE_H
#define BROADLOOM_POLY_SPACE_H

#include "poly/Form.h"

namespace broadloom::poly {

/// `form` is 0, or is not negative.
struct Row {
  Form form;
  bool isZero = false;
};
using Rows = std::vector<Row>;

inline Row isZero(Form form) { return {std::move(form), true}; }
inline Row isNotNegative(Form form) { return {std::move(form), false}; }
inline Row isAtMost(const Form &x, const Form &y) {
  return isNotNegative(y - x);
}
inline Row isLess(const Form &x, const Form &y) {
  return isNotNegative(y - x - 1);
}
/// What holds exactly where an inequality does not.
inline Row negate(const Row &inequality) {
  return isNotNegative(-inequality.form - 1);
}

class Space {
public:
  struct Quotient {
    Form numerator;
    int64_t divisor;
  };

  /// Inexact if there are too many variables.
  Form addSymbol(std::string name);
  Form addUnknown(std::string name);
  /// The quotient of `numerator` by a positive number, rounded down: what
  /// divides without a remainder, and a new variable or an equal one.
  Form floorDivide(const Form &numerator, int64_t divisor);

  size_t getNumVariables() const { return variables.size(); }
  bool isUnknown(Variable variable) const {
    return variables[variable].isUnknown;
  }
  /// Null if the variable is no quotient.
  const Quotient *getQuotient(Variable variable) const {
    const std::optional<Quotient> &quotient = variables[variable].quotient;
    return quotient ? &*quotient : nullptr;
  }
  /// How often affine `form` has the remainder of a quotient's division, with
  /// all terms of that; 0 if it does not.
  int64_t countRemainders(const Form &form, Variable quotient) const;
  /// `form` without `times` remainders.
  Form takeRemainders(const Form &form, Variable quotient, int64_t times) const;
  /// Whether `form` has an unknown.
  bool hasUnknown(const Monomial &monomial) const;
  bool hasUnknown(const Form &form) const;
  /// The two rows that a quotient follows from.
  void addDefinition(Variable quotient, Rows &rows) const;

  void setName(Variable variable, std::string name) {
    variables[variable].name = std::move(name);
  }
  std::string getName(Variable variable) const;
  std::string print(const Form &form) const;
  /// "n - i - 1 >= 0".
  std::string print(const Row &row) const;
  /// Of a form that is not negative, without subtraction: "i + 1 <= n".
  std::string printComparison(const Form &form) const;

  /// The value of `form`, where `values` has those of all variables that are no
  /// quotients of symbols.
  std::optional<__int128> evaluate(const Form &form,
                                   const std::vector<int64_t> &values) const;

private:
  struct Entry {
    std::string name;
    bool isUnknown;
    std::optional<Quotient> quotient;
  };

  Form add(Entry entry);

  std::vector<Entry> variables;
};

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_SPACE_H
