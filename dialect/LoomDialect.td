//===- LoomDialect.td - the loom dialect and its type ------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMDIALECT_TD
#define BROADLOOM_DIALECT_LOOMDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Loom_Dialect : Dialect {
  let name = "loom";
  let cppNamespace = "::broadloom::loom";
  let summary = "Element-wise maps with NumPy broadcasting, and what must hold of their shapes";
  let description = [{
    `loom` has one operation for all element-wise work, `loom.map`, values for
    shapes (`!loom.shape`), constraints over those values, and guards
    (`loom.require`). What has to hold of the shapes of a program is recorded
    over shape values and never over tensors, so that maps can be fused while
    the constraints stay what they were.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class Loom_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::broadloom::loom";
}
// dialect/LoomTraits.h says what these are.
def Loom_ScalarBody : Loom_Trait<"ScalarBody">;
def Loom_ReadsAnyStrides : Loom_Trait<"ReadsAnyStrides">;
def Loom_LaunchStep : Loom_Trait<"LaunchStep">;
def Loom_OwnsResults : Loom_Trait<"OwnsResults">;

class Loom_Op<string mnemonic, list<Trait> traits = []>
    : Op<Loom_Dialect, mnemonic, traits>;

class Loom_Type<string name, string typeMnemonic>
    : TypeDef<Loom_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Loom_ShapeType : Loom_Type<"Shape", "shape"> {
  let summary = "the shape of a tensor, as a value";
  let description = [{
    `!loom.shape<[?, 4]>` is a shape of rank 2 whose second extent is 4,
    `!loom.shape<[]>` that of a scalar, and `!loom.shape<*>` one whose rank is
    known at run time only. Unknown extents are `ShapedType::kDynamic`.
  }];
  let parameters = (ins
    "bool":$ranked,
    ArrayRefParameter<"int64_t">:$extents);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    TypeBuilder<(ins "::mlir::ShapedType":$type), [{
      return type.hasRank() ? $_get($_ctxt, true, type.getShape())
                            : $_get($_ctxt, false, ::llvm::ArrayRef<int64_t>{});
    }]>];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getExtents().size(); }
  }];
}

def Loom_ElementTypeType : Loom_Type<"ElementType", "element_type"> {
  let summary = "an element type, as a value of a shape function";
}

def Loom_EncodingType : Loom_Type<"Encoding", "encoding"> {
  let summary = "what a type says beyond shape and elements, as a value of a shape function";
  let description = [{
    The encoding of a tensor, such as a layout or bounds; the layout and the
    memory space of a memref. Nothing looks into it.
  }];
}

#endif // BROADLOOM_DIALECT_LOOMDIALECT_TD
