//===- HeldDiagnostics.h - diagnostics for later ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_HELDDIAGNOSTICS_H
#define BROADLOOM_READ_HELDDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <memory>
#include <utility>
#include <vector>

namespace broadloom::read {

/// Keeps diagnostics while it is open, so that they can be reported later or
/// dropped.
class HeldDiagnostics {
public:
  explicit HeldDiagnostics(mlir::MLIRContext *context)
      : context(context),
        handler(std::make_unique<mlir::ScopedDiagnosticHandler>(
            context, [this](mlir::Diagnostic &diagnostic) {
              held.push_back(std::move(diagnostic));
            })) {}

  void close() { handler.reset(); }
  /// Reports what `change` makes of each kept diagnostic.
  void release(llvm::function_ref<mlir::Diagnostic(mlir::Diagnostic &)> change =
                   [](mlir::Diagnostic &diagnostic) {
                     return std::move(diagnostic);
                   }) {
    close();
    for (mlir::Diagnostic &diagnostic : held)
      context->getDiagEngine().emit(change(diagnostic));
    held.clear();
  }

  /// Whether one of them has this text in it.
  bool mention(llvm::StringRef text) const {
    return llvm::any_of(held, [&](const mlir::Diagnostic &diagnostic) {
      return llvm::StringRef(diagnostic.str()).contains(text);
    });
  }
  /// Line and column of the first error in the text.
  std::pair<unsigned, unsigned> getFirstLocation() const {
    for (const mlir::Diagnostic &diagnostic : held)
      if (auto file =
              llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
        return {file.getLine(), file.getColumn()};
    return {0, 0};
  }

private:
  mlir::MLIRContext *context;
  std::vector<mlir::Diagnostic> held;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace broadloom::read

#endif // BROADLOOM_READ_HELDDIAGNOSTICS_H
