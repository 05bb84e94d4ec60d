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

#ifndef BROADLOOM_DRIVER_SOURCES_DIAGNOSTICS_H
#define BROADLOOM_DRIVER_SOURCES_DIAGNOSTICS_H

#include "driver/ProgramDiagnostic.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace broadloom {

/// What was said of a program, as text in MLIR's form and as data.
struct Diagnostics {
  std::string text;
  std::vector<ProgramDiagnostic> list;

  void clear() {
    text.clear();
    list.clear();
  }
  /// Adds `error: MESSAGE`, without a location, to the text.
  void addError(const llvm::Twine &message) {
    text += ("error: " + message + "\n").str();
  }
};

/// Collects the diagnostics that are reported during its lifetime, in MLIR's
/// form and with the names of locations (dialect/LocationText.h). The number of
/// errors is limited.
class DiagnosticCollector : public mlir::SourceMgrDiagnosticHandler {
public:
  /// Adds to `into`. `limit`: how many errors are kept; 0 for all.
  DiagnosticCollector(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                      Diagnostics &into, unsigned limit);
  ~DiagnosticCollector();

private:
  void add(const mlir::Diagnostic &diagnostic);
  llvm::LogicalResult handle(mlir::Diagnostic &diagnostic);
  /// Writes the location of a note; fails if MLIR's own form is good enough.
  llvm::LogicalResult handleNote(const mlir::Diagnostic &note);

  llvm::raw_string_ostream stream;
  std::vector<ProgramDiagnostic> &list;
  unsigned limit;
  size_t numErrors = 0;
  mlir::ScopedDiagnosticHandler filter;
};

/// Reads diagnostics from text: each line of `text` that says `error:`,
/// `warning:`, `remark:` or `note:` at its beginning or after a location.
std::vector<ProgramDiagnostic> readDiagnostics(llvm::StringRef text);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_DIAGNOSTICS_H
