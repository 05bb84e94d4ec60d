//===- EmittedForms.h - the forms that programs are compiled to -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_EMITTEDFORMS_H
#define BROADLOOM_DRIVER_STEPS_EMITTEDFORMS_H

#include "driver/CompileOptions.h"

#include "llvm/ADT/StringRef.h"

namespace broadloom {

struct Form {
  llvm::StringLiteral name;
  /// The ending of files of this form; empty if the form has none.
  llvm::StringLiteral ending;
  Emit emit;
  /// Whether the command line links what the compiler makes.
  bool isLinked = false;
};

inline constexpr Form kForms[] = {
    {"loom", ".mlir", Emit::Loom},
    {"linalg", "", Emit::Linalg},
    {"llvm", "", Emit::LLVM},
    {"asm", ".s", Emit::Assembly},
    {"obj", ".o", Emit::Object},
    {"so", ".so", Emit::Object, /*isLinked=*/true},
    {"shape-library", "", Emit::ShapeLibrary},
    {"tosa", ".tosa", Emit::Tosa},
};

/// `loom, linalg and llvm`: the names of all forms, or of those that are not
/// linked.
std::string listForms(bool withLinked);
/// `.mlir, .s and .o`: all endings.
std::string listFormEndings();

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_EMITTEDFORMS_H
