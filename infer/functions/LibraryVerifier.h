//===- LibraryVerifier.h - what a shape library must be ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the function libraries of a module beyond what upstream's verifier
// checks, and collects what they add. The rules are those of the section
// "Libraries" in docs/shape-functions.md.
//
// Invariant: errors are reported at their own locations; nothing is added to
// the library before commit().
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_LIBRARYVERIFIER_H
#define BROADLOOM_INFER_FUNCTIONS_LIBRARYVERIFIER_H

#include "dialect/LoomShapeOps.h"
#include "infer/functions/Library.h"

namespace broadloom::infer {

/// The number of results of operations of this name, if it is fixed.
std::optional<unsigned> getNumResults(mlir::OperationName name);

/// Runs upstream's verifier on a text that was parsed without verification,
/// except on functions: these are verified by this project's rules when a
/// program needs them (decision 70).
mlir::LogicalResult verifyText(mlir::ModuleOp module);

/// The meaning of a function's parameters and results for its operation; an
/// error at the function if they have none.
mlir::LogicalResult readSignature(mlir::shape::FuncOp function,
                                  llvm::StringRef operation,
                                  ShapeFunction &found);

class LibraryVerifier {
public:
  explicit LibraryVerifier(ShapeLibrary &library) : library(library) {}

  mlir::LogicalResult verify(mlir::ModuleOp module);
  void commit();

private:
  mlir::LogicalResult verifyLibrary(mlir::shape::FunctionLibraryOp op);
  mlir::LogicalResult verifyFunction(mlir::shape::FuncOp function);
  mlir::LogicalResult verifyBody(mlir::shape::FuncOp function);
  mlir::LogicalResult verifyOperation(mlir::Operation *op);
  mlir::LogicalResult verifyCall(mlir::shape::FuncOp caller,
                                 loom::ApplyOp apply);
  mlir::LogicalResult verifyMapping(mlir::shape::FunctionLibraryOp op);
  mlir::LogicalResult verifyNoRecursion(mlir::shape::FuncOp function);
  mlir::shape::FunctionLibraryOp findLibrary(mlir::StringRef name);

  ShapeLibrary &library;
  std::vector<mlir::shape::FunctionLibraryOp> ops;
  llvm::StringMap<ShapeFunction> functions;
  llvm::DenseMap<mlir::Operation *, mlir::shape::FuncOp> callees;
  /// The calls in each function, in order.
  llvm::DenseMap<mlir::Operation *, std::vector<loom::ApplyOp>> calls;
  /// Functions that are known not to call themselves.
  llvm::DenseSet<mlir::Operation *> done;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_LIBRARYVERIFIER_H
