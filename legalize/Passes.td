//===- Passes.td - passes from an input program to loom ----*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_PASSES_TD
#define BROADLOOM_LEGALIZE_PASSES_TD

include "infer/PassOptions.td"
include "mlir/Pass/PassBase.td"

def ConvertTosaToLoom : Pass<"convert-tosa-to-loom", "::mlir::ModuleOp"> {
  let summary = "Legalize the program: check it, and convert element-wise TOSA to loom.map";
  let description = [{
    Takes a module that was parsed with verification deferred, checks all of it
    (D8a), and turns its element-wise operations into `loom.map`, with a
    constraint beside each for what the types leave open. `tosa.const` becomes
    `arith.constant`. Other operations stay, with constraints on their data;
    `loom-refine-shapes` makes those on their extents, and refines their result
    types. Nothing is folded.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
  let options = [DynamicToStaticOption];
}

def LoomExpandUserOperations
    : Pass<"loom-expand-user-operations", "::mlir::ModuleOp"> {
  let summary = "Replace users' operations by their reference implementations";
  let description = [{
    Takes a module that was parsed with verification deferred. Operations of
    dialects that the texts define, and `tosa.custom`, are checked and refined
    by their shape functions; those with a reference implementation
    (`loom.implements`) are replaced by its body, or, where it computes on
    scalars, by a `loom.map` (sf-5). Those without one stay.
  }];
  let options = [
    DynamicToStaticOption,
    ListOption<"libraries", "libraries", "std::string",
               "Texts with dialects, shape functions and references">,
    Option<"standIns", "stand-ins", "bool", /*default=*/"false",
           "Whether tensors of the shapes that shape functions give, with "
           "arbitrary elements, replace operations without a reference">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def LoomLiftState : Pass<"loom-lift-state", "::mlir::ModuleOp"> {
  let summary = "Convert variables to arguments and results of functions";
  let description = [{
    Takes a module that was parsed with verification deferred, and replaces
    `tosa.variable`, `tosa.variable_read` and `tosa.variable_write`. The variables
    that a function uses become further arguments, after its own, and those that
    it writes become further results. The attribute `loom.state` of a public
    function names the variables and has their initial values.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

#endif // BROADLOOM_LEGALIZE_PASSES_TD
