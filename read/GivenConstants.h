//===- GivenConstants.h - constants beside a text ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_GIVENCONSTANTS_H
#define BROADLOOM_READ_GIVENCONSTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <string_view>

namespace broadloom::read {

/// Gives the resources `given_N` of a module the elements that are number N of
/// `constants`, which stay where they are. Leaves other resources as they are,
/// and those of which there is no number N.
void giveConstants(mlir::ModuleOp module,
                   llvm::ArrayRef<std::string_view> constants);

} // namespace broadloom::read

#endif // BROADLOOM_READ_GIVENCONSTANTS_H
