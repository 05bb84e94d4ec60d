//===- JitSymbols.h - names of code for profilers and debuggers -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_JITSYMBOLS_H
#define BROADLOOM_CODEGEN_MACHINE_JITSYMBOLS_H

#include "llvm/Support/Error.h"

#include <string>

namespace llvm::orc {
class LLJIT;
}

namespace broadloom::codegen {

/// Publishes the names of the functions that `jit` loads, as the environment
/// variable BROADLOOM_JIT_SYMBOLS requests: a list, separated by commas, of
/// `perf` (the file /tmp/perf-PID.map, which `perf report` reads) and `gdb`
/// (GDB's interface for code that a program makes, which LLDB reads too).
/// Without the variable, nothing is published.
llvm::Error tellSymbols(llvm::orc::LLJIT &jit);

/// An error message about the list, or "".
std::string checkSymbolRequest();

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_JITSYMBOLS_H
