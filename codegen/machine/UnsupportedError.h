//===- UnsupportedError.h - what LLVM cannot do -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_UNSUPPORTEDERROR_H
#define BROADLOOM_CODEGEN_MACHINE_UNSUPPORTEDERROR_H

#include "llvm/Support/Error.h"

#include <string>

namespace broadloom::codegen {

/// What a program or its schedule asks for and LLVM does not do: no bug, and
/// the text is for the user.
class UnsupportedError : public llvm::ErrorInfo<UnsupportedError> {
public:
  static char ID;

  explicit UnsupportedError(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_UNSUPPORTEDERROR_H
