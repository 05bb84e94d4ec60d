//===- LoomBoundaryMode.td - what is read beyond ends ------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMBOUNDARYMODE_TD
#define BROADLOOM_DIALECT_LOOMBOUNDARYMODE_TD

include "mlir/IR/EnumAttr.td"

def Loom_BoundaryModeAttr : I32EnumAttr<"BoundaryMode",
    "what is read beyond the ends of an axis", [
      I32EnumAttrCase<"Constant", 0, "constant">,
      I32EnumAttrCase<"Replicate", 1, "replicate">,
      I32EnumAttrCase<"Reflect", 2, "reflect">,
      I32EnumAttrCase<"Symmetric", 3, "symmetric">,
      I32EnumAttrCase<"Wrap", 4, "wrap">]> {
  let cppNamespace = "::broadloom::loom";
}

#endif // BROADLOOM_DIALECT_LOOMBOUNDARYMODE_TD
