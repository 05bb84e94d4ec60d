//===- LoomSetShape.td - memory whose shape is a set -------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSETSHAPE_TD
#define BROADLOOM_DIALECT_LOOMSETSHAPE_TD

include "dialect/LoomDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Loom_SetShapeAttr : AttrDef<Loom_Dialect, "SetShape", [
    DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface, [
      "isIdentity", "verifyLayout", "getStridesAndOffset"]>]> {
  let mnemonic = "shape";
  let summary = "the layout of memory that has the elements of a set alone";
  let description = [{
    The elements of such memory are the points of a set, one behind another in
    lexicographic order (set-1). The symbols are the extents of the first axes,
    in their order, and the last symbol is the extent of all axes that follow:

    ```mlir
    memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>
    memref<8x8xf64, #loom.shape<"(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j <= i + 1)">>
    memref<4x6xf64, #loom.shape<"(i, j)[n, m] : (0 <= i < n, 0 <= j < m, j <= i)">>
    ```

    The set is one conjunction of comparisons, without quotients, in which each
    axis has bounds with a factor of 1. Its points lie inside the extents. The
    number of elements and the place of each are sums of polynomials.
  }];
  let parameters = (ins StringRefParameter<"as it is printed">:$text);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static SetShapeAttr get(::mlir::MLIRContext *context,
                            const ::broadloom::poly::Relation &set);
    const ::broadloom::poly::Relation &getSet() const;
    const ::broadloom::poly::PackedSet &getPacked() const;
    unsigned getNumSymbols() const;
    /// The first axis that has the symbol of `axis` as its extent.
    unsigned getSymbolAxis(unsigned axis) const;
    /// What stands for the variables of the set: the extents of the first axes
    /// for the symbols.
    ::std::vector<int64_t> getSymbols(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def Loom_PackedOp : Loom_Op<"packed", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a view of all elements of memory whose shape is a set";
  let description = [{
    The elements in lexicographic order, as memory of one axis, for what is done
    with each of them alone, and for libraries (set-4):

    ```mlir
    %p = loom.packed %a : memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">> to memref<?xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs AnyMemRef:$elements);
  let assemblyFormat = "$memref attr-dict `:` type($memref) `to` type($elements)";
  let hasVerifier = 1;
}

#endif // BROADLOOM_DIALECT_LOOMSETSHAPE_TD
