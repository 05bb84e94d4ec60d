//===- SymbolNames.h - a program's names among symbols ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may use any names for its functions, even those of kernels, tables
// and functions that the compiler makes, and of C library functions that
// compiled code calls. `loom-mangle-symbols` gives the program's symbols
// prefixes before any of these exist.
//
// Invariant: after that pass, a symbol begins with one of these prefixes if and
// only if it is the program's own or a shape query.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SYMBOLNAMES_H
#define BROADLOOM_CODEGEN_SYMBOLNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace broadloom::codegen {

/// The prefix of a function's code, which the runtime calls through an entry.
inline constexpr llvm::StringLiteral kFunctionPrefix = "loom_function_";
/// Of a loop nest of a function that is a function of its own.
inline constexpr llvm::StringLiteral kLoopPrefix = "loom_loop_";
/// Of a function that calls one of another library.
inline constexpr llvm::StringLiteral kLibraryPrefix = "loom_library_";
/// Of the description of a map's program.
inline constexpr llvm::StringLiteral kMapProgramPrefix = "loom_program_";
/// Of what is no function.
inline constexpr llvm::StringLiteral kGlobalPrefix = "loom_global_";

/// Of what the runtime calls to run a function, and to compute its shapes.
inline constexpr llvm::StringLiteral kEntryPrefix = "broadloom_entry_";
inline constexpr llvm::StringLiteral kShapesPrefix = "broadloom_shapes_";
/// The table of a program's functions, where it has no other name.
inline constexpr llvm::StringLiteral kFunctionTable = "broadloom_functions";
/// The text that an object has of its functions.
inline constexpr llvm::StringLiteral kDescription = "broadloom_description";

/// The attribute of a function that says how large its planned memory is.
inline constexpr llvm::StringLiteral kPlannedMemory = "loom.planned_memory";

/// The name that the program has for the function of this symbol.
inline llvm::StringRef getProgramName(llvm::StringRef function) {
  function.consume_front(kFunctionPrefix);
  return function;
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SYMBOLNAMES_H
