//===- QueryArithmetic.cpp - arith and affine over numbers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/QueryArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Number infer::selectNumber(Numbers &numbers, ConditionId condition,
                           const Number &a, const Number &b) {
  if (a == b)
    return a;
  // If both are equal whenever one of them would be chosen, the other is the
  // result. Example: the broadcast of n and 4, after a guard has established
  // that n is 1 or 4.
  ConditionId same = equal(numbers, a, b),
              otherwise = numbers.negate(condition);
  auto isProved = [&](ConditionId x, ConditionId y) {
    return decide(numbers, numbers.either(x, y)).isProved() ||
           decide(numbers, numbers.either(y, x)).isProved();
  };
  if (same == condition || isProved(same, otherwise))
    return b;
  if (same == otherwise || isProved(same, condition))
    return a;
  return select(numbers, condition, a, b);
}

ConditionId infer::evaluateLogic(Numbers &numbers, Operation *op,
                                 ArrayRef<ConditionId> operands) {
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return numbers.constant(!constant.getValue().isZero());
  std::optional<IntegerOperation> operation = getIntegerOperation(op);
  return operation
             ? evaluateLogic(numbers, operation->kind, operands[0], operands[1])
             : Numbers::kUnknown;
}

std::string infer::nameOf(const Numbers &numbers, const Number &number,
                          SymbolId numNamed) {
  auto isNamed = [&](const Number &part, auto isNamed) -> bool {
    return llvm::all_of(part.terms, [&](const Term &term) {
      return llvm::all_of(term.atoms, [&](AtomId id) {
        const Atom &atom = numbers.getAtom(id);
        if (atom.kind == Atom::Kind::Symbol)
          return atom.symbol < numNamed;
        return atom.kind == Atom::Kind::Quotient && isNamed(atom.a, isNamed) &&
               isNamed(atom.b, isNamed);
      });
    });
  };
  return isNamed(number, isNamed) ? toString(numbers, number) : "?";
}

ConditionId infer::getLastBit(Numbers &numbers, const Number &number) {
  if (std::optional<int64_t> word = numbers.getWord(number))
    return *word & 1 ? Numbers::kTrue : Numbers::kFalse;
  Bounds bounds = boundsOf(numbers, number);
  return bounds.lo >= 0 && bounds.hi <= 1 ? equal(numbers, number, Number(1))
                                          : Numbers::kUnknown;
}
