//===- EraseAttributes.cpp - no attributes of a program for LLVM --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMERASEATTRIBUTES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

namespace {

bool isOurs(NamedAttribute attribute) {
  return attribute.getName().strref().starts_with("loom.");
}

/// The attributes of `dictionary` that are kept.
DictionaryAttr keepOurs(DictionaryAttr dictionary) {
  return DictionaryAttr::get(
      dictionary.getContext(),
      llvm::filter_to_vector(dictionary.getValue(), isOurs));
}

void eraseOfArguments(FunctionOpInterface function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (DictionaryAttr own = function.getArgAttrDict(i))
      function.setArgAttrs(i, keepOurs(own));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (DictionaryAttr own = function.getResultAttrDict(i))
      function.setResultAttrs(i, keepOurs(own));
}

struct LoomEraseAttributesPass
    : codegen::impl::LoomEraseAttributesBase<LoomEraseAttributesPass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        eraseOfArguments(function);
      // Of the module's own, none is of a stage before code is made.
      bool isModule = op == getOperation();
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (isModule || !isOurs(attribute))
          op->removeDiscardableAttr(attribute.getName());
    });
  }
};

} // namespace
