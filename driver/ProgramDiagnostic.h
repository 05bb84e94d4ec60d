//===- ProgramDiagnostic.h - an error or warning, as data -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PROGRAMDIAGNOSTIC_H
#define BROADLOOM_DRIVER_PROGRAMDIAGNOSTIC_H

#include <string>

namespace broadloom {

/// An error, warning, remark or note about a program.
struct ProgramDiagnostic {
  enum class Severity { Error, Warning, Remark, Note };
  Severity severity = Severity::Error;
  /// `file:line:column`, with the names of the location; empty where there is
  /// none.
  std::string location;
  /// The operation that it is about, such as `tosa.add`; empty where it is
  /// about none.
  std::string operation;
  /// The message without location and operation.
  std::string message;
  /// Whether the error is about shapes.
  bool isAboutShapes = false;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PROGRAMDIAGNOSTIC_H
