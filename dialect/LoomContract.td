//===- LoomContract.td - sums of products ------------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMCONTRACT_TD
#define BROADLOOM_DIALECT_LOOMCONTRACT_TD

include "dialect/LoomContraction.td"
include "dialect/LoomDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

def Loom_ContractOp : Loom_Op<"contract", [
    Pure, IsolatedFromAbove, SingleBlock, Loom_ScalarBody,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "a convolution or a product of matrices, and what is computed of each sum";
  let description = [{
    The first operand is an image `[N, S..., C]`, the second a weight. Element
    `[n, s..., o]` of the sums is the sum over the window `t...` and the channels
    `c` of `image[n, s * stride + t * dilation - pad, c] * weight[t..., c, o]`,
    where what lies outside the image counts as 0. The attributes have one number
    for each axis of the window, `pads` two, before and behind. Without a window,
    `strides` is empty and the image is read where the sum stands. A weight with
    one axis more, in front, has one part for each `n`. With `groups`, the channels
    of the image and of the sums are so many equal parts, one after the other, and
    a sum is over the channels of its part alone, of which the weight has as many
    as one part of the image. More than one group needs the kind `products`, a
    window, a weight without an axis for each `n`, and a number of sums `o` that the
    type tells and that `groups` divides. That is the
    kind `products`, which an operation without `kind` has. Of the kind `depthwise`
    the weight is `[t..., c]` and channel `c` of a sum is made of channel `c` alone.
    Of the kind `max_pool` a sum is instead the
    largest element of its window in channel `c`, NaN where one is NaN; the weight
    is `[t...]`, of which the extents alone are read, and what lies outside the
    image does not count. Of the kind `sum_pool` it is the sum of these elements as
    they are. With `paddingMode`, windows of each kind read outside the image the
    element that `loom.boundary` reads there.

    The body is computed of each sum, its first argument, and of the elements of
    the other operands, which broadcast to the shape of the sums and never exceed
    it. All results have that shape. The type of the first argument is what sums
    are computed in; integers wrap, and `zeroPoints` are subtracted from the
    elements of the image and of the weight.

    ```mlir
    %r = loom.contract(%image, %weight, %bias) window {
      strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>
    } : (tensor<?x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x4x4x16xf32> {
    ^bb0(%sum: f32, %b: f32):
      %s = arith.addf %sum, %b : f32
      loom.yield %s : f32
    }
    ```

    `packed` stands where a weight has been laid out for the machine
    (loom-pack-weights), and has the extents that it had before.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$pads,
                       OptionalAttr<DenseI64ArrayAttr>:$zeroPoints,
                       OptionalAttr<DenseI64ArrayAttr>:$packed,
                       OptionalAttr<Loom_ContractionKindAttr>:$kind,
                       OptionalAttr<Loom_PaddingModeAttr>:$paddingMode,
                       OptionalAttr<I64Attr>:$groups);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `window` attr-dict `:` functional-type($inputs, $outputs)
    $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::mlir::Value getImage() { return getInputs()[0]; }
    ::mlir::Value getWeight() { return getInputs()[1]; }
    /// What the body reads beside the sum.
    ::mlir::ValueRange getTailInputs() { return getInputs().drop_front(2); }
    ::broadloom::ContractionKind getContractionKind() {
      return getKind() ? getKind()->getValue()
                       : ::broadloom::ContractionKind::Products;
    }
    /// All attributes, for a launch.
    ContractionAttr getContraction() {
      return ContractionAttr::get(getContext(), getContractionKind(),
                                  getStridesAttr(), getDilationsAttr(),
                                  getPadsAttr(), getZeroPointsAttr(),
                                  getPackedAttr(), getPaddingModeAttr(),
                                  getNumGroups());
    }
    /// The parts of the channels, 1 without groups.
    int64_t getNumGroups() { return getGroups().value_or(1); }
    /// What sums are computed in.
    ::mlir::Type getSumType() { return getBodyBlock().getArgument(0).getType(); }
  }];
}

#endif // BROADLOOM_DIALECT_LOOMCONTRACT_TD
