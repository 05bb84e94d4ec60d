//===- LoomContraction.td - attributes of contractions -----*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMCONTRACTION_TD
#define BROADLOOM_DIALECT_LOOMCONTRACTION_TD

include "dialect/LoomBoundaryMode.td"
include "dialect/LoomDialect.td"

def Loom_ContractionKindAttr : AttrDef<Loom_Dialect, "ContractionKind"> {
  let mnemonic = "contraction_kind";
  let summary = "what a contraction sums";
  let description = [{
    `products`, `depthwise`, `sum_pool` or `max_pool`
    (runtime/abi/ContractionKind.h).
  }];
  let parameters = (ins "::broadloom::ContractionKind":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Loom_PaddingModeAttr : AttrDef<Loom_Dialect, "PaddingMode"> {
  let mnemonic = "padding_mode";
  let summary = "what a window reads beyond the ends of its image";
  let description = [{
    `replicate`, `reflect`, `symmetric` or `wrap`, as `loom.boundary` has them.
  }];
  let parameters = (ins "::broadloom::loom::BoundaryMode":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Loom_ContractionAttr : AttrDef<Loom_Dialect, "Contraction"> {
  let mnemonic = "contraction";
  let summary = "the attributes of a loom.contract that has become a launch";
  let parameters = (ins
    "::broadloom::ContractionKind":$kind,
    "::mlir::DenseI64ArrayAttr":$strides,
    "::mlir::DenseI64ArrayAttr":$dilations,
    "::mlir::DenseI64ArrayAttr":$pads,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$zeroPoints,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$packed,
    OptionalParameter<"::broadloom::loom::PaddingModeAttr">:$paddingMode,
    DefaultValuedParameter<"int64_t", "1">:$groups);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // BROADLOOM_DIALECT_LOOMCONTRACTION_TD
