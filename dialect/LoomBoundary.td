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
                       DenseI64ArrayAttr:$static_high);
  let results = (outs AnyTypeOf<[AnyRankedTensor, AnyMemRef]>:$result);
  let assemblyFormat = [{
    $mode $source (`with` $value^ `:` type($value))?
    `low` custom<DynamicIndexList>($low, $static_low)
    `high` custom<DynamicIndexList>($high, $static_high)
    attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it is one of memory.
    bool isOfMemory() {
      return ::llvm::isa<::mlir::MemRefType>(getSource().getType());
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
