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

bool broadloom::isElided(DenseResourceElementsAttr constant) {
  return constant.getRawHandle().getKey().starts_with(kElided);
}
