//===- LoomExtents.td - names for the extents of arguments -*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMEXTENTS_TD
#define BROADLOOM_DIALECT_LOOMEXTENTS_TD

include "dialect/LoomDialect.td"

def Loom_ExtentsAttr : AttrDef<Loom_Dialect, "Extents"> {
  let mnemonic = "extents";
  let summary = "names, formulas and ranges of the extents of a tensor";
  let description = [{
    Stands as `loom.extents` on the arguments and results of a function (abi-1):

    ```mlir
    func.func @f(
        %x: tensor<?x?x64xf32>
            {loom.extents = #loom.extents<[batch, seq, 64] where seq = 0 to 512 step 8>},
        %mask: tensor<?x?xi1> {loom.extents = #loom.extents<[seq, seq]>})
      -> (tensor<?x64xf32> {loom.extents = #loom.extents<[batch * seq, 64]>})
    ```

    There is one entry for each axis: a name, which stands for one extent in the
    whole function; a number; a formula with `+`, `-`, `*`, `floordiv`,
    `ceildiv` and `mod`, the last three by a positive number; or `?`, of which
    nothing is said. A name is the extent of an axis of some argument, or, if no
    argument has it, of some result. `where` gives ranges of names: from the
    least to the greatest value, both included (`?` for no greatest), in steps.
    Where the type has no rank, it says how many axes there are as well.

    On an argument it is a promise, checked when the function is called. On a
    result it is a claim, proved or else checked before the function returns.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::StringAttr">:$names,
    // One symbol for each name; kOpen for `?`.
    "::mlir::AffineMap":$extents,
    // One for each name.
    ArrayRefParameter<"NameRange">:$ranges);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The attribute of a function's argument or result.
    static constexpr ::llvm::StringLiteral kKey = "loom.extents";

    int64_t getRank() const { return getExtents().getNumResults(); }
    /// Null where nothing is said of the axis.
    ::mlir::AffineExpr getExtent(unsigned axis) const;
    /// The number of the name that the axis is, if it is one alone.
    std::optional<unsigned> getName(unsigned axis) const;
    /// As it is written.
    std::string getText(unsigned axis) const;

    /// The attribute with its names in the order in which they are read: what
    /// is printed is then read as the same attribute.
    static ExtentsAttr getInOrder(
        ::mlir::MLIRContext *context,
        ::llvm::SmallVector<::mlir::StringAttr> names,
        ::llvm::SmallVector<::mlir::AffineExpr> extents,
        ::llvm::SmallVector<NameRange> ranges);

    /// Of the attribute of an axis of which nothing is said.
    static ::mlir::AffineExpr getOpen(::mlir::MLIRContext *context);
  }];
}

#endif // BROADLOOM_DIALECT_LOOMEXTENTS_TD
