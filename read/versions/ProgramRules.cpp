//===- ProgramRules.cpp - custom operations, variables, conditionals ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldOperation.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom::read;

static LogicalResult convertCustom(OldOperation &old) {
  if (Attribute name = old.take("identifier")) {
    old.attributes.append("operator_name", name);
    old.note("has 'identifier' as 'operator_name' now");
  }
  if (Attribute domain = old.take("config")) {
    old.attributes.append("domain_name", domain);
    old.note("has 'config' as 'domain_name' now");
  }
  return success();
}

/// `tosa.variable` in its generic form: the shape is now an attribute beside
/// the type.
static LogicalResult convertVariable(OldOperation &old) {
  auto type = dyn_cast_or_null<TypeAttr>(old.attributes.get("type"));
  auto tensor =
      type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
  if (!tensor)
    return success();
  old.attributes.set("type", TypeAttr::get(tensor.getElementType()));
  old.attributes.set("var_shape",
                     old.getBuilder().getIndexTensorAttr(tensor.getShape()));
  old.note("has its shape as an attribute now");
  return success();
}

/// The custom form without a type for the condition.
static LogicalResult convertIf(OldOperation &old) {
  old.note("says the type of its condition now");
  return success();
}

void broadloom::read::addProgramRules(Rules &rules) {
  rules["custom"] = convertCustom;
  rules["variable"] = convertVariable;
  rules["variable.read"] = [](OldOperation &old) {
    return rename(old, "variable_read");
  };
  rules["variable.write"] = [](OldOperation &old) {
    return rename(old, "variable_write");
  };
  rules["cond_if"] = convertIf;
}
