//===- ElementTypes.h - element types of the C API --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime calls the element types of a program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_ELEMENTTYPES_H
#define BROADLOOM_CODEGEN_ABI_ELEMENTTYPES_H

#include "runtime/calls/Tensor.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace broadloom::codegen {

/// The element type of the C API for an MLIR one; nothing if the type cannot
/// cross the C ABI.
std::optional<BroadloomElementType> getRuntimeType(mlir::Type type);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_ELEMENTTYPES_H
