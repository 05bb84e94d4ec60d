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
  let summary = "Checks that a module can be loaded as a shape library";
  let description = [{
    The checks that loading makes, at their own locations, on the module itself.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomPrintShapeFunctions : Pass<"loom-print-shape-functions"> {
  let summary = "Prints the shape function of each operation of a program";
  let description = [{
    Once for each operation, to standard output: what a library maps it to, or
    what follows from its traits and interfaces (sf-9).
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
  let summary = "Creates operations from operands alone and checks their types";
  let description = [{
    Creates each operation of the program that has a shape function a second
    time, from its operands and attributes and without result types. What is
    inferred must be the types that the program declares, and the operation must
    verify. Element types that a function leaves open are those of the program;
    operations with regions, and terminators, are inferred and not created.

    With `operations`, moreover, creates each of these from every pair of
    arguments of each function, and remarks on the types.
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
