//===- LoomAccess.td - how a map reads its operands --------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMACCESS_TD
#define BROADLOOM_DIALECT_LOOMACCESS_TD

include "dialect/LoomDialect.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"

def Loom_AxisAccess : I32Enum<"AxisAccess",
    "what is known of how an axis of an operand is read", [
      I32EnumCase<"Match", 0, "match">,
      I32EnumCase<"One", 1, "one">,
      I32EnumCase<"RunTime", 2, "run_time">]> {
  let cppNamespace = "::broadloom::loom";
}

def Loom_AccessAttr : AttrDef<Loom_Dialect, "Access"> {
  let mnemonic = "access";
  let summary = "what is known of how an operand of a map is read";
  let description = [{
    `#loom.access<[one, match, run_time]>` has one word for each axis of the
    operand: `match` (the extent is the result's), `one` (the extent is 1, and the
    element is repeated) or `run_time` (either; the runtime finds out). A scalar
    has `[]`, and an operand of unknown rank `#loom.access<*>`.
  }];
  let parameters = (ins
    "bool":$ranked,
    ArrayRefParameter<"AxisAccess">:$axes);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Whether every axis is known to be read as `access`.
    bool areAll(AxisAccess access) const {
      return getRanked() && ::llvm::all_of(getAxes(), [&](AxisAccess axis) {
        return axis == access;
      });
    }
  }];
}

def Loom_AccessArrayAttr
    : TypedArrayAttrBase<Loom_AccessAttr, "an access for each operand">;

#endif // BROADLOOM_DIALECT_LOOMACCESS_TD
