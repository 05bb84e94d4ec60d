//===- LargeConstants.h - the bytes of large globals ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_LARGECONSTANTS_H
#define BROADLOOM_CODEGEN_MACHINE_LARGECONSTANTS_H

#include "dialect/ElementBytes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// The bytes of the global's value if these are at least `least`, and its
/// alignment does not depend on its type; else nothing.
inline llvm::ArrayRef<char> getLargeBytes(mlir::LLVM::GlobalOp global,
                                          size_t least) {
  auto value =
      mlir::dyn_cast_if_present<mlir::ElementsAttr>(global.getValueOrNull());
  if (!value || !global.getAlignment())
    return {};
  std::optional<llvm::ArrayRef<char>> bytes = getElementBytes(value);
  if (!bytes || bytes->size() < least)
    return {};
  // Other integers have gaps in memory, and of a splat there is one element.
  int64_t elementBytes = value.getElementType().getIntOrFloatBitWidth() / 8;
  if (!llvm::isPowerOf2_64(elementBytes) ||
      int64_t(bytes->size()) != value.getNumElements() * elementBytes)
    return {};
  return *bytes;
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_LARGECONSTANTS_H
