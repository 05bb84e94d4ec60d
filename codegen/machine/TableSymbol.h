//===- TableSymbol.h - names for tables of functions ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_TABLESYMBOL_H
#define BROADLOOM_CODEGEN_MACHINE_TABLESYMBOL_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace broadloom::codegen {

/// Why the table of functions of a file of code cannot be the symbol `name`,
/// for users; empty where it can be. It is a C identifier, and none that
/// compiled code, the runtime or the system's C library has.
std::string describeWrongTableSymbol(llvm::StringRef name);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_TABLESYMBOL_H
