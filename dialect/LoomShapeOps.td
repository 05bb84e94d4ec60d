//===- LoomShapeOps.td - what shape functions need beyond upstream's ops --===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language that these complete is described in docs/shape-functions.md.
// They live in the bodies of `shape.func`s only. Upstream's `shape` dialect
// comes first: here is only what it cannot say.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSHAPEOPS_TD
#define BROADLOOM_DIALECT_LOOMSHAPEOPS_TD

include "dialect/LoomDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_InShapeFunction : NativeOpTrait<"InShapeFunction"> {
  let cppNamespace = "::broadloom::loom";
}

class Loom_ShapeFunctionOp<string mnemonic, list<Trait> traits = []>
    : Op<Loom_Dialect, mnemonic, !listconcat([Loom_InShapeFunction], traits)>;

// With these two an operation over operands needs no type in its text.
def Loom_Operand
    : Type<CPred<"::llvm::isa<::mlir::shape::ValueShapeType>($_self)">,
           "!shape.value_shape", "::mlir::shape::ValueShapeType">,
      BuildableType<"$_builder.getType<::mlir::shape::ValueShapeType>()">;
def Loom_OperandList
    : Type<CPred<"::broadloom::loom::isOperandList($_self)">,
           "tensor<?x!shape.value_shape>", "::mlir::RankedTensorType">,
      BuildableType<"::broadloom::loom::getOperandListType($_builder.getContext())">;

// A failed constraint is what a function is evaluated for: not dead code.
def Loom_ConstraintResource
    : Resource<"::broadloom::loom::ConstraintResource">;
def Loom_MayConstrain : MemoryEffects<[MemWrite<Loom_ConstraintResource>]>;

//===----------------------------------------------------------------------===//
// Reading operands
//===----------------------------------------------------------------------===//

def Loom_ExtentsOp : Loom_ShapeFunctionOp<"extents", [Loom_MayConstrain]> {
  let summary = "all extents of an operand that must have this many";
  let description = [{
    Requires the operand's rank to be the number of results; `{0}` in the
    message is the rank that it has.

    ```mlir
    %n, %h, %w, %c = loom.extents %input, "the input must have 4 axes, but has {0}"
    ```
  }];
  let arguments = (ins Loom_Operand:$operand, StrAttr:$message);
  let results = (outs Variadic<Index>:$extents);
  let hasCustomAssemblyFormat = 1;
}

def Loom_DimOp : Loom_ShapeFunctionOp<"dim", [Loom_MayConstrain]> {
  let summary = "one extent of an operand";
  let description = [{
    Requires `axis` to be an axis of the operand.

    ```mlir
    %e = loom.dim %input[%axis]
    ```
  }];
  let arguments = (ins Loom_Operand:$operand, Index:$axis);
  let results = (outs Index:$extent);
  let assemblyFormat = "$operand `[` $axis `]` attr-dict";
}

def Loom_ElementTypeOp : Loom_ShapeFunctionOp<"element_type", [Pure]> {
  let summary = "the element type of an operand";
  let arguments = (ins Loom_Operand:$operand);
  let results = (outs Loom_ElementTypeType:$type);
  let assemblyFormat = "$operand attr-dict";
}

def Loom_TypeOp : Loom_ShapeFunctionOp<"type", [Pure]> {
  let summary = "an element type as it is written";
  let arguments = (ins TypeAttr:$value);
  let results = (outs Loom_ElementTypeType:$type);
  let assemblyFormat = "$value attr-dict";
}

def Loom_SameTypeOp : Loom_ShapeFunctionOp<"same_type", [Pure]> {
  let summary = "whether two element types are the same";
  let arguments = (ins Loom_ElementTypeType:$lhs, Loom_ElementTypeType:$rhs);
  let results = (outs I1:$same);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

def Loom_IsScalarOp : Loom_ShapeFunctionOp<"is_scalar", [Pure]> {
  let summary = "whether an operand is a number, not a tensor, vector or memref";
  let arguments = (ins Loom_Operand:$operand);
  let results = (outs I1:$isScalar);
  let assemblyFormat = "$operand attr-dict";
}

def Loom_EncodingOp : Loom_ShapeFunctionOp<"encoding", [Pure]> {
  let summary = "what an operand's type says beyond shape and elements";
  let description = [{
    The encoding of a tensor; the layout and the memory space of a memref.
    `loom.attribute` reads an attribute of the operation as one. sf-10

    ```mlir
    %e = loom.encoding %input
    %to = loom.attribute "layout" : !loom.encoding
    ```
  }];
  let arguments = (ins Loom_Operand:$operand);
  let results = (outs Loom_EncodingType:$encoding);
  let assemblyFormat = "$operand attr-dict";
}

def Loom_SameEncodingOp : Loom_ShapeFunctionOp<"same_encoding", [Pure]> {
  let summary = "whether two encodings are the same";
  let arguments = (ins Loom_EncodingType:$lhs, Loom_EncodingType:$rhs);
  let results = (outs I1:$same);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

//===----------------------------------------------------------------------===//
// Reading attributes and regions
//===----------------------------------------------------------------------===//

def Loom_AttributeOp : Loom_ShapeFunctionOp<"attribute", [Loom_MayConstrain]> {
  let summary = "the value of an attribute of the operation";
  let description = [{
    Several results are the integers of an array, which must have that many; one
    result of type `tensor<?xindex>` is an array of any length. `else` is the
    value where the operation does not have the attribute, which is an error
    otherwise. `of` names a symbol attribute: the attribute is then read of the
    operation that the symbol stands for.

    ```mlir
    %axis = loom.attribute "axis" : index
    %y, %x = loom.attribute "stride" : index, index
    %mode = loom.attribute "transposed" : i1 else false
    %shape = loom.attribute "var_shape" of "name" : tensor<?xindex>
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$symbol,
                       OptionalAttr<AnyAttr>:$absent);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $name (`of` $symbol^)? attr-dict `:` type($values) (`else` $absent^)?
  }];
  let hasVerifier = 1;
}

def Loom_AttributeIsOp : Loom_ShapeFunctionOp<"attribute_is", [Pure]> {
  let summary = "whether an attribute of the operation has this value";
  let description = [{
    False where the operation does not have it.

    ```mlir
    %valid = loom.attribute_is "padding", "VALID"
    ```
  }];
  let arguments = (ins StrAttr:$name, AnyAttr:$value);
  let results = (outs I1:$same);
  let assemblyFormat = "$name `,` $value attr-dict";
}

def Loom_RegionYieldsOp : Loom_ShapeFunctionOp<"region_yields", [Pure]> {
  let summary = "what the terminator of a region of the operation yields";
  let arguments = (ins I64Attr:$region);
  let results = (outs Loom_OperandList:$values);
  let assemblyFormat = "$region attr-dict";
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

def Loom_DataExtentOp : Loom_ShapeFunctionOp<"data_extent", [Pure]> {
  let summary = "an extent that only running the operation can tell";
  let description = [{
    It is at least `atLeast` and at most `atMost`. sf-7

    ```mlir
    %kept = loom.data_extent from %zero to %n
    ```
  }];
  let arguments = (ins Index:$atLeast, Optional<Index>:$atMost);
  let results = (outs Index:$extent);
  let assemblyFormat = "`from` $atLeast (`to` $atMost^)? attr-dict";
}

def Loom_DataOp : Loom_ShapeFunctionOp<"data", [Pure]> {
  let summary = "a shape or type that only running the operation can tell";
  let description = [{
    ```mlir
    %shape = loom.data : !shape.shape
    ```
  }];
  let results = (outs AnyType:$value);
  let assemblyFormat = "attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Constraints and calls
//===----------------------------------------------------------------------===//

def Loom_ConstraintOp
    : Loom_ShapeFunctionOp<"constraint", [Loom_MayConstrain]> {
  let summary = "what must hold, and what to tell the user if it does not";
  let description = [{
    `{0}`, `{1}`, ... stand for the values, which are written as users know
    them: numbers, shapes as `4x?x3`, element types. Values are of type `index`
    unless types are given.

    ```mlir
    loom.constraint %same, "the filter has {0} input channels but the input has {1}"(%f, %i)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message,
                       Variadic<AnyType>:$values);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Loom_ApplyOp : Loom_ShapeFunctionOp<"apply", [Loom_MayConstrain]> {
  let summary = "the results of another shape function";
  let description = [{
    A function of the same library, or, as `@library::@function`, of one that
    was loaded before. Without types it takes and gives `index`, one result.

    ```mlir
    %oh = loom.apply @pooled(%h, %kernel, %stride)
    %s = loom.apply @with_extent(%in, %axis, %one) : (!shape.shape, index, index) -> !shape.shape
    ```
  }];
  let arguments = (ins SymbolRefAttr:$callee, Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$values);
  let hasCustomAssemblyFormat = 1;
}

#endif // BROADLOOM_DIALECT_LOOMSHAPEOPS_TD
