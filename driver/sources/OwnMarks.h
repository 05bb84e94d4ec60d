//===- OwnMarks.h - attributes that texts may have --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_OWNMARKS_H
#define BROADLOOM_DRIVER_SOURCES_OWNMARKS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

/// Removes the attributes of the `loom` dialect by which passes tell later ones
/// what they have checked or decided: nobody has checked what a text says by
/// them. Those that a program may have stay (docs/spec.md).
void dropOwnMarks(mlir::ModuleOp module);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_OWNMARKS_H
