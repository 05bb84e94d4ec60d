//===- CreateOperation.h - operations from operands alone -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result types of an operation that does not exist yet, from its shape
// function, and the operation with them:
//
//   Operation *add = createWithInferredTypes(
//       builder, loc, "tosa.add", {a, b}, {}, library);
//
// Extents may rest on constraints that are open (docs/shape-functions.md).
// loom-refine-shapes records these, and guards check them at run time.
//
// Invariant: on failure no operation is left behind, and the errors that Report
// selects have been reported.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_CREATEOPERATION_H
#define BROADLOOM_INFER_FUNCTIONS_CREATEOPERATION_H

#include "infer/functions/Evaluate.h"

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

struct CreateOptions {
  Report report = Report::First;
  /// Element types of the results for which the function leaves them open, in
  /// the order of results; null for the others.
  mlir::ArrayRef<mlir::Type> elementTypes;
};

/// The result types for `request`, with errors at `location`. A result is a
/// tensor, a vector or a memref like the first operand that has a shape, or a
/// scalar if no operand has one. Fails if the request is refuted or an element
/// type is open.
mlir::FailureOr<mlir::SmallVector<mlir::Type>>
inferResultTypes(const ShapeLibrary &library, const Request &request,
                 mlir::Location location, const CreateOptions &options = {});

/// Creates the operation of `state`, to which the types of results are added:
/// operands, attributes and regions are read. Null where they cannot be
/// inferred.
mlir::Operation *createWithInferredTypes(mlir::OpBuilder &builder,
                                         mlir::OperationState &state,
                                         const ShapeLibrary &library,
                                         const CreateOptions &options = {});
mlir::Operation *createWithInferredTypes(
    mlir::OpBuilder &builder, mlir::Location location, llvm::StringRef name,
    mlir::ValueRange operands, mlir::ArrayRef<mlir::NamedAttribute> attributes,
    const ShapeLibrary &library, const CreateOptions &options = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_CREATEOPERATION_H
