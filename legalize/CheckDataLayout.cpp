//===- CheckDataLayout.cpp - the data layout that a program has -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/CheckDataLayout.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace broadloom;

/// The bits from one element of memory to the next.
static uint64_t getBitsOfPlace(Type type) {
  return llvm::alignTo<8>(type.getIntOrFloatBitWidth());
}

/// What an entry about `type` says that is not so here; empty if it is.
static std::string findDifference(Type type, Attribute value) {
  if (type.isIndex()) {
    auto bits = dyn_cast<IntegerAttr>(value);
    return !bits || bits.getValue() == 64
               ? ""
               : "that 'index' has " + std::to_string(bits.getInt()) +
                     " bits, but it has 64";
  }
  auto alignments = dyn_cast<DenseIntElementsAttr>(value);
  if (!type.isIntOrFloat() || !alignments || alignments.empty())
    return "";
  uint64_t alignment = (*alignments.value_begin<APInt>()).getZExtValue();
  if (alignment <= getBitsOfPlace(type))
    return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "that '" << type << "' is aligned to " << alignment
      << " bits, but elements stand " << getBitsOfPlace(type) << " bits apart";
  return text;
}

static std::string findDifference(DataLayoutEntryInterface entry,
                                  StringAttr endianness) {
  if (auto type = dyn_cast<Type>(entry.getKey()))
    return findDifference(type, entry.getValue());
  auto order = dyn_cast<StringAttr>(entry.getValue());
  StringRef own = llvm::sys::IsLittleEndianHost
                      ? DLTIDialect::kDataLayoutEndiannessLittle
                      : DLTIDialect::kDataLayoutEndiannessBig;
  if (cast<StringAttr>(entry.getKey()) != endianness || !order || order == own)
    return "";
  return "that bytes are in the order '" + order.str() +
         "', but they are in '" + own.str() + "'";
}

LogicalResult legalize::checkDataLayout(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    auto spec = dyn_cast<DataLayoutSpecInterface>(attribute.getValue());
    if (!spec)
      continue;
    StringAttr endianness = spec.getEndiannessIdentifier(op->getContext());
    for (DataLayoutEntryInterface entry : spec.getEntries())
      if (std::string text = findDifference(entry, endianness); !text.empty())
        return op->emitError()
               << "the data layout '" << attribute.getName().strref()
               << "' says " << text
               << " here; compile the program's source for a machine of that "
                  "layout, or take the entry out";
  }
  return success();
}
