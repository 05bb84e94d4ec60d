//===- NumberOption.h - options that take numbers ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options for numbers are declared as options for text and parsed here, because
// LLVM's number options have LLVM's error messages.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_NUMBEROPTION_H
#define BROADLOOM_TOOLS_BROADLOOM_NUMBEROPTION_H

#include "llvm/Support/CommandLine.h"

#include <limits>
#include <string>
#include <type_traits>

namespace broadloom::tool {

/// Reads the value of `option` as a number; `number` stays if the option is
/// absent. For any other value, `wrong` gets an error; `what` names the number,
/// such as "a seed".
template <typename Number>
void readNumber(const llvm::cl::opt<std::string> &option, Number &number,
                llvm::StringRef what, std::string &wrong) {
  if (!option.getNumOccurrences())
    return;
  llvm::StringRef text = option.getValue();
  constexpr bool isWhole = std::is_integral_v<Number>;
  bool isWrong;
  if constexpr (isWhole)
    isWrong = text.getAsInteger(10, number);
  else
    isWrong = text.getAsDouble(number);
  if (isWrong)
    wrong = ("--" + option.ArgStr + "=" + text + ": " + what + " is a " +
             (isWhole ? "whole number below 2^" +
                            std::to_string(std::numeric_limits<Number>::digits)
                      : std::string("number")))
                .str();
}

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_NUMBEROPTION_H
