//===- Unimplemented.cpp - operations without implementation --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/user/Unimplemented.h"

#include "infer/functions/Library.h"
#include "legalize/OperationNotes.h"
#include "legalize/user/References.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;

/// The signature of a reference implementation of `op`.
static std::string describeReference(Operation *op) {
  StringRef key = infer::getOperationKey(op);
  // The last part of the name, as far as it can be a symbol.
  std::string name = key.substr(key.find_last_of(".:") + 1).str();
  if (name.empty() ||
      !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    name = "reference";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "func.func @" << name << "(";
  llvm::interleaveComma(
      llvm::enumerate(op->getOperandTypes()), stream, [&](auto operand) {
        stream << "%arg" << operand.index() << ": " << operand.value();
      });
  stream << ") -> (";
  llvm::interleaveComma(op->getResultTypes(), stream);
  stream << ") attributes {loom.implements = \"" << key << "\"} { ... }";
  return text;
}

LogicalResult legalize::reportUnimplemented(ModuleOp module,
                                            DiagnosticSeverity severity) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isUserOperation(op) || isa<tosa::CustomOp>(op))
      found.push_back(op);
  });
  if (found.empty())
    return success();
  StringRef first = infer::getOperationKey(found.front());
  Location loc = found.front()->getLoc();
  InFlightDiagnostic error =
      severity == DiagnosticSeverity::Error ? emitError(loc) : emitWarning(loc);
  error << "the program has " << found.size()
        << (found.size() == 1 ? " operation" : " operations")
        << " without a reference implementation; give --shape-library a text "
        << "with a function that has loom.implements = \"" << first << "\"";
  attachNotes(error, found, [](Operation *op) {
    return ("'" + infer::getOperationKey(op) + "'").str();
  });
  error.attachNote(loc) << "such as: " << describeReference(found.front());
  error.attachNote() << "examples/user-operations/ has whole texts, and "
                        "docs/user-operations.md explains them";
  if (severity != DiagnosticSeverity::Error)
    error.attachNote() << "shapes are checked all the same; the program cannot "
                          "be run";
  return error;
}

LogicalResult legalize::reportUnknownRank(OpResult result) {
  Operation *op = result.getOwner();
  StringRef key = infer::getOperationKey(op);
  StringRef advice =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedTensorType>)
          ? "give the ranks of operands, with '?' for their "
            "extents, or a function"
          : "give a function";
  return op->emitError()
         << "'" << key << "': its shape function gives no rank for result "
         << result.getResultNumber()
         << " before the program runs, and there is no reference "
            "implementation; "
         << advice << " with loom.implements = \"" << key << "\"";
}
