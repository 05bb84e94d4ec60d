//===- Inside.h - when all accesses of a nest are inside --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exact condition on symbols under which each iteration of a domain has all
// subscripts of an access inside their extents: one that can be tested in front
// of the nest. A nest without iterations satisfies it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_INSIDE_H
#define BROADLOOM_POLY_INSIDE_H

#include "poly/Condition.h"
#include "poly/Domain.h"
#include "poly/Elimination.h"

namespace broadloom::poly {

/// The condition, or why there is none.
struct Inside {
  std::optional<Condition> condition;
  Limit limit = Limit::None;
};

/// What the domain assumes is left out of the condition.
Inside whenInside(const Domain &domain, const Access &access,
                  Limits limits = {});

/// A condition under which they are inside, which need not hold where they are:
/// products with unknowns count as any numbers, so that only what is required
/// of an equal product bounds them. Nothing if it would hold where there are no
/// iterations alone.
Inside whenSurelyInside(const Domain &domain, const Access &access,
                        Limits limits = {});

/// Whether `form`, of a condition of the domain's in `space`, is surely
/// negative in all iterations, so that the condition names calls without any.
bool saysEmpty(const Domain &domain, const Space &space, const Form &form);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_INSIDE_H
