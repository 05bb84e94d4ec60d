//===- TfliteDialect.td - what converters leave of TFLite --*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two operations that `tosa-converter-for-tflite` leaves where a model has
// sparse weights. Names, and the order of arguments, are those of its text and
// bytecode.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_TFLITE_TFLITEDIALECT_TD
#define BROADLOOM_READ_TFLITE_TFLITEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tflite_Dialect : Dialect {
  let name = "tfl";
  let cppNamespace = "::broadloom::read";
  let summary = "Sparse constants of TensorFlow Lite models";
  // They are parsed by hand, for the sake of texts with a dialect of this name.
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void registerAttributes();
  }];
}

def Tflite_LevelFormat : I32Enum<"LevelFormat", "how a level has its nodes", [
    I32EnumCase<"DENSE", 0>, I32EnumCase<"SPARSE_CSR", 1>]> {
  let cppNamespace = "::broadloom::read";
}

def Tflite_DimensionMetadataAttr
    : AttrDef<Tflite_Dialect, "DimensionMetadata"> {
  let mnemonic = "dimension_metadata";
  let summary = "one level of a sparse tensor";
  let parameters = (ins
    EnumParameter<Tflite_LevelFormat>:$format,
    // The children of each node, where the format is DENSE.
    "int32_t":$dense_size,
    // Where it is SPARSE_CSR: those of node i are the numbers from segments[i]
    // up to segments[i + 1] among indices.
    "::mlir::DenseI32ArrayAttr":$segments,
    "::mlir::DenseI32ArrayAttr":$indices);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tflite_SparsityParameterAttr
    : AttrDef<Tflite_Dialect, "SparsityParameter"> {
  let mnemonic = "sparsity_parameter";
  let summary = "where the values of a sparse tensor are";
  let parameters = (ins
    // Of each level the dimension: an axis of the tensor, or, from the tensor's
    // rank on, a dimension of the blocks.
    "::mlir::DenseI32ArrayAttr":$traversal_order,
    // Of each dimension of the blocks the axis that it divides.
    "::mlir::DenseI32ArrayAttr":$block_map,
    ArrayRefParameter<"DimensionMetadataAttr">:$dim_metadata);
  let assemblyFormat = "`<` struct(params) `>`";
}

class Tflite_Op<string mnemonic> : Op<Tflite_Dialect, mnemonic>;

def Tflite_PseudoSparseConstOp : Tflite_Op<"pseudo_sparse_const"> {
  let summary = "a constant of which the values that are not zero are written";
  let arguments = (ins
    // Zeros of the type of the result, which nothing reads.
    ElementsAttr:$value,
    Tflite_SparsityParameterAttr:$s_param,
    ElementsAttr:$compressed_data);
  let results = (outs AnyTensor:$output);
}

def Tflite_DensifyOp : Tflite_Op<"densify"> {
  let summary = "a sparse constant as a dense one";
  let arguments = (ins AnyTensor:$input);
  let results = (outs AnyTensor:$output);
}

#endif // BROADLOOM_READ_TFLITE_TFLITEDIALECT_TD
