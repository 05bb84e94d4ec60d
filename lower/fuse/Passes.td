//===- Passes.td - fusion of maps --------------------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_PASSES_TD
#define BROADLOOM_LOWER_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoomFuseMaps : Pass<"loom-fuse-maps", "::mlir::func::FuncOp"> {
  let summary = "Maps that feed maps become one map";
  let description = [{
    A map joins the map that uses it where nobody else does, whatever the two
    extents: broadcasting is associative, and what must not be computed once per
    element of a larger result is cut out again when kernels are made (D3). A
    map that others use too joins the first of its users that is a map if their
    shapes are proved equal; its results become further results of that one.

    Shape values no longer hold on to maps afterwards, and maps that nobody uses
    are gone. Run it before `loom-insert-guards`: it proves shapes equal by the
    constraints.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LoomFuseReductions : Pass<"loom-fuse-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reductions and the maps around them become one operation";
  let description = [{
    TOSA's reductions, `argmax` among them, become `loom.fused_reduction`, together with the maps that compute
    what is reduced and those that are computed from it, as long as all of them
    are likely to have one shape and reduce the same axes: a softmax, a
    normalisation, is one operation then. Successive reductions of one kind are
    one reduction of several axes.

    Run it after `loom-insert-guards`, whose kinds of access tell which shapes
    are one.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BROADLOOM_LOWER_FUSE_PASSES_TD
