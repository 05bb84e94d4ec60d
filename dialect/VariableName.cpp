//===- VariableName.cpp - the variables among arguments -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/VariableName.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace broadloom;

StringRef loom::getVariableName(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *function = block->getParentOp();
  auto state = function && block->isEntryBlock()
                   ? function->getAttrOfType<ArrayAttr>(kState)
                   : nullptr;
  if (!state || state.size() > block->getNumArguments())
    return {};
  size_t first = block->getNumArguments() - state.size();
  if (argument.getArgNumber() < first)
    return {};
  auto entry = dyn_cast<DictionaryAttr>(state[argument.getArgNumber() - first]);
  auto name = entry ? entry.getAs<StringAttr>("name") : nullptr;
  return name ? name.getValue() : StringRef();
}
