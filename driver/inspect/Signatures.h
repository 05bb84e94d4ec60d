//===- Signatures.h - what the functions of a program take ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_SIGNATURES_H
#define BROADLOOM_DRIVER_INSPECT_SIGNATURES_H

#include "dialect/LoomDialect.h"
#include "driver/FunctionSignature.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

/// The signature of an argument or result of `type`; nothing if the type cannot
/// cross the C ABI. `extents`, if not null, names extents.
std::optional<TensorSignature>
getTensorSignature(mlir::Type type, loom::ExtentsAttr extents = {});

/// The signatures of the public functions of `module`; false (with a
/// diagnostic) where a type cannot cross the C ABI.
bool readSignatures(mlir::ModuleOp module,
                    std::vector<FunctionSignature> &signatures);

/// Notes in `functions` why some of them have no shape query in `module`.
void noteObstacles(mlir::ModuleOp module,
                   std::vector<FunctionSignature> &functions);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_SIGNATURES_H
