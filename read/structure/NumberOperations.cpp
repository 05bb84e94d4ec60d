//===- NumberOperations.cpp - locations in bytecode -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/NumberOperations.h"

#include "dialect/LocationText.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

/// `operation 17 of 'main', 'tosa.conv2d' -> tensor<1x8x8x4xf32>`.
static std::string describe(Operation *op, size_t number, StringRef function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "operation " << number << " of ";
  if (function.empty())
    stream << "the program";
  else
    stream << "'" << function << "'";
  stream << ", '" << op->getName().getStringRef() << "'";
  if (op->getNumResults() != 0)
    stream << " -> ";
  llvm::interleaveComma(op->getResultTypes(), stream);
  return text;
}

static void give(Operation *op, StringRef file, const std::string &text) {
  if (getFileLocationText(op->getLoc()).empty())
    op->setLoc(makeNumberedLocation(op->getLoc(), (file + ": " + text).str()));
}

void read::numberOperations(ModuleOp module, StringRef file) {
  for (auto [i, op] : llvm::enumerate(module.getBody()->getOperations())) {
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    give(&op, file, describe(&op, i, ""));
    size_t number = 0;
    op.walk<WalkOrder::PreOrder>([&, top = &op](Operation *inner) {
      if (inner != top)
        give(inner, file,
             describe(inner, number++, name ? name.getValue() : StringRef()));
    });
  }
}
