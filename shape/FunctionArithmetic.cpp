//===- FunctionArithmetic.cpp - numbers and conditions --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMachine.h"
#include "shape/FunctionMessages.h"

#include <algorithm>
#include <cassert>

using namespace broadloom;

namespace {

using Code = FunctionCode;

/// Rounded towards negative infinity.
int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// a < b; in an unsigned comparison, a negative number is greater than all
/// others.
bool isLess(int64_t a, int64_t b, bool isUnsigned) {
  return isUnsigned && (a < 0) != (b < 0) ? b < 0 : a < b;
}

/// The conjunction of two conditions; unknown if it depends on an unknown one.
FunctionNumber both(const FunctionNumber &a, const FunctionNumber &b) {
  if (a.is(0) || b.is(0))
    return 0;
  return a.isKnown && b.isKnown ? FunctionNumber(1) : FunctionNumber();
}
FunctionNumber either(const FunctionNumber &a, const FunctionNumber &b) {
  if (a.is(1) || b.is(1))
    return 1;
  return a.isKnown && b.isKnown ? FunctionNumber(0) : FunctionNumber();
}

bool divides(Code code) {
  return code == Code::Div || code == Code::CeilDiv || code == Code::FloorDiv ||
         code == Code::Rem;
}

/// False if the result does not fit 64 bits, or is not known.
bool calculate(const FunctionInstruction &in, int64_t x, int64_t y,
               FunctionNumber &result) {
  int64_t number = 0;
  bool overflows = false;
  // The least number is not valid here, and its quotient may overflow.
  if (x == INT64_MIN && divides(in.code))
    return false;
  switch (in.code) {
  case Code::Add:
    overflows = __builtin_add_overflow(x, y, &number);
    break;
  case Code::Sub:
    overflows = __builtin_sub_overflow(x, y, &number);
    break;
  case Code::Mul:
    overflows = __builtin_mul_overflow(x, y, &number);
    break;
  case Code::Div:
    number = x / y;
    break;
  case Code::FloorDiv:
    number = floorDivide(x, y);
    break;
  case Code::CeilDiv:
    number = -floorDivide(-x, y);
    break;
  case Code::Rem:
    number = x % y;
    break;
  case Code::Max:
    number = isLess(x, y, in.isUnsigned) ? y : x;
    break;
  case Code::Min:
    number = isLess(x, y, in.isUnsigned) ? x : y;
    break;
  case Code::And:
    number = x & y;
    break;
  case Code::Or:
    number = x | y;
    break;
  case Code::Xor:
    number = x ^ y;
    break;
  case Code::ShiftLeft:
    if (y < 0 || y >= 62)
      return true;
    overflows = __builtin_mul_overflow(x, int64_t(1) << y, &number);
    break;
  case Code::ShiftRight:
    if (y < 0 || y >= 62)
      return true;
    number = floorDivide(x, int64_t(1) << y);
    break;
  default:
    assert(false && "the code is no arithmetic");
    return false;
  }
  result = number;
  // The ends of the range are not valid numbers.
  return !overflows && number < INT64_MAX && number > -INT64_MAX;
}

} // namespace

bool FunctionMachine::compute(const FunctionInstruction &in,
                              const FunctionNumber &a, const FunctionNumber &b,
                              FunctionNumber &result) {
  result = FunctionNumber();
  if (divides(in.code)) {
    for (const FunctionNumber &n : {a, b})
      if (in.isUnsigned && n.isKnown && n.value < 0)
        return fail(substitute(kUnsignedDivisionWith, {n.value}));
    if (b.is(0))
      return fail(substitute(kDivisionBy, {0}));
  }
  if (!a.isKnown || !b.isKnown)
    return true;
  return calculate(in, a.value, b.value, result) || fail(kNumberTooLarge);
}

bool FunctionMachine::compare(const FunctionInstruction &in) {
  const FunctionNumber &a = operand(in, 0).number, &b = operand(in, 1).number;
  if (!a.isKnown || !b.isKnown)
    return set(in, {});
  int64_t x = a.value, y = b.value;
  switch (in.code) {
  case Code::Equal:
    return set(in, x == y);
  case Code::NotEqual:
    return set(in, x != y);
  case Code::Less:
    return set(in, isLess(x, y, in.isUnsigned));
  case Code::AtMost:
    return set(in, !isLess(y, x, in.isUnsigned));
  case Code::Greater:
    return set(in, isLess(y, x, in.isUnsigned));
  case Code::AtLeast:
    return set(in, !isLess(x, y, in.isUnsigned));
  default:
    return failUnknown(in);
  }
}

bool FunctionMachine::executeArithmetic(const FunctionInstruction &in) {
  if (in.code == Code::All) {
    FunctionNumber all = 1;
    for (int64_t i = 0; i < in.numOperands; ++i)
      all = both(all, operand(in, i).number);
    return set(in, all);
  }
  if (in.code == Code::Copy) {
    return assign(in.results, {operand(in, 0)});
  }
  if (in.code == Code::Select) {
    const FunctionNumber &condition = operand(in, 0).number;
    FunctionValue chosen = operand(in, condition.is(0) ? 2 : 1);
    if (!condition.isKnown) {
      FunctionValue unknown;
      unknown.kind = chosen.kind;
      chosen = unknown;
    }
    return assign(in.results, {std::move(chosen)});
  }
  // An immediate marks an operation on conditions.
  if (in.numImmediates != 0) {
    const FunctionNumber &a = operand(in, 0).number, &b = operand(in, 1).number;
    bool areKnown = a.isKnown && b.isKnown;
    if (in.code == Code::And)
      return set(in, both(a, b));
    if (in.code == Code::Or)
      return set(in, either(a, b));
    if (!areKnown)
      return set(in, {});
    return set(in, in.code == Code::Equal ? a.value == b.value
                                          : a.value != b.value);
  }
  if (in.code >= Code::Equal)
    return compare(in);
  const FunctionValue &a = operand(in, 0), &b = operand(in, 1);
  if (a.kind != FunctionValue::Kind::List) {
    FunctionNumber number;
    return compute(in, a.number, b.number, number) && set(in, number);
  }
  // Axis by axis.
  FunctionList made;
  if (!a.list.isKnown || !b.list.isKnown)
    return setList(in, made);
  size_t rank = a.list.numbers.size(), other = b.list.numbers.size();
  if (rank != other)
    return fail(substitute(kShapesOfRanks, {int64_t(rank), int64_t(other)}));
  made.isKnown = true;
  for (size_t i = 0; i < rank; ++i)
    if (!compute(in, a.list.numbers[i], b.list.numbers[i],
                 made.numbers.emplace_back()))
      return false;
  return setList(in, std::move(made));
}
