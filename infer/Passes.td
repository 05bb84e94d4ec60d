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
  let summary = "Start a report, to which later passes add";
  let description = [{
    Numbers the operations of the program and makes the report an analysis. Later
    passes record in it what becomes of each constraint, and what types prove or
    refute. With a report they continue after a shape error.
  }];
}

def LoomConstrainExtents : Pass<"loom-constrain-extents", "::mlir::ModuleOp"> {
  let summary = "Make constraints of the attributes loom.extents";
  let description = [{
    The promises about the arguments of a function become constraints at its
    entry, those about its results constraints before it returns, and each call
    is constrained to keep the promises of the function that it calls (abi-1). A
    private function that only calls name checks nothing itself: its promises are
    facts in it.

    Run it before `loom-insert-guards`, once: the attributes stay.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect"];
}

def LoomRefineShapes : Pass<"loom-refine-shapes", "::mlir::ModuleOp"> {
  let summary = "Refine types by shape functions, and make constraints of what they require";
  let description = [{
    Walks over the program as `loom-insert-guards` does, with the facts of
    conditions, loops, calls and names of extents (sf-8). Evaluates the shape
    function of each operation that has one with the facts that hold there. A
    refuted requirement is an error at the operation, with the message of the
    function's author (sf-3). An unknown one becomes a `loom.constrain` before
    the operation (sf-4, sf-11). Result types are then refined to what is
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
              "Constraints that depend on more than extents">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::index::IndexDialect", "::mlir::scf::SCFDialect",
    "::mlir::shape::ShapeDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
}

def LoomInsertGuards : Pass<"loom-insert-guards", "::mlir::ModuleOp"> {
  let summary = "Erase proved constraints and make guards of the others";
  let description = [{
    Decides each constraint with the facts from the constraints before it (rt-8).
    A proved constraint is erased. A refuted one on a path that is always taken is
    an error. An unknown one becomes one `loom.require` per fact, or a
    `loom.require_broadcast` where a rank is not known. Guards that need only
    arguments and lie on every path stand at the function's entry (rt-1); others
    stand as early in their block as their values allow. Shape values without
    users are erased with the constraints.

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

def LoomFoldElements : Pass<"loom-fold-elements", "::mlir::func::FuncOp"> {
  let summary = "Compute what follows from constant integers";
  let description = [{
    Replaces the results of maps, structured operations of few elements, scalar
    operations and reads of elements by constants, where all operands are constant
    integers. Branches with known conditions are inlined, and short loops are
    unrolled.

    It is for questions about shapes that give the values of arguments: guards on
    data, such as that the indices of a gather are in range, then depend on
    constants, so that a shape query has them (abi-2). Run it after
    `loom-insert-guards`.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomShapeQueries : Pass<"loom-shape-queries", "::mlir::ModuleOp"> {
  let summary = "Make the shape query of each function";
  let description = [{
    The shape query of a function takes the extents of its arguments, makes the
    guards that depend on them, and returns the extents of its results (abi-2).
    Where an extent depends on data, the query returns its bound, and the
    attribute `loom.shape_query` says so. A function that cannot have a shape
    query gets the attribute `loom.no_shape_query` with the reason.

    Run it after `loom-insert-guards` and `loom-lower-tosa`: it reads the
    operations that will run. In functions of several blocks it reads the
    branches and loops that upstream's transformation to `scf` finds.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect"];
}

#endif // BROADLOOM_INFER_PASSES_TD
