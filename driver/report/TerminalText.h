//===- TerminalText.h - text of a program for a terminal --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_TERMINALTEXT_H
#define BROADLOOM_DRIVER_REPORT_TERMINALTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace broadloom::report {

/// `text` without control characters and invalid UTF-8, which names in damaged
/// bytecode may have.
inline std::string cleanText(llvm::StringRef text) {
  std::string result;
  for (unsigned char c : llvm::json::fixUTF8(text))
    result += c < 0x20 || c == 0x7f ? '?' : static_cast<char>(c);
  return result;
}

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_TERMINALTEXT_H
