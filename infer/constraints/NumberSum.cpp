//===- NumberSum.cpp - texts of numbers -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/NumberSum.h"

#include "llvm/ADT/APInt.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <limits>

using namespace llvm;
using namespace broadloom::infer;

unsigned NumberSum::getBits() const {
  return terms.empty()
             ? llvm::APInt(64, constant, /*isSigned=*/true).getSignificantBits()
             : bits;
}

NumberSum::Text NumberSum::print() const {
  std::string text;
  auto add = [&](bool isNegative, std::string term, Form form = Form::Single) {
    // A minus in front binds more tightly than a quotient.
    if (text.empty() && isNegative && form == Form::Quotient)
      term = "(" + term + ")";
    if (text.empty())
      text = (isNegative ? "-" : "") + term;
    else
      text += (isNegative ? " - " : " + ") + term;
  };
  // What is added comes first.
  for (bool isNegative : {false, true})
    for (const auto &[subtracts, term] : terms)
      if (subtracts == isNegative)
        add(isNegative, term.text, term.form);
  bool isOne = terms.size() == 1 && constant == 0;
  if (constant != 0 || terms.empty()) {
    // The least word has no opposite.
    std::string number = std::to_string(constant);
    bool isNegative = constant < 0 && !text.empty();
    add(isNegative, isNegative ? number.substr(1) : number);
  }
  Form form = terms.empty() && constant >= 0  ? Form::Single
              : isOne && !terms.front().first ? terms.front().second.form
                                              : Form::Sum;
  return {text, form};
}

/// Of a product or a quotient, which are read from left to right. It is in
/// parentheses where it needs them.
static NumberSum::Text printOperand(const NumberSum &sum, bool isRight) {
  using Form = NumberSum::Form;
  NumberSum::Text printed = sum.print();
  bool isBare =
      printed.form == Form::Single || (printed.form != Form::Sum && !isRight);
  return isBare ? printed
                : NumberSum::Text{"(" + printed.text + ")", Form::Single};
}

std::optional<NumberSum> NumberSum::add(const std::optional<NumberSum> &a,
                                        const std::optional<NumberSum> &b,
                                        bool subtracts) {
  if (!a || !b)
    return std::nullopt;
  std::optional<int64_t> constant =
      subtracts ? llvm::checkedSub(a->constant, b->constant)
                : llvm::checkedAdd(a->constant, b->constant);
  if (!constant)
    return std::nullopt;
  NumberSum sum = *a;
  sum.constant = *constant;
  sum.bits = std::max(a->getBits(), b->getBits()) + 1;
  for (const auto &[isNegative, term] : b->terms)
    sum.terms.push_back({isNegative != subtracts, term});
  return sum;
}

std::optional<NumberSum>
NumberSum::multiply(const std::optional<NumberSum> &a,
                    const std::optional<NumberSum> &b) {
  if (!a || !b)
    return std::nullopt;
  const NumberSum &factor = b->terms.empty() ? *b : *a;
  const NumberSum &other = b->terms.empty() ? *a : *b;
  if (!factor.terms.empty())
    return combine("*", a, b);
  if (factor.constant == -1)
    return add(NumberSum(), other, /*subtracts=*/true);
  if (factor.constant == 1)
    return other;
  if (other.terms.empty()) {
    std::optional<int64_t> product =
        llvm::checkedMul(factor.constant, other.constant);
    return product ? std::optional(NumberSum{{}, *product}) : std::nullopt;
  }
  // `%i - %j * 2` is written so.
  if (factor.constant < 0 &&
      factor.constant != std::numeric_limits<int64_t>::min())
    return add(NumberSum(), multiply(other, NumberSum{{}, -factor.constant}),
               /*subtracts=*/true);
  return combine("*", other, factor);
}

std::optional<NumberSum> NumberSum::combine(StringRef name,
                                            const std::optional<NumberSum> &a,
                                            const std::optional<NumberSum> &b) {
  if (!a || !b)
    return std::nullopt;
  Text left = printOperand(*a, /*isRight=*/false),
       right = printOperand(*b, /*isRight=*/true);
  bool isProduct = name == "*" && left.form != Form::Quotient;
  return NumberSum{{{false,
                     {left.text + " " + name.str() + " " + right.text,
                      isProduct ? Form::Product : Form::Quotient}}},
                   0,
                   a->getBits() + (name == "*" ? b->getBits() : 1)};
}

std::optional<NumberSum>
NumberSum::call(StringRef function,
                ArrayRef<std::optional<NumberSum>> operands) {
  std::string text;
  unsigned bits = 0;
  for (const std::optional<NumberSum> &operand : operands) {
    if (!operand)
      return std::nullopt;
    text += (text.empty() ? "" : ", ") + operand->print().text;
    bits = std::max(bits, operand->getBits());
  }
  return NumberSum{
      {{false, {function.str() + "(" + text + ")", Form::Single}}}, 0, bits};
}
