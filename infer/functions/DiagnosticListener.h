//===- DiagnosticListener.h - what would be reported ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Captures the diagnostics of its thread while it lives, for MLIR functions
// that return their answer as diagnostics.
//
// Invariant: diagnostics of other threads, which may run the same pass on other
// functions, are not captured.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_DIAGNOSTICLISTENER_H
#define BROADLOOM_INFER_FUNCTIONS_DIAGNOSTICLISTENER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

#include <string>

namespace broadloom::infer {

class DiagnosticListener {
public:
  explicit DiagnosticListener(mlir::MLIRContext *context)
      : handler(context,
                [this, self = llvm::get_threadid()](mlir::Diagnostic &said) {
                  if (llvm::get_threadid() != self)
                    return mlir::failure();
                  if (text.empty())
                    text = said.str();
                  return mlir::success();
                }) {}

  /// The first one.
  llvm::StringRef getText() const { return text; }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_DIAGNOSTICLISTENER_H
