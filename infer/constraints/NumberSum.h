//===- NumberSum.h - texts of numbers ---------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of an expression, such as `%i * 2 - 1`, made from its parts.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_NUMBERSUM_H
#define BROADLOOM_INFER_CONSTRAINTS_NUMBERSUM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom::infer {

/// Terms, each with whether it is subtracted, and a constant. An operation of
/// what has no text has none.
struct NumberSum {
  /// Of summands; with `floordiv`, `ceildiv` or `mod`; of factors; or a name or
  /// a number.
  enum class Form { Sum, Quotient, Product, Single };
  struct Text {
    std::string text;
    Form form;
  };
  using Operand = const std::optional<NumberSum> &;

  std::vector<std::pair<bool, Text>> terms;
  int64_t constant = 0;
  /// With so many bits, one of them the sign, the number does not wrap,
  /// whatever the names stand for. Only where there are terms: see getBits.
  unsigned bits = 0;

  unsigned getBits() const;
  Text print() const;

  static std::optional<NumberSum> add(Operand a, Operand b, bool subtracts);
  static std::optional<NumberSum> multiply(Operand a, Operand b);
  /// `a name b`, of an operator.
  static std::optional<NumberSum> combine(llvm::StringRef name, Operand a,
                                          Operand b);
  /// `function(operands)`.
  static std::optional<NumberSum>
  call(llvm::StringRef function,
       llvm::ArrayRef<std::optional<NumberSum>> operands);
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_NUMBERSUM_H
