//===- QueryArithmetic.cpp - arith and affine over numbers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/QueryArithmetic.h"
#include "infer/numbers/AffineArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Number infer::selectNumber(Numbers &numbers, ConditionId condition,
                           const Number &a, const Number &b) {
  if (a == b)
    return a;
  // Where the other one would be taken both are the same: of the broadcast of
  // n and 4, once a guard has found n to be 1 or 4.
  ConditionId same = numbers.equal(a, b), otherwise = numbers.negate(condition);
  auto isProved = [&](ConditionId x, ConditionId y) {
    return numbers.decide(numbers.either(x, y)).isProved() ||
           numbers.decide(numbers.either(y, x)).isProved();
  };
  if (same == condition || isProved(same, otherwise))
    return b;
  if (same == otherwise || isProved(same, condition))
    return a;
  return numbers.select(condition, a, b);
}

ConditionId infer::evaluateComparison(Numbers &numbers,
                                      arith::CmpIPredicate predicate,
                                      const Number &a, const Number &b) {
  using P = arith::CmpIPredicate;
  bool isUnsigned = predicate >= P::ult;
  if (isUnsigned && !(numbers.isNotNegative(a) && numbers.isNotNegative(b)))
    return Numbers::kUnknown;
  switch (predicate) {
  case P::eq:
    return numbers.equal(a, b);
  case P::ne:
    return numbers.negate(numbers.equal(a, b));
  case P::slt:
  case P::ult:
    return numbers.lessThan(a, b);
  case P::sle:
  case P::ule:
    return numbers.atMost(a, b);
  case P::sgt:
  case P::ugt:
    return numbers.lessThan(b, a);
  case P::sge:
  case P::uge:
    return numbers.atMost(b, a);
  }
  return Numbers::kUnknown;
}

ConditionId infer::evaluateLogic(Numbers &numbers, Operation *op,
                                 ArrayRef<ConditionId> operands) {
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return numbers.constant(!constant.getValue().isZero());
  if (isa<arith::AndIOp>(op))
    return numbers.both(operands[0], operands[1]);
  if (isa<arith::OrIOp>(op))
    return numbers.either(operands[0], operands[1]);
  if (isa<arith::XOrIOp>(op)) {
    ConditionId one = numbers.both(operands[0], numbers.negate(operands[1])),
                other = numbers.both(numbers.negate(operands[0]), operands[1]);
    return numbers.either(one, other);
  }
  return Numbers::kUnknown;
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
  return isNamed(number, isNamed) ? numbers.toString(number) : "?";
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Whether it can be divided by.
static bool isDivisor(Numbers &numbers, const Number &by) {
  return numbers.decide(numbers.equal(by, Number(0))).isRefuted();
}

/// (a + b - 1) / b, for b > 0.
static Number ceilDivide(Numbers &numbers, const Number &a, const Number &b) {
  return numbers.divide(numbers.add(a, numbers.subtract(b, Number(1))), b);
}

static Number evaluateOperation(Numbers &numbers, Operation *op,
                                ArrayRef<Number> x) {
  bool areNatural = llvm::all_of(
      x, [&](const Number &n) { return numbers.isNotNegative(n); });
  auto orUnknown = [&](std::optional<Number> number) {
    return number ? *number : numbers.unknown();
  };
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](arith::AddIOp) { return numbers.addWords(x[0], x[1]); })
      .Case([&](arith::SubIOp) { return numbers.subtractWords(x[0], x[1]); })
      .Case([&](arith::MulIOp) { return numbers.multiplyWords(x[0], x[1]); })
      // Guards look at signs to see what wraps (CheckedArithmetic).
      .Case<arith::XOrIOp>([&](Operation *) {
        std::optional<int64_t> a = numbers.getWord(x[0]),
                               b = numbers.getWord(x[1]);
        if (a && b)
          return numbers.word(*a ^ *b);
        return areNatural ? numbers.unknownWord({0, Bounds::kNone})
                          : numbers.unknownWord();
      })
      .Case<arith::AndIOp>([&](Operation *) {
        std::optional<int64_t> a = numbers.getWord(x[0]),
                               b = numbers.getWord(x[1]);
        if (a && b)
          return numbers.word(*a & *b);
        bool isNatural = llvm::any_of(
            x, [&](const Number &n) { return numbers.isNotNegative(n); });
        return isNatural ? numbers.unknownWord({0, Bounds::kNone})
                         : numbers.unknownWord();
      })
      .Case<arith::ShRSIOp>([&](Operation *) {
        return areNatural && numbers.getWord(x[1]) == 63
                   ? Number(0)
                   : numbers.unknownWord();
      })
      .Case([&](arith::MinSIOp) { return numbers.minimum(x[0], x[1]); })
      .Case([&](arith::MaxSIOp) { return numbers.maximum(x[0], x[1]); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](Operation *) {
        if (!areNatural)
          return numbers.unknown();
        return isa<arith::MinUIOp>(op) ? numbers.minimum(x[0], x[1])
                                       : numbers.maximum(x[0], x[1]);
      })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, arith::DivUIOp, arith::RemUIOp,
            arith::CeilDivUIOp>([&](Operation *) {
        bool isUnsigned =
            isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
        if (!isDivisor(numbers, x[1]) || (isUnsigned && !areNatural))
          return numbers.unknown();
        if (isa<arith::DivSIOp, arith::DivUIOp>(op))
          return numbers.truncatedDivide(x[0], x[1]);
        if (isa<arith::RemSIOp, arith::RemUIOp>(op))
          return numbers.truncatedRemainder(x[0], x[1]);
        if (isa<arith::FloorDivSIOp>(op))
          return numbers.divide(x[0], x[1]);
        return areNatural ? ceilDivide(numbers, x[0], x[1]) : numbers.unknown();
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp>(
          [&](Operation *) { return x[0]; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](Operation *) { return areNatural ? x[0] : numbers.unknown(); })
      .Case([&](affine::AffineApplyOp apply) {
        return orUnknown(
            evaluateMap(numbers, apply.getMap(), x, OfResults::Greatest));
      })
      .Case([&](affine::AffineMinOp minimum) {
        return orUnknown(
            evaluateMap(numbers, minimum.getMap(), x, OfResults::Least));
      })
      .Case([&](affine::AffineMaxOp maximum) {
        return orUnknown(
            evaluateMap(numbers, maximum.getMap(), x, OfResults::Greatest));
      })
      .Default([&](Operation *) { return numbers.unknown(); });
}

std::pair<Number, Number>
infer::evaluateWideProduct(Numbers &numbers, const Number &a, const Number &b) {
  Number low = numbers.multiplyWords(a, b);
  numbers.takeOverflow();
  Number exact = numbers.multiply(a, b);
  bool fits = !numbers.takeOverflow() && numbers.isWord(exact);
  return {low, fits && numbers.isNotNegative(exact) ? Number(0)
                                                    : numbers.unknownWord()};
}

Number infer::evaluateArithmetic(Numbers &numbers, Operation *op,
                                 ArrayRef<Number> operands) {
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return numbers.word(constant.getValue().getSExtValue());
  Number result = evaluateOperation(numbers, op, operands);
  return numbers.takeOverflow() ? numbers.unknown() : result;
}
