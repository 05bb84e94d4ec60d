//===- Diagnostics.h - what is said of a program ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_DIAGNOSTICS_H
#define BROADLOOM_DRIVER_DIAGNOSTICS_H

#include "driver/Compiler.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace broadloom {

/// Collects what is reported while it lives, in MLIR's form, with the names
/// that locations have (dialect/LocationText.h), and no more than so many
/// errors.
class DiagnosticCollector : public mlir::SourceMgrDiagnosticHandler {
public:
  /// Adds to `text` and to `list`. `limit`: how many errors are told; 0 for
  /// all.
  DiagnosticCollector(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                      std::string &text, std::vector<ProgramDiagnostic> &list,
                      unsigned limit);
  ~DiagnosticCollector();

private:
  void add(const mlir::Diagnostic &diagnostic);
  llvm::LogicalResult handle(mlir::Diagnostic &diagnostic);
  /// Fails where MLIR itself writes the location of a note well.
  llvm::LogicalResult handleNote(const mlir::Diagnostic &note);

  llvm::raw_string_ostream stream;
  std::vector<ProgramDiagnostic> &list;
  unsigned limit;
  size_t numErrors = 0;
  mlir::ScopedDiagnosticHandler filter;
};

/// Diagnostics that are there as text alone: each line of `text` that says
/// `error:`, `warning:`, `remark:` or `note:` at its beginning or behind a
/// location.
std::vector<ProgramDiagnostic> readDiagnostics(llvm::StringRef text);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_DIAGNOSTICS_H
