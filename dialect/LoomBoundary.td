//===- LoomBoundary.td - tensors that go on beyond their ends -*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMBOUNDARY_TD
#define BROADLOOM_DIALECT_LOOMBOUNDARY_TD

include "dialect/LoomDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_BoundaryModeAttr : I32EnumAttr<"BoundaryMode",
    "what is read beyond the ends of an axis", [
      I32EnumAttrCase<"Constant", 0, "constant">,
      I32EnumAttrCase<"Replicate", 1, "replicate">,
      I32EnumAttrCase<"Reflect", 2, "reflect">,
      I32EnumAttrCase<"Symmetric", 3, "symmetric">,
      I32EnumAttrCase<"Wrap", 4, "wrap">]> {
  let cppNamespace = "::broadloom::loom";
}

def Loom_BoundaryOp : Loom_Op<"boundary", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "a tensor that goes on beyond its ends";
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
  }];
  let arguments = (ins Loom_BoundaryModeAttr:$mode, AnyRankedTensor:$source,
                       Optional<AnyType>:$value,
                       Variadic<Index>:$low, Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_low,
                       DenseI64ArrayAttr:$static_high);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $mode $source (`with` $value^ `:` type($value))?
    `low` custom<DynamicIndexList>($low, $static_low)
    `high` custom<DynamicIndexList>($high, $static_high)
    attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedLow() {
      return ::mlir::getMixedValues(getStaticLow(), getLow(), getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedHigh() {
      return ::mlir::getMixedValues(getStaticHigh(), getHigh(), getContext());
    }
  }];
}

#endif // BROADLOOM_DIALECT_LOOMBOUNDARY_TD
