//===- GivenConstants.cpp - constants beside a text -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/GivenConstants.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace broadloom;

/// The number in the name of a resource; nothing if it is no such name. Where a
/// text is parsed twice, MLIR puts another number behind the name.
static std::optional<size_t> readNumber(StringRef key) {
  size_t number;
  if (!key.consume_front("given_") || key.consumeInteger(10, number) ||
      !(key.empty() || key.starts_with("_")))
    return std::nullopt;
  return number;
}

void read::giveConstants(ModuleOp module,
                         ArrayRef<std::string_view> constants) {
  if (constants.empty())
    return;
  // Attributes may be in arrays and dictionaries. Each is visited once.
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr value) {
    DenseResourceElementsHandle handle = value.getRawHandle();
    std::optional<size_t> number = readNumber(handle.getKey());
    if (handle.getBlob() || !number || *number >= constants.size())
      return;
    std::string_view bytes = constants[*number];
    DenseResourceElementsHandle::getManagerInterface(module.getContext())
        .getBlobManager()
        .update(handle.getKey(),
                UnmanagedAsmResourceBlob::allocateWithAlign(
                    ArrayRef(bytes.data(), bytes.size()), /*align=*/1));
  });
  module.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
}
