//===- Passes.td - passes over shape functions -------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PASSES_TD
#define BROADLOOM_INFER_FUNCTIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoomVerifyShapeLibrary
    : Pass<"loom-verify-shape-library", "::mlir::ModuleOp"> {
  let summary = "Check that a module can be loaded as a shape library";
  let description = [{
    Makes the checks of loading on the module itself, so that errors have its
    locations.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomPrintShapeFunctions : Pass<"loom-print-shape-functions"> {
  let summary = "Print the shape function of each operation of a program";
  let description = [{
    Prints to standard output, once for each operation, the shape function that a
    library maps it to, or that its traits and interfaces imply (sf-9).
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string",
               "Files of shape libraries, beside the one for TOSA">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomCheckShapeFunctions
    : Pass<"loom-check-shape-functions", "::mlir::ModuleOp"> {
  let summary = "Create operations from operands alone and check their types";
  let description = [{
    Creates each operation of the program that has a shape function a second
    time, from its operands and attributes and without result types. What is
    inferred must be the types that the program declares, and the operation must
    verify. Element types that a function leaves open are those of the program;
    operations with regions, and terminators, are inferred and not created.

    Also creates each operation of the option `operations` from every pair of
    arguments of each function, and emits a remark with the types.
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string",
               "Files of shape libraries, beside the one for TOSA">,
    ListOption<"operations", "operations", "std::string",
               "Operations of two operands to create from pairs of arguments">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

#endif // BROADLOOM_INFER_FUNCTIONS_PASSES_TD
