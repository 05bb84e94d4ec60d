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

/// A message for users why `name` cannot be the symbol of the table of
/// functions; "" if it can. It must be a C identifier that is not a symbol of
/// compiled code, the runtime or the system's C library.
std::string describeWrongTableSymbol(llvm::StringRef name);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_TABLESYMBOL_H
