//===- WideIntegers.h - what integers of 65 to 128 bits call ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code calls functions of the compiler's own library where it divides
// integers of more than 64 bits or converts them to floats and back. A linker
// finds them. For code that is loaded into a process they must be given,
// because the process may not have linked them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_WIDEINTEGERS_H
#define BROADLOOM_CODEGEN_MACHINE_WIDEINTEGERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace broadloom::codegen {

struct NamedFunction {
  llvm::StringLiteral name;
  void (*address)();
};

/// The functions, by the names that machine code calls them by.
llvm::ArrayRef<NamedFunction> getWideIntegerFunctions();

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_WIDEINTEGERS_H
