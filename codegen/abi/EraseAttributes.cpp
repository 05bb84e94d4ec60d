//===- EraseAttributes.cpp - no attributes of a program for LLVM ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"

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

/// Sets all at once: each change makes a new list of as many dictionaries as
/// there are arguments.
void eraseOfArguments(FunctionOpInterface function) {
  auto keep = [](ArrayAttr dictionaries) {
    SmallVector<Attribute> kept;
    for (auto own : dictionaries.getAsRange<DictionaryAttr>())
      kept.push_back(keepOurs(own));
    return ArrayAttr::get(dictionaries.getContext(), kept);
  };
  if (ArrayAttr own = function.getArgAttrsAttr())
    function.setArgAttrsAttr(keep(own));
  if (ArrayAttr own = function.getResAttrsAttr())
    function.setResAttrsAttr(keep(own));
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
