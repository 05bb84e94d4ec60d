//===- LoomSort.td - elements in order ---------------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSORT_TD
#define BROADLOOM_DIALECT_LOOMSORT_TD

include "dialect/LoomDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_SortOp : Loom_Op<"sort", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the first elements in order along an axis, and where they were";
  let description = [{
    Along `axis`, the first result has the smallest elements of the source in
    order, or with `descending` the largest, and the second result their indices
    in the source. The destinations say how many: all, or fewer. Equal
    elements keep their order, -0 equals 0, and a NaN is larger than every
    number.

    ```mlir
    %values, %indices = loom.sort %x into %v, %p {axis = 1 : i64}
      : (tensor<?x?xf32>, tensor<?x5xf32>, tensor<?x5xi64>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
    ```
  }];
  let arguments = (ins AnyType:$source, AnyType:$values, AnyType:$indices,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$axis,
                       UnitAttr:$descending);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    $source `into` $values `,` $indices attr-dict `:` functional-type(operands, $outputs)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, /*start=*/1, /*length=*/2);
    }
  }];
}

#endif // BROADLOOM_DIALECT_LOOMSORT_TD
