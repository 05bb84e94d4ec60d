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
  let summary = "Fuse maps that feed maps";
  let description = [{
    A map joins its only user if that is a map, whatever the two shapes are:
    broadcasting is associative. A value that must not be computed once per
    element of a larger result becomes a stage of its own when kernels are made
    (decision 1). A map with several users joins the first of them that is a map
    if their shapes are proved equal; its results become further results of the
    fused map.

    After the pass no shape value refers to a map, and maps without users are
    erased. Run it before `loom-insert-guards`: it proves shapes equal by the
    constraints.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LoomFuseReductions : Pass<"loom-fuse-reductions", "::mlir::func::FuncOp"> {
  let summary = "Fuse reductions and the maps around them";
  let description = [{
    TOSA's reductions, `argmax` among them, become `loom.fused_reduction`,
    together with the maps that compute their operands and the maps that read
    their results, as long as all of them are likely to have one shape and reduce
    the same axes. A softmax or a normalisation becomes one operation. Successive
    reductions of one kind become one reduction of several axes.

    Run it after `loom-insert-guards`, whose kinds of access tell which shapes
    are one.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BROADLOOM_LOWER_FUSE_PASSES_TD
