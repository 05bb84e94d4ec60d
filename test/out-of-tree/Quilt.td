//===- Quilt.td - somebody else's operations ---------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialect/Broadcastable.td"
include "dialect/BroadcastableOpInterface.td"
include "dialect/ShapeFunction.td"
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

// With a scalar body it becomes a map, and fuses with other maps.
def Quilt_OverlapOp : Op<Quilt_Dialect, "overlap",
    [Broadcastable, InferBroadcastType<>, Pure,
     DeclareOpInterfaceMethods<BroadcastableOpInterface, ["buildScalarBody"]>]> {
  let arguments = (ins TensorOf<[F32]>:$left, TensorOf<[F32]>:$right);
  let results = (outs TensorOf<[F32]>:$result);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

// The function in the definition.
def Quilt_BorderOp : Op<Quilt_Dialect, "border", [Pure, ShapeFunction<[{
  func @wider(%extent: index) -> index {
    %width = loom.attribute "width" : index
    %both = index.add %width, %width
    %all = index.add %extent, %both
    return %all : index
  }
  func @border(%quilt: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %quilt, "a quilt has rows and columns, but this has {0} axes"
    %height = loom.apply @wider(%rows)
    %width = loom.apply @wider(%columns)
    %shape = from_extents %height, %width : index, index
    %type = loom.element_type %quilt
    return %shape, %type : !shape.shape, !loom.element_type
  }
}]>]> {
  let arguments = (ins AnyTensor:$quilt, I64Attr:$width);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$quilt attr-dict `:` functional-type($quilt, $result)";
}

// What must hold is checked in every pipeline.
def Quilt_BlockOp : Op<Quilt_Dialect, "block", [Pure, ShapeFunction<[{
  func @block(%quilt: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %quilt, "a quilt has rows and columns, but this has {0} axes"
    %same = index.cmp eq(%rows, %columns)
    loom.constraint %same, "a block is square, but this has {0} rows and {1} columns"(%rows, %columns)
    %shape = from_extents %rows, %columns : index, index
    %type = loom.element_type %quilt
    return %shape, %type : !shape.shape, !loom.element_type
  }
}]>]> {
  let arguments = (ins AnyTensor:$quilt);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$quilt attr-dict `:` functional-type($quilt, $result)";
}

// The name of a function in a library.
def Quilt_WashOp
    : Op<Quilt_Dialect, "wash", [Pure, ShapeFunction<"@tosa::@same">]> {
  let arguments = (ins AnyTensor:$quilt);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$quilt attr-dict `:` functional-type($quilt, $result)";
}
