//===- ElementBytes.cpp - the bytes of constants --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ElementBytes.h"

using namespace mlir;

std::optional<ArrayRef<char>>
broadloom::getElementBytes(ElementsAttr constant) {
  Type element = constant.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  int64_t bytes =
      constant.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
  if (!blob || int64_t(blob->getData().size()) != bytes)
    return std::nullopt;
  return blob->getData();
}

/// The name of the resources that makeElements() makes. Numbers follow it.
static constexpr llvm::StringLiteral kMade = "__made__";

ElementsAttr
broadloom::makeElements(ShapedType type,
                        llvm::function_ref<void(MutableArrayRef<char>)> write) {
  size_t bytes = size_t(type.getNumElements()) *
                 (type.getElementType().getIntOrFloatBitWidth() / 8);
  if (bytes < kLargeConstant) {
    std::vector<char> elements(bytes);
    write(elements);
    return DenseElementsAttr::getFromRawBuffer(type, elements);
  }
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes, /*align=*/64);
  write(blob.getMutableData());
  return DenseResourceElementsAttr::get(type, kMade, std::move(blob));
}

ElementsAttr broadloom::reshapeElements(ElementsAttr constant,
                                        ShapedType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.reshape(type);
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  if (!resource || !getElementBytes(constant))
    return {};
  return DenseResourceElementsAttr::get(type, resource.getRawHandle());
}

void broadloom::freeElements(DenseResourceElementsAttr constant) {
  if (constant.getRawHandle().getKey().starts_with(kMade))
    if (AsmResourceBlob *blob = constant.getRawHandle().getBlob())
      *blob = AsmResourceBlob();
}

bool broadloom::isElided(DenseResourceElementsAttr constant) {
  return constant.getRawHandle().getKey().starts_with(kElided);
}
