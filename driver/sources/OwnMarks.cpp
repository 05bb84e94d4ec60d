//===- OwnMarks.cpp - attributes that texts may have ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/OwnMarks.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

/// Whether passes alone write the attribute.
static bool isOwnMark(NamedAttribute attribute) {
  static const llvm::StringSet<> ofPrograms = {
      "attribute", "attributes", "constant", "convention", "default",
      "effects",   "extents",    "fixed",    "implements", "in_place",
      "loop",      "origin",     "state"};
  StringRef name = attribute.getName().strref();
  return name.starts_with("broadloom.") ||
         (name.consume_front("loom.") && !ofPrograms.contains(name));
}

void broadloom::dropOwnMarks(ModuleOp module) {
  module.walk([](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isOwnMark(attribute))
        op->removeDiscardableAttr(attribute.getName());
    auto func = dyn_cast<FunctionOpInterface>(op);
    if (!func)
      return;
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      for (NamedAttribute attribute : llvm::to_vector(func.getArgAttrs(i)))
        if (isOwnMark(attribute))
          func.removeArgAttr(i, attribute.getName());
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      for (NamedAttribute attribute : llvm::to_vector(func.getResultAttrs(i)))
        if (isOwnMark(attribute))
          func.removeResultAttr(i, attribute.getName());
  });
}
