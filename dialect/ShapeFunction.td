//===- ShapeFunction.td - shape functions in definitions ---*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the operations of any dialect, the shape function (docs/
// shape-functions.md) in the definition of the operation, or its name there:
//
//   include "dialect/ShapeFunction.td"
//   def MyRowsOp : Op<My_Dialect, "rows", [ShapeFunction<[{
//     func @rows(%a: !shape.value_shape) -> !shape.shape { ... }
//   }]>]> { ... }
//   def MySumOp : Op<My_Dialect, "sum", [ShapeFunction<"@tosa::@same">]> { ... }
//
// The C++ side is "dialect/ShapeFunctionOpInterface.h", to be included before
// the operations that TableGen writes, and the library BroadloomTrait. The text
// is parsed when a library is loaded (ShapeLibrary::loadAttached); a library
// that maps the operation is preferred.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_SHAPEFUNCTION_TD
#define BROADLOOM_DIALECT_SHAPEFUNCTION_TD

include "mlir/IR/OpBase.td"

def ShapeFunctionOpInterface : OpInterface<"ShapeFunctionOpInterface"> {
  let cppNamespace = "::broadloom";
  let description = [{
    An operation whose definition holds or names its shape function.
  }];
  let methods = [
    StaticInterfaceMethod<[{
        Either shape functions as in the body of a `shape.function_library`,
        the last of which is the operation's; or `@library::@function`.
      }],
      "::llvm::StringRef", "getShapeFunctionText">];
}

class Broadloom_HasShapeFunction<string text>
    : NativeOpTrait<"HasShapeFunction", [], [{}], [{
        ::llvm::StringRef $cppClass::getShapeFunctionText() {
          return R"loom(}] # text # [{)loom";
        }
      }]> {
  let cppNamespace = "::broadloom::OpTrait";
}

class ShapeFunction<string text>
    : TraitList<[DeclareOpInterfaceMethods<ShapeFunctionOpInterface>,
                 Broadloom_HasShapeFunction<text>]>;

#endif // BROADLOOM_DIALECT_SHAPEFUNCTION_TD
