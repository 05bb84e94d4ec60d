//===- LoomRelation.td - affine relations ------------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMRELATION_TD
#define BROADLOOM_DIALECT_LOOMRELATION_TD

include "dialect/LoomDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Loom_RelationAttr : AttrDef<Loom_Dialect, "Relation"> {
  let mnemonic = "relation";
  let summary = "an affine relation of inputs and outputs, by symbols";
  let description = [{
    Says which tuples of outputs belong to a tuple of inputs, such as the
    elements that a function reads for a position:

    ```mlir
    #loom.relation<"(d0)[s0] -> (r0) : (d0 <= r0 <= d0 + 1, r0 < s0)">
    #loom.relation<"()[n] -> (i, j) : (0 <= i <= j < n)">
    #loom.relation<"(i) -> (b, l) : (b == i floordiv 8, l == i mod 8)">
    #loom.relation<"() -> (i) : exists (e) : (i == 3*e, 0 <= i < 10) or (i == 1)">
    ```

    The names of inputs, symbols and outputs are pairwise different. Each
    parenthesis behind the second colon is a conjunction of comparisons, all of
    which are true for its points; `()` has all points and `(false)` none.
    `floordiv`, `ceildiv` and `mod` divide by positive numbers and round down,
    up, and down. A relation is printed in one form, in which what `exists` is
    expressed by quotients wherever the analysis finds out how.
  }];
  let parameters = (ins StringRefParameter<"as it is printed">:$text);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static RelationAttr get(::mlir::MLIRContext *context,
                            const ::broadloom::poly::Relation &relation);
    ::broadloom::poly::Relation getRelation() const;
  }];
}

#endif // BROADLOOM_DIALECT_LOOMRELATION_TD
