//===- Passes.td - passes over shape functions -------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PASSES_TD
#define BROADLOOM_INFER_FUNCTIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoomRefineShapes : Pass<"loom-refine-shapes", "::mlir::func::FuncOp"> {
  let summary = "Result types from shape functions, and obligations for what they require";
  let description = [{
    Evaluates the shape function of each operation that has one, in program
    order, over symbols for the extents that types leave open. What is refuted
    is an error at the operation, in the words of the function's author (sf-3).
    What is unknown becomes a `loom.oblige` before the operation (sf-4, sf-11);
    with those in place, result types are refined to what is inferred. Users
    that may not take the refined type get the old one through `tensor.cast`.

    Operations without a function, and those whose results take part in control
    flow, keep their types.
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string",
               "Files of shape libraries, beside the one for TOSA">,
    Option<"obligations", "obligations", "bool", /*default=*/"true",
           "Record what must hold; without, only what holds anyway is refined">];
  let statistics = [
    Statistic<"numRefined", "refined", "Results whose type was refined">,
    Statistic<"numObliged", "obliged", "Constraints left to run time">,
    Statistic<"numOpen", "open",
              "Constraints that depend on what no extent tells">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

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

def LoomTestShapeFunctions
    : Pass<"loom-test-shape-functions", "::mlir::ModuleOp"> {
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
