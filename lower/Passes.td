//===- Passes.td - from TOSA to loom and to linalg ---------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_PASSES_TD
#define BROADLOOM_LOWER_PASSES_TD

include "infer/PassOptions.td"
include "mlir/Pass/PassBase.td"

def ConvertTosaToLinalgRfc
    : Pass<"convert-tosa-to-linalg-rfc", "::mlir::ModuleOp"> {
  let summary = "Lower element-wise TOSA to linalg as the RFC does";
  let description = [{
    Stands in the place of `convert-tosa-to-loom`, and needs the same passes
    before it. Lowers the element-wise operations by the strategy `rfc`
    (rfc-1 to rfc-4): a run-time extent of 1 is broadcast by a copy, operand by
    operand and axis by axis. Operands of unknown rank are refused.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
  let options = [
    DynamicToStaticOption,
    Option<"constraints", "constraints", "bool", "true",
           "Record what must hold at run time beside the code">];
}

def LoomLowerAffine : Pass<"loom-lower-affine", "::mlir::func::FuncOp"> {
  let summary = "Convert loops and branches of affine to scf";
  let description = [{
    Bounds and conditions become `affine.apply`, `affine.min` and `affine.max`,
    which the analysis reads and whose products wrap. Upstream's lowering makes
    arithmetic with the flag `nsw` instead.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomElementwiseToLinalg : Pass<"loom-elementwise-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert arith and math on ranked tensors to linalg.generic";
  let description = [{
    Upstream's patterns in a conversion that never folds. Upstream's own pass
    folds each operation first, and `arith.xori %x, %x` of an open extent becomes
    a constant whose type has that extent, which is no valid constant.
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLoomToLinalg : Pass<"convert-loom-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert ranked maps to linalg.generic, without copies";
  let description = [{
    An operand whose extents are known against the result's is read through an
    affine map; any other is read inside the body, at index 0 of the axes whose
    extent is 1 at run time. Maps with operands of unknown rank stay. `loom.any`
    becomes a `linalg.reduce`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomGuardsToAssert : Pass<"loom-guards-to-assert", "::mlir::ModuleOp"> {
  let summary = "Convert guards to cf.assert, for pipelines without the dialect loom";
  let description = [{
    The message loses its values and keeps the rest. A guard on a rank that is
    known only at run time has no counterpart and is an error, as is any other
    operation of loom that is left. Constraints that are not yet guards are
    removed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomEraseExtents : Pass<"loom-erase-extents", "::mlir::ModuleOp"> {
  let summary = "Remove the declared extents of arguments and results";
  let description = [{
    Removes the attribute `loom.extents` (abi-1) from arguments and results, for
    pipelines without the dialect loom.
  }];
}

def LoomFoldConstants : Pass<"loom-fold-constants", "::mlir::func::FuncOp"> {
  let summary = "Convert and lay out constants when the program is compiled";
  let description = [{
    Folds maps that convert a constant of 8 or 16 bits to a type that is no
    smaller: converters write them for weights that are stored in small types.
    Also folds operations that reshape or transpose a constant: importers write
    them for the weights of PyTorch's linear layers. Other operations on
    constants stay.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ConvertTosaToContract
    : Pass<"convert-tosa-to-contract", "::mlir::func::FuncOp"> {
  let summary = "Convert convolutions and products of matrices to loom.contract";
  let description = [{
    `tosa.conv2d`, `tosa.conv3d`, `tosa.depthwise_conv2d`,
    `tosa.transpose_conv2d` and `tosa.matmul` of types whose products are summed
    in f32 or i32. Their bias is added in the body. Constant weights are laid out
    here with the output channels innermost. `tosa.max_pool2d` of f32, f16 and
    bf16 that propagates NaN takes the maximum in place of a sum, and
    `tosa.avg_pool2d` of them the sum without weights, both of five channels or
    more. A `tosa.rescale` of sums by constants becomes a map. What is not
    converted goes through `loom-lower-tosa`.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToContract
    : Pass<"convert-linalg-to-contract", "::mlir::func::FuncOp"> {
  let summary = "Convert linalg's convolutions and products to loom.contract";
  let description = [{
    Converted are operations that add products of two operands, `linalg.generic`
    among them, if each axis of a tensor is a loop and one operand has an axis of
    its own. Convolutions are converted in one to three dimensions, and those
    channel by channel in two, with the channels innermost or behind the batch.
    Products must be summed in f32 or i32, and the destination must be 0. Others
    are loops.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect",
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LoomFoldPadding : Pass<"loom-fold-padding", "::mlir::func::FuncOp"> {
  let summary = "Fold the padding of an image into the window that reads it";
  let description = [{
    A `loom.contract` with a window reads what a `tosa.pad` or `tensor.pad`
    reads, if what is added is the image's zero along axes of the window, and the
    padding becomes the window's. A `loom.boundary` that repeats elements of the
    image gives the window its mode, also from in front of a transposition, where
    the contraction is over channels. Where a product with 0 might not be 0, because
    a weight is infinite, NaN or not known, the pad stays. So is a `tosa.slice`
    folded that takes away padding, or what no window reaches at the end. A pad
    that others read too stays for them.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomFuseTails : Pass<"loom-fuse-tails", "::mlir::func::FuncOp"> {
  let summary = "Fuse maps that read a contraction's results into its body";
  let description = [{
    The first map that reads a result of a `loom.contract` becomes part of its
    body if both are known to have one shape, and then the next one. A bias, a
    clamp, a residual addition or an activation then costs no pass over memory.
    What other operations read too is a further result. Where operations in front
    of the map read extents of the sums, the map moves to the contraction, if its
    other operands fit by their types or no guard is between the two.

    Run it after `loom-insert-guards`, whose kinds of access tell which shapes
    are one.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomSplitBoundaries : Pass<"loom-split-boundaries", "::mlir::func::FuncOp"> {
  let summary = "Compute maps of slices of boundaries in parts";
  let description = [{
    A `loom.map` that reads slices of a `loom.boundary`, or of a `tensor.pad` whose
    padding is computed of numbers alone, computes the inner part of its result straight from slices of the
    source. What is in front of it and behind it along each axis is a part of its
    own, for which the elements that it reads are made. So no widened tensor is
    made, if such maps are all that read it, its padding is static and narrow, and
    the result is not known to be small.

    Run it after `loom-insert-guards`, whose kinds of access tell which operands
    have the extents of the result.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomLowerBoundaries : Pass<"loom-lower-boundaries", "::mlir::func::FuncOp"> {
  let summary = "Make the tensors of boundaries";
  let description = [{
    The source is copied into the result of a `loom.boundary`, and what is beyond
    its ends is computed, a part for each end of each axis. One of mode `constant`
    becomes a `tensor.pad`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LoomLowerTosa : Pass<"loom-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "What is not element-wise in TOSA, for the most part through upstream's patterns";
  let description = [{
    One dialect conversion to linalg, tensor, arith and scf that never folds.
    Fails with an error at the first operation that it cannot lower. Where the
    extents of a pool, a resize or a transposed convolution are not static, they
    are computed by its shape function.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::index::IndexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::shape::ShapeDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

#endif // BROADLOOM_LOWER_PASSES_TD
