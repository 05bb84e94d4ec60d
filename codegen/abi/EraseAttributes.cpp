//===- EraseAttributes.cpp - no attributes of a program for LLVM --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinDialect.h"
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

/// Replaces locations by those without metadata of other dialects, such as
/// LLVM's debug information of the code that a program was made of.
class LocationCleaner {
public:
  LocationCleaner() {
    replacer.addReplacement([](FusedLoc fused) -> Attribute {
      Attribute metadata = fused.getMetadata();
      return metadata && !isa<BuiltinDialect>(metadata.getDialect())
                 ? Attribute(
                       FusedLoc::get(fused.getContext(), fused.getLocations()))
                 : Attribute(fused);
    });
  }

  void clean(Operation *op) {
    op->setLoc(get(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(get(argument.getLoc()));
  }

private:
  Location get(Location loc) {
    return cast<LocationAttr>(replacer.replace(LocationAttr(loc)));
  }

  AttrTypeReplacer replacer;
};

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
    LocationCleaner locations;
    getOperation()->walk([&](Operation *op) {
      locations.clean(op);
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
