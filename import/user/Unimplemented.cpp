//===- Unimplemented.cpp - operations without implementation --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/user/Unimplemented.h"

#include "import/user/References.h"
#include "infer/functions/Library.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

LogicalResult legalize::reportUnimplemented(ModuleOp module,
                                            DiagnosticSeverity severity) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isUserOperation(op) || isa<tosa::CustomOp>(op))
      found.push_back(op);
  });
  if (found.empty())
    return success();
  // A note for each up to here; a model may have thousands of one kind.
  constexpr size_t maxNotes = 10;
  StringRef first = infer::getOperationKey(found.front());
  Location loc = found.front()->getLoc();
  InFlightDiagnostic error =
      severity == DiagnosticSeverity::Error ? emitError(loc) : emitWarning(loc);
  error << "the program has " << found.size()
        << (found.size() == 1 ? " operation" : " operations")
        << " without a reference implementation; give --shape-library a text "
        << "with a function that has loom.implements = \"" << first << "\"";
  for (Operation *op : ArrayRef(found).take_front(maxNotes))
    error.attachNote(op->getLoc()) << "'" << infer::getOperationKey(op) << "'";
  if (found.size() > maxNotes)
    error.attachNote() << "and " << found.size() - maxNotes << " more";
  if (severity != DiagnosticSeverity::Error)
    error.attachNote() << "shapes are checked all the same; the program cannot "
                          "be run";
  return error;
}
