//===- LoomBoundary.td - what goes on beyond its ends ---*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMBOUNDARY_TD
#define BROADLOOM_DIALECT_LOOMBOUNDARY_TD

include "dialect/LoomBoundaryMode.td"
include "dialect/LoomDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Loom_BoundaryOp : Loom_Op<"boundary", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "a tensor or memory that goes on beyond its ends";
  let description = [{
    Has `low` elements more in front of each axis and `high` behind it (bnd-1).
    An index beyond the source is read as one inside, axis by axis:

    | mode | indices -4 to 6 of an axis of 3 elements |
    |---|---|
    | `constant` | the operand `with`, for `-4 -3 -2 -1`; `0 1 2`; the same for `3 4 5 6` |
    | `replicate` | `0 0 0 0`, `0 1 2`, `2 2 2 2` |
    | `reflect` | `0 1 2 1`, `0 1 2`, `1 0 1 2` |
    | `symmetric` | `2 2 1 0`, `0 1 2`, `2 1 0 0` |
    | `wrap` | `2 0 1 2`, `0 1 2`, `0 1 2 0` |

    ```mlir
    %p = loom.boundary reflect %x low[1, 1] high[1, %n]
      : tensor<?x?xf32> to tensor<?x?xf32>
    %q = loom.boundary constant %x with %c : f32 low[2] high[2]
      : tensor<8xf32> to tensor<12xf32>
    ```

    Maps that read slices of it do so without it (`loom-split-boundaries`).

    By mode `constant`, `interior` puts so many elements more between each two
    of an axis: `x 0 0 y 0 0 z` is `x y z` with two.

    ```mlir
    %d = loom.boundary constant %x with %zero : f32 low[1] high[1] interior [2]
      : tensor<3xf32> to tensor<9xf32>
    ```

    A boundary of memory is a view that is read alone (bnd-5): by loads, by
    inputs of operations of `linalg` that are loops, and by another boundary. It
    shows what the memory holds when it is read. Loops read the memory itself where they are inside
    (`loom-read-boundaries`).

    ```mlir
    %p = loom.boundary wrap %m low[1, 1] high[1, 1]
      : memref<?x?xf32> to memref<?x?xf32>
    %x = affine.load %p[%i + 2, %j] : memref<?x?xf32>
    ```
  }];
  let arguments = (ins Loom_BoundaryModeAttr:$mode,
                       AnyTypeOf<[AnyRankedTensor, AnyMemRef]>:$source,
                       Optional<AnyType>:$value,
                       Variadic<Index>:$low, Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_low,
                       DenseI64ArrayAttr:$static_high,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">
                           :$interior);
  let results = (outs AnyTypeOf<[AnyRankedTensor, AnyMemRef]>:$result);
  let assemblyFormat = [{
    $mode $source (`with` $value^ `:` type($value))?
    `low` custom<DynamicIndexList>($low, $static_low)
    `high` custom<DynamicIndexList>($high, $static_high)
    (`interior` $interior^)?
    attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it is one of memory.
    bool isOfMemory() {
      return ::llvm::isa<::mlir::MemRefType>(getSource().getType());
    }
    /// How many elements stand between each two along an axis.
    int64_t getInteriorOf(int64_t axis) {
      return getInterior().empty() ? 0 : getInterior()[axis];
    }
    /// Whether elements stand between those of the source along some axis.
    bool hasInterior() {
      return ::llvm::any_of(getInterior(), [](int64_t n) { return n != 0; });
    }
    ::mlir::ShapedType getShapedType() {
      return ::llvm::cast<::mlir::ShapedType>(getType());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedLow() {
      return ::mlir::getMixedValues(getStaticLow(), getLow(), getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedHigh() {
      return ::mlir::getMixedValues(getStaticHigh(), getHigh(), getContext());
    }
  }];
}

#endif // BROADLOOM_DIALECT_LOOMBOUNDARY_TD
