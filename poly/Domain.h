//===- Domain.h - the iterations of a loop nest -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iterations that reach one place of a loop nest, and an access there. All
// numbers are mathematical integers: that the program's words do not wrap is
// for the caller to know.
//
// Loops and conditions are added from the outermost to the innermost. A form
// may use what was added before it, and floorDivide(), and products of a loop's
// variable and symbols.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_DOMAIN_H
#define BROADLOOM_POLY_DOMAIN_H

#include "poly/Space.h"

namespace broadloom::poly {

class Domain {
public:
  struct Loop {
    std::string name;
    /// In terms of an unknown of the space, which grows with each iteration.
    Form value;
  };

  /// A number that is known in front of the nest.
  Form addSymbol(std::string name) { return space.addSymbol(std::move(name)); }

  /// A loop from the greatest of `lowers`, as long as it is less than each of
  /// `uppers`. The step is positive. Returns the loop's variable.
  Form addLoop(std::string name, const std::vector<Form> &lowers,
               const std::vector<Form> &uppers, int64_t step = 1);

  /// A number that is one of the given ones, each where its rows hold. The rows
  /// of one hold in each iteration.
  struct Choice {
    Form value;
    Rows rows;
  };
  Form addChoice(std::string name, const std::vector<Choice> &alternatives);

  /// Only iterations for which `row` holds get here.
  void require(Row row) { rows.push_back(std::move(row)); }
  /// Only iterations for which one of `alternatives` holds get here.
  void requireOne(std::vector<Rows> alternatives) {
    choices.push_back(std::move(alternatives));
  }
  /// The other branch of a condition, the conjunction of `condition`.
  void requireNot(const Rows &condition);

  /// The caller knows that `row`, which is about symbols, holds.
  void assume(Row row) { facts.push_back(std::move(row)); }

  /// Division by a positive constant, and the remainder, which is not negative.
  Form floorDivide(const Form &form, int64_t divisor) {
    return space.floorDivide(form, divisor);
  }
  Form ceilDivide(const Form &form, int64_t divisor) {
    return -space.floorDivide(-form, divisor);
  }
  Form remainder(const Form &form, int64_t divisor) {
    return Form::combine(1, form, -divisor, floorDivide(form, divisor));
  }

  const Space &getSpace() const { return space; }
  const std::vector<Loop> &getLoops() const { return loops; }
  const Rows &getFacts() const { return facts; }

  /// The iterations of the loops, whatever is required between them.
  Domain ofLoops() const;

  /// The domain as a union: the rows of each part, without those of quotients.
  /// Nothing if there are more than `limit` parts.
  std::optional<std::vector<Rows>> getParts(size_t limit) const;

private:
  Space space;
  std::vector<Loop> loops;
  Rows ofBounds, rows, facts;
  /// Of each, one alternative holds.
  std::vector<std::vector<Rows>> choices;
};

/// A subscript and the extent of its axis.
struct Subscript {
  Form index, extent;
};
using Access = std::vector<Subscript>;

/// The two ways in which a subscript is outside.
enum class Side { Below, Above };

/// Adds the rows of an index that is inside its extent.
inline void addInside(const Form &index, const Form &extent, Rows &rows) {
  rows.push_back(isNotNegative(index));
  rows.push_back(isLess(index, extent));
}

inline Row isOutside(const Subscript &subscript, Side side) {
  return side == Side::Below ? isLess(subscript.index, 0)
                             : isAtMost(subscript.extent, subscript.index);
}

/// Adds the rows of the quotients that occur in `rows`: of unknown ones if
/// `ofUnknown`, else of the others.
void addDefinitions(const Space &space, bool ofUnknown, Rows &rows);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_DOMAIN_H
