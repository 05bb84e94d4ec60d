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
  /// Adds to `text`. `limit`: how many errors are told; 0 for all.
  DiagnosticCollector(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                      std::string &text, unsigned limit);
  ~DiagnosticCollector();

private:
  llvm::LogicalResult handle(mlir::Diagnostic &diagnostic);
  /// Fails where MLIR writes the place of a note well.
  llvm::LogicalResult handleNote(const mlir::Diagnostic &note);

  llvm::raw_string_ostream stream;
  unsigned limit;
  size_t numErrors = 0;
  mlir::ScopedDiagnosticHandler filter;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_DIAGNOSTICS_H
