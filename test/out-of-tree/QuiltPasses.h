//===- QuiltPasses.h - somebody else's pass over loom -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef QUILT_PASSES_H
#define QUILT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace quilt {

#define GEN_PASS_DECL
#include "QuiltPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "QuiltPasses.h.inc"

} // namespace quilt

#endif // QUILT_PASSES_H
