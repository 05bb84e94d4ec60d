//===- Passes.td - inference and guards --------------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_PASSES_TD
#define BROADLOOM_INFER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoomCollectReport : Pass<"loom-collect-report", "::mlir::ModuleOp"> {
  let summary = "Passes behind this one add to a report";
  let description = [{
    Numbers the operations of the program, and lets the passes behind it record
    what becomes of each constraint. They go on where the program is refused for
    its shapes, and record also what types prove or refute.
  }];
}

def LoomConstrainExtents : Pass<"loom-constrain-extents", "::mlir::ModuleOp"> {
  let summary = "What loom.extents says of arguments and results, as constraints";
  let description = [{
    The promises about the arguments of a function become constraints at its
    entry, those about its results constraints before it returns, and each call
    is constrained to keep the promises of the function that it calls (abi-1). A
    function that is private, and named by calls alone, checks nothing itself:
    there the promises are facts.

    Run it before `loom-insert-guards`, once: the attributes stay.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect"];
}

def LoomRefineShapes : Pass<"loom-refine-shapes", "::mlir::ModuleOp"> {
  let summary = "Types from shape functions, and constraints for what they require";
  let description = [{
    Walks over the program as `loom-insert-guards` does, so with what is known
    by conditions, loops, calls and names of extents (sf-8), and evaluates the
    shape function of each operation that has one over what is known there. What
    is refuted is an error at the operation, in the words of the function's
    author (sf-3). What is unknown becomes a `loom.constrain` before the operation
    (sf-4, sf-11); with those in place, result types are refined to what is
    inferred, and operands are cast to what is known of them. Users that may not
    take the refined type get the old one through `tensor.cast`.

    Operations without a function, and those whose results take part in control
    flow, keep their types, and so do arguments and results of functions.
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string",
               "Files of shape libraries, beside the one for TOSA">];
  let statistics = [
    Statistic<"numRefined", "refined", "Results whose type was refined">,
    Statistic<"numConstraints", "constrained", "Constraints left to run time">,
    Statistic<"numOpen", "open",
              "Constraints that depend on what no extent tells">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomInsertGuards : Pass<"loom-insert-guards", "::mlir::ModuleOp"> {
  let summary = "Constraints to guards: proved ones go, the others are checked at run time";
  let description = [{
    Decides each constraint by the algebra, with the facts from those before it
    (rt-8). What is proved leaves no trace, what is refuted on a path that is
    always taken is an error, and what is unknown becomes one `loom.require` per
    fact, or a `loom.require_broadcast` where a rank is not known. Guards that
    need only arguments and lie on every path stand at the function's entry
    (rt-1); others stand as early in their block as their values allow. Shape
    values that nobody reads any more go with the constraints.

    Extents are followed through shape functions, tensor, linalg and index
    arithmetic, calls, branches and loops (sf-8). A guard in a loop whose values
    do not change in it stands before the loop.

    Run it after `loom-fuse-maps`, which proves equal shapes by the constraints.
  }];
  let options = [
    Option<"nameExtents", "name-extents", "bool", "false",
           "write what is known of results' extents as loom.extents (abi-1)">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomShapeQueries : Pass<"loom-shape-queries", "::mlir::ModuleOp"> {
  let summary = "For each function another that computes its results' shapes alone";
  let description = [{
    The shape query of a function takes the extents of its arguments, makes the
    guards that depend on them, and returns the extents of its results (abi-2).
    Where data decides an extent, its bound stands there, and the attribute
    `loom.shape_query` says so. A function that can have no shape query gets the
    attribute `loom.no_shape_query` with the reason.

    Run it after `loom-insert-guards`, where what is not element-wise is `linalg`
    or `tensor` already: it reads the operations that will run. Of blocks it sees
    the branches and loops that upstream's transformation to `scf` finds.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect"];
}

#endif // BROADLOOM_INFER_PASSES_TD
