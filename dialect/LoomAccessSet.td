//===- LoomAccessSet.td - sets of elements of an argument --*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMACCESSSET_TD
#define BROADLOOM_DIALECT_LOOMACCESSSET_TD

include "dialect/LoomRelation.td"

def Loom_AccessSetAttr : AttrDef<Loom_Dialect, "AccessSet"> {
  let mnemonic = "access_set";
  let summary = "elements of an argument, as a relation of scalars";
  let description = [{
    Says which elements of a function's argument are accessed: the argument by
    its number, a relation whose outputs are the subscripts, and the scalars
    that its inputs, and then its symbols, are. A scalar is the number of an
    integer argument, or `dim(argument, axis)`, an extent of memory:

    ```mlir
    #loom.access_set<0, #loom.relation<"(d0) -> (r0) : (d0 <= r0 <= d0 + 1)">, [1]>
    #loom.access_set<0, #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">, [dim(0, 1)]>
    #loom.access_set<2, #loom.relation<"() -> () : ()">>
    ```

    Lists of such sets are the attribute `loom.effects` of a function (ffi-4).
    `reads` and `writes` are read and written by each call that returns, and
    `may_reads` and `may_writes` by some. `initializes` is written by each call,
    and not read before. Nothing else of the arguments is accessed. The words
    `deterministic` and `reentrant` are about whole calls (ffi-7):

    ```mlir
    func.func private @axpy(index, memref<?xf64>, memref<?xf64>) attributes {loom.effects = {
      deterministic, reentrant,
      reads = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [0]>],
      may_writes = [#loom.access_set<2, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [0]>]}}
    ```
  }];
  let parameters = (ins
    "unsigned":$argument, "::broadloom::loom::RelationAttr":$relation,
    ArrayRefParameter<"::broadloom::loom::ScalarReference">:$scalars);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // BROADLOOM_DIALECT_LOOMACCESSSET_TD
