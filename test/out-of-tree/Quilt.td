//===- Quilt.td - somebody else's operations ---------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialect/Broadcastable.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Quilt_Dialect : Dialect {
  let name = "quilt";
  let cppNamespace = "::quilt";
}

def Quilt_StitchOp : Op<Quilt_Dialect, "stitch",
    [Broadcastable, InferBroadcastType<>, Pure]> {
  let arguments = (ins AnyType:$left, AnyType:$right);
  let results = (outs AnyType:$result);
  // Without a result type: it is inferred.
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

def Quilt_PatchOp : Op<Quilt_Dialect, "patch",
    [BroadcastableStrict, AllRanksMatchIfKnown, Pure]> {
  let arguments = (ins Variadic<AnyTensor>:$pieces);
  let results = (outs AnyTensor:$result);
  let assemblyFormat =
      "$pieces attr-dict `:` functional-type($pieces, $result)";
}
