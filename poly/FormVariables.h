//===- FormVariables.h - the variables of a form ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_FORMVARIABLES_H
#define BROADLOOM_POLY_FORMVARIABLES_H

#include "poly/Space.h"

namespace broadloom::poly {

/// The variable that `form` is, which is exact.
inline Variable getVariable(const Form &form) {
  return form.getTerms().front().monomial.getFactor(0);
}

/// Whether `isOne` is true of a variable of `form`, of those that stand for
/// quotients, or of those in the numerators of these.
template <typename Predicate>
bool hasVariable(const Space &space, const Form &form, Predicate isOne) {
  for (const Form::Term &term : form.getTerms())
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
      Variable factor = term.monomial.getFactor(i);
      const Space::Quotient *quotient = space.getQuotient(factor);
      if (isOne(factor) ||
          (quotient && hasVariable(space, quotient->numerator, isOne)))
        return true;
    }
  return false;
}

/// Whether `form` is a variable as it is.
inline bool isVariable(const Form &form) {
  return form.isExact() && form.getConstant() == 0 &&
         form.getTerms().size() == 1 &&
         form.getTerms().front().coefficient == 1 &&
         form.getTerms().front().monomial.isVariable();
}

/// Whether `form` has no products, and `isOne` is true of its variables but
/// those that stand for quotients, whose numerators are so too.
template <typename Predicate>
bool isAffine(const Space &space, const Form &form, Predicate isOne) {
  if (!form.isExact())
    return false;
  for (const Form::Term &term : form.getTerms()) {
    if (!term.monomial.isVariable())
      return false;
    Variable factor = term.monomial.getFactor(0);
    const Space::Quotient *quotient = space.getQuotient(factor);
    if (quotient ? !isAffine(space, quotient->numerator, isOne)
                 : !isOne(factor))
      return false;
  }
  return true;
}

/// Whether `form` has no products, nor have numerators of its quotients.
inline bool isAffine(const Space &space, const Form &form) {
  return isAffine(space, form, [](Variable) { return true; });
}

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_FORMVARIABLES_H
