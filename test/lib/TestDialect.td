//===- TestDialect.td - operations to test with ------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation per trait and interface that other dialects may use. Operands
// and results are of any type and number, so that the traits themselves are
// tested, not the constraints that TableGen would check before them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_TESTDIALECT_TD
#define BROADLOOM_TEST_LIB_TESTDIALECT_TD

include "dialect/Broadcastable.td"
include "dialect/BroadcastableOpInterface.td"
include "dialect/ShapeFunction.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Test_Dialect : Dialect {
  let name = "test";
  let cppNamespace = "::broadloom::test";
  let summary = "operations for Broadloom's tests; only in broadloom-opt";
}

class Test_Op<string mnemonic, list<Trait> traits>
    : Op<Test_Dialect, mnemonic, traits> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}

def Test_BroadcastableOp : Test_Op<"broadcastable", [Broadcastable, Pure]> {
  let summary = "the operation of both trait documents' examples";
}

def Test_BroadcastableStrictOp
    : Test_Op<"broadcastable_strict", [BroadcastableStrict, Pure]> {
  let summary = "strict whatever the dialect's policy is";
}

def Test_AllRanksMatchOp
    : Test_Op<"all_ranks_match", [AllRanksMatchIfKnown, Pure]>;

def Test_InferBroadcastOp
    : Test_Op<"infer_broadcast", [Broadcastable, InferBroadcastType<>, Pure]> {
  let summary = "built from operands; the element type is the first one's";
  let results = (outs AnyType:$output);
}

def Test_CompareOp : Test_Op<"compare", [
    Broadcastable, InferBroadcastType<[{
      ::mlir::IntegerType::get(context, 1)
    }]>, Pure]> {
  let summary = "built from operands; the element type is i1";
  let results = (outs AnyType:$output);
}

def Test_OperandsOp : Test_Op<"operands", []> {
  let summary = "operands for the pass test-infer-broadcast to build from";
  let arguments = (ins Variadic<AnyType>:$inputs, UnitAttr:$compare);
}

def Test_StrictPairOp : Test_Op<"strict_pair", [BroadcastableStrict, Pure]> {
  let results = (outs AnyType:$output);
}

def Test_RowsOp : Test_Op<"rows", [Pure, ShapeFunction<[{
  func @rows(%matrix: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %matrix, "a matrix has 2 axes, but this has {0}"
    %shape = from_extents %rows : index
    %type = loom.element_type %matrix
    return %shape, %type : !shape.shape, !loom.element_type
  }
}]>]> {
  let summary = "its definition holds its shape function";
  let results = (outs AnyType:$output);
}

def Test_LikeOp : Test_Op<"like", [Pure, ShapeFunction<"@tosa::@same">]> {
  let summary = "its definition names its shape function";
  let results = (outs AnyType:$output);
}

def Test_SquareOp : Test_Op<"square", [Pure, ShapeFunction<[{
  func @square(%matrix: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %matrix, "a matrix has 2 axes, but this has {0}"
    %same = index.cmp eq(%rows, %columns)
    loom.constraint %same, "a square has as many rows as columns, but this has {0} and {1}"(%rows, %columns)
    %shape = from_extents %rows, %columns : index, index
    %type = loom.element_type %matrix
    return %shape, %type : !shape.shape, !loom.element_type
  }
}]>]> {
  let summary = "its shape function requires something of extents";
  let results = (outs AnyType:$output);
}

def Test_EvenSumOp : Test_Op<"even_sum", [
    Broadcastable, Pure, ShapeFunction<[{
  func @even(%x: !shape.value_shape, %y: !shape.value_shape) -> !loom.element_type {
    %n = loom.extents %x, "the first operand is a vector, but this has {0} axes"
    %two = index.constant 2
    %zero = index.constant 0
    %rest = index.rems %n, %two
    %even = index.cmp eq(%rest, %zero)
    loom.constraint %even, "the first operand has an even number of elements, but this has {0}"(%n)
    %type = loom.element_type %x
    return %type : !loom.element_type
  }
}]>,
    DeclareOpInterfaceMethods<BroadcastableOpInterface, ["buildScalarBody"]>]> {
  let summary = "an element-wise operation with a shape function besides";
  let arguments = (ins AnyType:$x, AnyType:$y);
  let results = (outs AnyType:$output);
}

def Test_SameShapeOp : Test_Op<"same_shape", [SameOperandsAndResultShape, Pure]> {
  let results = (outs AnyType:$output);
}

def Test_SameShapesOp : Test_Op<"same_shapes", [SameOperandsShape, Pure]> {
  let summary = "of its results its traits say nothing";
  let results = (outs AnyType:$output);
}

def Test_HalvesOp : Test_Op<"halves", [
    DeclareOpInterfaceMethods<InferShapedTypeOpInterface,
                              ["inferReturnTypeComponents"]>, Pure]> {
  let summary = "half of a vector; takes an unknown extent for 8, as no inference should";
  let results = (outs AnyType:$output);
}

def Test_SumOfSquaresOp : Test_Op<"sum_of_squares", [
    Broadcastable, Pure,
    DeclareOpInterfaceMethods<BroadcastableOpInterface, ["buildScalarBody"]>]> {
  let summary = "x * x + y * y: an element-wise operation not of TOSA";
  let arguments = (ins AnyType:$x, AnyType:$y);
  let results = (outs AnyType:$output);
}

#endif // BROADLOOM_TEST_LIB_TESTDIALECT_TD
