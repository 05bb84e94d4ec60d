//===- AskShapes.h - answering a question about shapes --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this room.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_ASKSHAPES_H
#define BROADLOOM_DRIVER_ASKSHAPES_H

#include "driver/Compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

/// The answer for `function` of `module`, which has its companions.
ShapeAnswer askShapes(mlir::ModuleOp module, const FunctionSignature &function,
                      const std::vector<std::string> &arguments);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_ASKSHAPES_H
