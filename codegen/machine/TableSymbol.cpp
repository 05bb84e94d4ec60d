//===- TableSymbol.cpp - names for tables of functions --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/TableSymbol.h"

#include "codegen/SymbolNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

static bool isIdentifier(StringRef name) {
  return !name.empty() && !isDigit(name.front()) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

/// Functions of the runtime, such as broadloomEnter.
static bool isOfRuntime(StringRef name) {
  return name.consume_front("broadloom") && !name.empty() &&
         isUpper(name.front());
}

/// Symbols that compiled code defines, and the vector functions that it calls.
static bool isOfCode(StringRef name) {
  static constexpr StringLiteral kPrefixes[] = {
      "loom_", kEntryPrefix, kShapesPrefix, kDescription, "_ZGV"};
  return any_of(kPrefixes,
                [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// Functions that code calls by name, such as memcpy and sinf: those of Linux,
/// whatever the processor.
static bool isOfSystem(StringRef name) {
  LibFunc function;
  return TargetLibraryInfoImpl(Triple("unknown-unknown-linux-gnu"))
      .getLibFunc(name, function);
}

std::string codegen::describeWrongTableSymbol(StringRef name) {
  if (!isIdentifier(name))
    return "a symbol is a C identifier: letters, digits and _, and no digit "
           "first";
  StringRef owner = isOfRuntime(name)  ? "the runtime"
                    : isOfCode(name)   ? "the compiled program itself"
                    : isOfSystem(name) ? "the system's C library"
                                       : "";
  return owner.empty() ? ""
                       : (owner + " has symbols of this name; an example of "
                                  "another one is my_functions")
                             .str();
}
