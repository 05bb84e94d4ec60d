//===- CheckedArithmetic.cpp - arithmetic that must not wrap --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/CheckedArithmetic.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Predicate = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

Value CheckedArithmetic::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return a == b ? a : Value(arith::AndIOp::create(builder, loc, a, b));
}

Value CheckedArithmetic::either(Value a, Value b) {
  return a == b ? a : Value(arith::OrIOp::create(builder, loc, a, b));
}

Value CheckedArithmetic::isNot(Value value) {
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, value, one);
}

Value CheckedArithmetic::orTrue(Value a) {
  return a ? a : Value(arith::ConstantIntOp::create(builder, loc, 1, 1));
}

Value CheckedArithmetic::isZero(Value value) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::CmpIOp::create(builder, loc, Predicate::eq, value, zero);
}

Verdict CheckedArithmetic::both(Verdict a, Verdict b) {
  Value holds = both(a.holds, b.holds);
  bool isExact = a.isExact() && b.isExact();
  return {holds, isExact ? holds : both(a.mayHold, b.mayHold)};
}

Verdict CheckedArithmetic::either(Verdict a, Verdict b) {
  Value holds = either(a.holds, b.holds);
  bool isExact = a.isExact() && b.isExact();
  return {holds, isExact ? holds : either(a.mayHold, b.mayHold)};
}

Verdict CheckedArithmetic::isNot(Verdict a) {
  Value holds = isNot(a.mayHold);
  return {holds, a.isExact() ? holds : isNot(a.holds)};
}

Verdict CheckedArithmetic::compare(Predicate predicate, Checked a, Checked b) {
  Value holds =
      arith::CmpIOp::create(builder, loc, predicate, a.value, b.value);
  Value fits = both(a.fits, b.fits);
  if (!fits)
    return exactly(holds);
  return {both(holds, fits), either(holds, isNot(fits))};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Checked CheckedArithmetic::add(Checked a, Checked b, bool isWord) {
  Value sum = arith::AddIOp::create(builder, loc, a.value, b.value);
  Value fits = both(a.fits, b.fits);
  if (isWord)
    return {sum, fits};
  // A sum wraps if its sign differs from the signs of both operands.
  Value first = arith::XOrIOp::create(builder, loc, a.value, sum);
  Value second = arith::XOrIOp::create(builder, loc, b.value, sum);
  Value signs = arith::AndIOp::create(builder, loc, first, second);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return {sum, both(fits, arith::CmpIOp::create(builder, loc, Predicate::sge,
                                                signs, zero))};
}

Checked CheckedArithmetic::subtract(Checked a, Checked b, bool isWord) {
  Value difference = arith::SubIOp::create(builder, loc, a.value, b.value);
  Value fits = both(a.fits, b.fits);
  if (isWord)
    return {difference, fits};
  // A difference wraps if the operands' signs differ and its sign is not that
  // of the first.
  Value first = arith::XOrIOp::create(builder, loc, a.value, b.value);
  Value second = arith::XOrIOp::create(builder, loc, a.value, difference);
  Value signs = arith::AndIOp::create(builder, loc, first, second);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return {difference,
          both(fits, arith::CmpIOp::create(builder, loc, Predicate::sge, signs,
                                           zero))};
}

Checked CheckedArithmetic::multiply(Checked a, Checked b, bool isWord) {
  if (getConstantIntValue(a.value))
    std::swap(a, b);
  std::optional<int64_t> factor = getConstantIntValue(b.value);
  Value product = arith::MulIOp::create(builder, loc, a.value, b.value);
  Value fits = both(a.fits, b.fits);
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (!isWord && factor && *factor > 0) {
    // Both ends, rounded toward 0.
    Value most = getConstant(std::numeric_limits<int64_t>::max() / *factor);
    Value least = getConstant(std::numeric_limits<int64_t>::min() / *factor);
    fits = both(fits, arith::CmpIOp::create(builder, loc, Predicate::sle,
                                            a.value, most));
    fits = both(fits, arith::CmpIOp::create(builder, loc, Predicate::sge,
                                            a.value, least));
  } else if (!isWord) {
    // A product fits if the upper half of its 128 bits repeats the sign.
    Type type = builder.getI64Type();
    auto cast = [&](Value value) -> Value {
      return arith::IndexCastOp::create(builder, loc, type, value);
    };
    auto wide = arith::MulSIExtendedOp::create(builder, loc, cast(a.value),
                                               cast(b.value));
    Value bits = arith::ConstantIntOp::create(builder, loc, 63, 64);
    Value sign = arith::ShRSIOp::create(builder, loc, wide.getLow(), bits);
    fits = both(fits, arith::CmpIOp::create(builder, loc, Predicate::eq,
                                            wide.getHigh(), sign));
  }
  // A product with 0 fits although the other factor does not.
  if (a.fits)
    fits = either(fits, both(b.fits, isZero(b.value)));
  if (b.fits)
    fits = either(fits, both(a.fits, isZero(a.value)));
  return {product, fits};
}

Value CheckedArithmetic::saturate(Checked a) {
  if (!a.fits)
    return a.value;
  Value largest = arith::ConstantIndexOp::create(
      builder, loc, std::numeric_limits<int64_t>::max());
  return arith::SelectOp::create(builder, loc, a.fits, a.value, largest);
}

bool CheckedArithmetic::isSaturated(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  return select && getConstantIntValue(select.getFalseValue()) ==
                       std::numeric_limits<int64_t>::max();
}
