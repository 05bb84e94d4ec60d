//===- KnownEffects.h - what well-known functions read and write -*- C++ -*-==//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SOURCES_KNOWNEFFECTS_H
#define BROADLOOM_DRIVER_SOURCES_KNOWNEFFECTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace broadloom {

/// Declares the effects of the functions of `module` that declare none
/// themselves (ffi-2): those of the function of the same name and of the same
/// arguments in the files, in their order, or, if they have no body, in the
/// texts of effects/. Takes the sets of that function (ffi-4), or copies it,
/// and those that it calls, into the module. Fails where a file cannot be read,
/// is no module, or has the name with other arguments, or for a function with
/// a body no sets.
llvm::LogicalResult declareEffects(mlir::ModuleOp module,
                                   const std::vector<std::string> &files);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SOURCES_KNOWNEFFECTS_H
