//===- LegalizationPass.h - a step of legalization --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of the passes that bring a program to the form that conversions
// take. They run on modules that were parsed without verification: what the
// rules allow may be refused by upstream's verifier (decision 70).
//
// Invariant: the structure of the module is sound while such a pass runs
// (read/structure/CheckStructure.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_LEGALIZATIONPASS_H
#define BROADLOOM_LEGALIZE_LEGALIZATIONPASS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::legalize {

/// The passes of legalization that have run on a module, as an analysis of it.
/// Any other pass that changes the module invalidates it.
class LegalizationSteps {
public:
  explicit LegalizationSteps(mlir::Operation *) {}

  /// Notes a pass by its argument.
  void add(llvm::StringRef pass) { passes.push_back(pass); }
  bool has(llvm::StringRef pass) const {
    return llvm::is_contained(passes, pass);
  }

private:
  llvm::SmallVector<llvm::StringRef> passes;
};

class LegalizationPass : public mlir::OperationPass<mlir::ModuleOp> {
protected:
  using OperationPass::OperationPass;

  /// Does the work of the pass. Fails after an error.
  virtual llvm::LogicalResult apply(mlir::ModuleOp module) = 0;

private:
  /// Checks the structure of the module unless a pass has done that, applies
  /// the pass and notes it. MLIR does not verify the module behind it.
  void runOnOperation() final;
};

/// What a pass has cached of them.
using CachedSteps = std::optional<std::reference_wrapper<LegalizationSteps>>;

/// Fails, with an error, if a pass of `needed` has not run on `module` before
/// `pass`, or if a pass of another kind has changed the module since. `steps`
/// are those of `pass`.
llvm::LogicalResult requireSteps(mlir::ModuleOp module, const mlir::Pass &pass,
                                 CachedSteps steps,
                                 llvm::ArrayRef<llvm::StringLiteral> needed);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_LEGALIZATIONPASS_H
