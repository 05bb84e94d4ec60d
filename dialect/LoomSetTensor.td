//===- LoomSetTensor.td - tensors whose shape is a set -----*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSETTENSOR_TD
#define BROADLOOM_DIALECT_LOOMSETTENSOR_TD

include "dialect/LoomDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_SetRestAttr
    : I32EnumAttr<"SetRest", "what a tensor has where a set has no element",
                  [I32EnumAttrCase<"Dropped", 0, "dropped">,
                   I32EnumAttrCase<"Zero", 1, "zero">,
                   I32EnumAttrCase<"Symmetric", 2, "symmetric">]> {
  let cppNamespace = "::broadloom::loom";
}

def Loom_ToSetOp : Loom_Op<"to_set"> {
  let summary = "a tensor whose shape is a set, of a dense one";
  let description = [{
    Takes the elements of the set (set-6). The rest is

    * `dropped`: not read;
    * `zero`: 0, which is checked;
    * `symmetric`: element [i, j] is element [j, i] where the set has that, and 0
      elsewhere, which is checked.

    ```mlir
    #lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
    %t = loom.to_set zero %d : tensor<?x?xf64> to tensor<?x?xf64, #lower>
    ```
  }];
  let arguments = (ins Loom_SetRestAttr:$rest, AnyRankedTensor:$dense);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$rest $dense attr-dict `:` type($dense) `to` type($result)";
  let hasVerifier = 1;
}

def Loom_FromSetOp : Loom_Op<"from_set", [Pure]> {
  let summary = "a dense tensor of one whose shape is a set";
  let description = [{
    Elements that the set has not are 0 (`zero`), or element [i, j] is element
    [j, i] where the set has that (`symmetric`, set-6).

    ```mlir
    %d = loom.from_set symmetric %t : tensor<?x?xf64, #lower> to tensor<?x?xf64>
    ```
  }];
  let arguments = (ins Loom_SetRestAttr:$rest, AnyRankedTensor:$set);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$rest $set attr-dict `:` type($set) `to` type($result)";
  let hasVerifier = 1;
}

def Loom_SetElementsOp : Loom_Op<"set_elements", [Pure]> {
  let summary = "the elements of a tensor whose shape is a set";
  let description = [{
    All elements in lexicographic order, as a tensor of one axis, for what is
    done with each of them alone, such as sums (set-5).

    ```mlir
    %e = loom.set_elements %t : tensor<?x?xf64, #lower> to tensor<?xf64>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$set);
  let results = (outs AnyRankedTensor:$elements);
  let assemblyFormat = "$set attr-dict `:` type($set) `to` type($elements)";
  let hasVerifier = 1;
}

#endif // BROADLOOM_DIALECT_LOOMSETTENSOR_TD
