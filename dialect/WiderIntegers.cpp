//===- WiderIntegers.cpp - integers in a wider type -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/WiderIntegers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;

/// Whether a value of `op`, or an argument of its blocks, has such elements.
static bool hasIntegers(Operation *op, unsigned bits) {
  auto has = [&](Type type) {
    return getElementTypeOrSelf(type).isSignlessInteger(bits);
  };
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), has))
        return true;
  return llvm::any_of(op->getResultTypes(), has);
}

/// Erases conversions from a type to itself.
static void eraseConversions(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

DenseElementsAttr broadloom::widenNumbers(DenseIntElementsAttr numbers,
                                          unsigned bits) {
  return numbers.mapValues(
      IntegerType::get(numbers.getContext(), bits),
      [=](const APInt &value) { return value.sext(bits); });
}

void broadloom::widenIntegers(Operation *root, unsigned from) {
  bool found = root->walk([&](Operation *op) {
                     return hasIntegers(op, from) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                   })
                   .wasInterrupted();
  if (!found)
    return;
  const unsigned to = getKeptBits(from);
  auto wide = IntegerType::get(root->getContext(), to);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](IntegerType type) -> std::optional<Type> {
    if (!type.isSignlessInteger(from))
      return std::nullopt;
    return wide;
  });
  replacer.addReplacement(
      [=](IntegerAttr number)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!number.getType().isSignlessInteger(from))
          return std::nullopt;
        return {{IntegerAttr::get(wide, number.getValue().sext(to)),
                 WalkResult::skip()}};
      });
  replacer.addReplacement(
      [=](DenseIntElementsAttr numbers)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!numbers.getElementType().isSignlessInteger(from))
          return std::nullopt;
        return {{widenNumbers(numbers, to), WalkResult::skip()}};
      });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  eraseConversions(root);
}
